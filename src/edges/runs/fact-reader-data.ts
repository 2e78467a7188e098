/**
 * Questions as the fact reader meets them: each asked once with a reader that looks and answers
 * nothing.
 */
import { askEvents } from '../../ask.ts';
import type { DataSet } from '../../evaluation/example.ts';
import type { Row } from '../../evaluation/run.ts';
import type { FactSample } from '../../learning/fact-reader/fact-training.ts';
import type { Resources } from '../../models/resources.ts';
import { metadataCatalogue } from '../../planning/metadata/extractor.ts';
import { prepare } from '../../reading/fact-reader/prepare.ts';
import { INSUFFICIENT, type Reader } from '../../reading/reader.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { monotonicClock } from '../clock.ts';

export interface FactDataOptions {
  readonly engine: SearchEngine;
  readonly resources: Resources;
  readonly dataSet: DataSet;
  readonly row: Row;
  readonly signal: AbortSignal;
}

/** Yields each question's sample in order. */
export async function* factSamples({
  engine,
  resources,
  dataSet,
  row,
  signal,
}: FactDataOptions): AsyncGenerator<FactSample, void, void> {
  const { strategy, retriever, context, budget } = row;
  for (const example of dataSet.examples) {
    let input: FactSample['input'];
    const reader: Reader = {
      name: 'fact-reader',
      async read(question, text, evidence, kit, call) {
        const catalogue = await metadataCatalogue(kit.engine, call);
        input = {
          prepared: await prepare(question.text, text, evidence, kit.engine, catalogue, call),
          evidence,
        };
        return { kind: 'abstained', reason: INSUFFICIENT };
      },
    };
    const events = askEvents(
      example.question.text,
      { engine, resources, strategy, retriever, context, reader, budget, id: example.id, signal },
      monotonicClock,
    );
    let step = await events.next();
    while (!step.done) step = await events.next();
    // Ranked hits are many and nothing here reads them.
    const trace = { ...step.value, hops: [], context: { ...step.value.context, text: '' } };
    yield { example, input, trace };
  }
}
