/**
 * Questions as the fact reader meets them: each asked once with a reader that looks and answers
 * nothing.
 */

import { defined } from '../../src/core/defined.ts';
import { drain } from '../../src/core/steps.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { ContextText, Evidence } from '../../src/core/trace/trace.ts';
import { partnersOf } from '../../src/evaluation/answer-controls/swapped-evidence.ts';
import type { DataSet } from '../../src/evaluation/example.ts';
import type { Row } from '../../src/evaluation/run.ts';
import type { Resources } from '../../src/models/resources.ts';
import { metadataCatalogue } from '../../src/planning/metadata/extractor.ts';
import { monotonicClock } from '../../src/platform/clock.ts';
import { prepare } from '../../src/readers/fact-reader/prepare.ts';
import { INSUFFICIENT, type Reader } from '../../src/readers/reader.ts';
import { askEvents } from '../../src/run/ask.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import type { FactSample } from '../learning/fact-reader/fact-training.ts';

export interface FactDataOptions {
  readonly engine: SearchEngine;
  readonly resources: Resources;
  readonly dataSet: DataSet;
  readonly row: Row;
  readonly signal: AbortSignal;
}

/** The context and the evidence of a question. */
export interface Given {
  readonly context: ContextText;
  readonly evidence: readonly Evidence[];
}

/**
 * Yields each question's sample in order, with what the reader was given; undefined if the run
 * abstained before the reader.
 */
export async function* factSamples({
  engine,
  resources,
  dataSet,
  row,
  signal,
}: FactDataOptions): AsyncGenerator<FactSample & { readonly given?: Given }, void, void> {
  const { strategy, retriever, context, budget } = row;
  for (const example of dataSet.examples) {
    let input: FactSample['input'];
    let given: Given | undefined;
    const reader: Reader = {
      name: 'fact-reader',
      async read(question, text, evidence, kit, call) {
        const catalogue = await metadataCatalogue(kit.engine, call);
        given = { context: text, evidence };
        const shown = { question, ...given, kit, call };
        input = { prepared: await prepare(shown, catalogue), evidence };
        return { kind: 'abstained', reason: INSUFFICIENT };
      },
    };
    const events = askEvents(
      example.question.text,
      { engine, resources, strategy, retriever, context, reader, budget, id: example.id, signal },
      monotonicClock,
    );
    const run = await drain(events);
    // Ranked hits are many and nothing here reads them.
    const trace = { ...run, hops: [], context: { ...run.context, text: '' } };
    yield defined({ example, input, trace, given });
  }
}

/** Returns samples with the evidence of another question each, by `swapped-evidence`. */
export async function swappedSamples(
  own: readonly (FactSample & { readonly given?: Given })[],
  engine: SearchEngine,
): Promise<FactSample[]> {
  const call = freeCall();
  const catalogue = await metadataCatalogue(engine, call);
  const runs = own.map(({ example, given: { context, evidence } = NOTHING }) => ({
    example,
    context,
    evidence,
    hops: [],
  }));
  const samples: FactSample[] = [];
  for (const [index, treatment] of partnersOf(runs, SEED).entries()) {
    const given = treatment?.kind === 'swapped' ? own[treatment.from]!.given : undefined;
    if (!given) continue;
    const { example, trace } = own[index]!;
    const shown = { question: example.question, ...given, kit: { engine }, call };
    const input = { prepared: await prepare(shown, catalogue), evidence: given.evidence };
    samples.push({ example, trace, swapped: true, input });
  }
  return samples;
}

/** Seed of the partners: the default of the control. */
const SEED = 1;
const NOTHING: Given = {
  context: { name: '', text: '', parts: [], tokens: 0 },
  evidence: [],
};
