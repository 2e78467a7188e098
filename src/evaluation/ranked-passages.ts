/**
 * Returns the passages that a trace ranked last, as texts, and the gold facts that each one holds.
 */

import { squash } from '../core/text/normalise.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Example, Records } from './example.ts';
import { distinctSquashedFacts } from './gold-evidence.ts';

/**
 * Texts of the hits of the last passage search of the last hop that searched passages; undefined
 * when there is no such search.
 */
export function rankedPassages(
  trace: Trace,
  records: Records,
  depth: number,
): string[] | undefined {
  for (const hop of [...trace.hops].reverse()) {
    const search = hop.searches.findLast(candidate => candidate.unit === 'passage');
    if (search)
      return search.hits
        .slice(0, depth)
        .map(hit => records.text(hit.documentId).slice(hit.start, hit.end));
  }
  return undefined;
}

export interface RankedFacts {
  /** The distinct gold facts under `squash`. */
  readonly facts: readonly string[];
  /** Number of gold entries that have a fact, duplicates counted. */
  readonly listed: number;
  /** For each ranked passage its squashed text and the gold facts that stand in it. */
  readonly passages: readonly { readonly text: string; readonly facts: readonly string[] }[];
}

/**
 * Gold facts by rank. A passage is relevant when a squashed gold fact is a substring of the
 * squashed passage, so a fact that is cut across two passages never counts. Undefined without gold
 * facts (null questions) or without a passage search.
 */
export function rankedFacts(
  example: Example,
  trace: Trace,
  records: Records,
  depth: number,
): RankedFacts | undefined {
  const facts = distinctSquashedFacts(example);
  if (facts.length === 0) return undefined;
  const texts = rankedPassages(trace, records, depth);
  if (texts === undefined) return undefined;
  const passages = texts
    .map(squash)
    .map(text => ({ text, facts: facts.filter(fact => text.includes(fact)) }));
  return {
    facts,
    listed: example.gold.filter(gold => squash(gold.fact ?? '') !== '').length,
    passages,
  };
}
