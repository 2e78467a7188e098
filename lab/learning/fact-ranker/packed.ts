/** Packs ranked candidates as `fact-lanes` does, and measures the gold facts among them. */
import { Selection } from '../../../src/context/selection.ts';
import { whole } from '../../../src/context/whole.ts';
import { freeCall } from '../../../src/core/trace/call.ts';
import type { EvidenceItem } from '../../../src/core/trace/trace.ts';
import type { RankerWeights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { scoresOf } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import { LanePacking } from '../../../src/strategies/fact-lanes/keep.ts';
import { optionsOf } from '../../../src/strategies/fact-lanes/options.ts';
import type { FactLanesSettings } from '../../../src/strategies/fact-lanes/settings.ts';
import { type Stages, secondFeatures } from './fit-ranker.ts';
import { type GoldSpan, type RankedQuestion, WHOLE } from './ranked-question.ts';

/**
 * The measures of these names, except that a fact counts if its span is covered, not if its words
 * occur.
 */
export interface PackedFigures {
  readonly FactRecall: number;
  readonly AllFacts: number;
  readonly GroundedRecall: number;
  readonly GroundedEM: number;
}
export const PACKED_FIGURES = ['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'] as const;

/** Returns the scores of the second stage, by which candidates are kept. */
export const scored = (question: RankedQuestion, stages: Stages): Float64Array =>
  scoresOf(secondFeatures(question, stages.first), stages.second, question.lanes.length);

export async function packedFigures(
  question: RankedQuestion,
  scores: Float64Array,
  packing: RankerWeights['packing'],
  settings: FactLanesSettings,
  engine: SearchEngine,
): Promise<PackedFigures> {
  const { view, lanes, gold } = question;
  const call = freeCall();
  const selection = new Selection(
    whole.create({}, whole.name, undefined!).bind(engine, call, { id: '', text: view.lanes[0]! }),
    call,
  );
  const packed = new LanePacking(selection, settings, packing);
  const options = optionsOf(view, { scores, lanes });
  await packed.fillLanes(options);
  await packed.fill(options);
  const hit = gold.map(fact => covers(selection.all, fact));
  const documents = new Set(gold.map(({ documentId }) => documentId));
  const grounded = new Set(gold.flatMap(({ documentId }, at) => (hit[at] ? [documentId] : [])));
  return {
    FactRecall: hit.filter(Boolean).length / gold.length,
    AllFacts: Number(hit.every(Boolean)),
    GroundedRecall: grounded.size / documents.size,
    GroundedEM: Number(grounded.size === documents.size),
  };
}

/**
 * Returns true if the kept sentences cover the whole span; only white space lies between sentences.
 * For a document without a fact, any of its sentences counts.
 */
function covers(kept: readonly EvidenceItem[], { documentId, span }: GoldSpan): boolean {
  if (span === WHOLE) return kept.some(item => item.documentId === documentId);
  const [start, end] = span;
  const spans = kept
    .filter(item => item.documentId === documentId)
    .flatMap(({ spans: ofHit }) => ofHit ?? [])
    .sort((a, b) => a[0] - b[0]);
  let at = start;
  for (const [from, to] of spans) if (from <= at + GAP && to > at) at = to;
  return at + GAP >= end;
}

/** Greatest number of UTF-16 units between two sentences, or around a fact. */
const GAP = 2;
