/**
 * Finds bridges in a tree of vector searches: a document whose title the passage above it mentions
 * and the question does not.
 */

import type { Call } from '../../core/trace/call.ts';
import type { Question, Search } from '../../core/trace/trace.ts';
import { titleName } from '../../models/fact-ranker/link-features.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';
import type { Kit } from '../strategy.ts';
import type { Branch } from './layers.ts';

/** `off`: hits by their scores alone, as published; `rank`: bound ones before all others. */
export type Bridge = 'off' | 'rank';
export const BRIDGES: readonly Bridge[] = ['off', 'rank'];

/** Returns the ids of the bound hits of each search of a later layer. */
export async function boundHits(
  branches: readonly Branch[],
  searches: readonly Search[],
  { text }: Question,
  { engine, retriever }: Kit,
  call: Call,
): Promise<ReadonlySet<string>[]> {
  const above = branches.flatMap(({ from }) => (from?.id === undefined ? [] : [from.id]));
  if (above.length < branches.length) return searches.map(() => new Set());
  const passages = await engine.read(retriever.unit, above, call);
  const ids = [...new Set(searches.flatMap(({ hits }) => hits.map(hit => hit.documentId)))];
  const documents = await engine.read('document', ids, call);
  const question = padded(text.toLowerCase());
  const names = new Map(
    documents.map(({ id, title }) => [id, padded(titleName(title).toLowerCase())]),
  );
  return searches.map(({ hits }, at) => {
    const passage = padded(passages[at]!.text.toLowerCase());
    const isOpen = (name: string): boolean =>
      name.trim() !== '' && passage.includes(name) && !question.includes(name);
    const open = new Set(hits.map(hit => names.get(hit.documentId)!).filter(isOpen));
    // A part of a longer name that is bound names something else.
    const whole = [...open].filter(
      name => ![...open].some(other => other !== name && other.includes(name)),
    );
    const bound = hits.filter(hit => whole.includes(names.get(hit.documentId)!));
    return new Set(bound.map(({ id }) => id));
  });
}
