/**
 * Collects questions with the candidates that the searches of `fact-lanes` return, labelled by the
 * gold facts.
 */

import type { Span } from '../../../src/core/corpus/document.ts';
import { defaultsOf } from '../../../src/core/naming/family.ts';
import { drain } from '../../../src/core/steps.ts';
import type { DataSet, Example } from '../../../src/evaluation/example.ts';
import type { RankerWeights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { type Features, firstFeatures } from '../../../src/models/fact-ranker/features.ts';
import { evidenceOnly } from '../../../src/readers/evidence-only.ts';
import { askEvents, type Clock } from '../../../src/run/ask.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import { factLanesWith } from '../../../src/strategies/fact-lanes/fact-lanes.ts';
import {
  FACT_LANES_PARAMETERS,
  type FactLanesSettings,
} from '../../../src/strategies/fact-lanes/settings.ts';
import type { LanesView } from '../../../src/strategies/fact-lanes/view.ts';

export interface GoldSpan {
  readonly documentId: string;
  readonly span: Span;
}

export interface RankedQuestion {
  readonly gold: readonly GoldSpan[];
  readonly view: LanesView;
  readonly first: Features;
  readonly lanes: Int32Array;
  /** For each candidate, true if it is (part of) a gold fact. */
  readonly right: readonly boolean[];
}

/** Returns the default settings of `fact-lanes`. */
export const defaultLanes = (): FactLanesSettings => defaultsOf(FACT_LANES_PARAMETERS);

export const NO_WEIGHTS: RankerWeights = {
  first: {},
  second: {},
  packing: { lane: 0, source: 0, price: 0 },
};

export interface Ranking {
  readonly engine: SearchEngine;
  readonly retriever: string;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly weights?: RankerWeights;
  /** Later hops that search for names; 0, the default: the first stage of the ranker alone. */
  readonly hops?: number;
  /**
   * If true, a gold document without a located fact is right as a whole; otherwise it is skipped.
   */
  readonly documents?: boolean;
}

/** Yields each answerable question with a gold fact that is located in its document. */
export async function* rankedQuestions(
  { examples }: Pick<DataSet, 'examples'>,
  { engine, retriever, signal, clock, weights = NO_WEIGHTS, hops = 0, documents = false }: Ranking,
): AsyncGenerator<RankedQuestion, void, void> {
  for (const example of examples) {
    const gold = goldSpans(example, documents);
    if (gold.length === 0) continue;
    let view: LanesView | undefined;
    const bridge = hops === 0 ? 'off' : 'auto';
    const strategy = factLanesWith({ ...defaultLanes(), tokens: 1, bridge }, 'fact-lanes', {
      weights,
      hops,
      onRanked: seen => (view = seen),
    });
    const reader = evidenceOnly.create({}, evidenceOnly.name, undefined!);
    const events = askEvents(
      example.question.text,
      { engine, strategy, retriever, context: 'whole', reader, signal },
      clock,
    );
    await drain(events);
    // A stopped run must not count as a question without candidates.
    signal.throwIfAborted();
    if (!view) continue;
    const { features: first, lanes } = firstFeatures(view);
    yield {
      gold,
      view,
      first,
      lanes,
      right: view.found.map(({ hit }) =>
        gold.some(fact => overlaps(fact, hit.documentId, hit.start, hit.end)),
      ),
    };
  }
}

/** The span of a whole document of any length. */
export const WHOLE: Span = [0, Number.POSITIVE_INFINITY];

const goldSpans = ({ gold }: Example, documents: boolean): GoldSpan[] =>
  gold.flatMap(({ documentId, span = documents ? WHOLE : undefined }) =>
    span === undefined ? [] : [{ documentId, span }],
  );

const overlaps = (gold: GoldSpan, documentId: string, start: number, end: number): boolean =>
  gold.documentId === documentId && start < gold.span[1] && gold.span[0] < end;
