/** Draws the writes of an attacked program, so that program and attacker draw the same ones. */
import type { Document } from '../../src/core/corpus/document.ts';
import { mulberry32 } from '../../src/core/mulberry32.ts';

/** Few ids, so that documents are replaced and removed as often as they are added. */
const IDS = 12;
const WORDS = ['ferry', 'harbour', 'captain', 'rain', 'engine', 'Aldmoor', 'Linnet', 'Brandt'];

export interface Operation {
  readonly put: readonly Document[];
  readonly remove: readonly string[];
  /** Closes the store and opens it again before the write. */
  readonly reopen: boolean;
}

export type Random = () => number;

/** Returns random numbers of one part of an attack, independent of how the parts before went. */
export const randomFor = (seed: number, part: number): Random =>
  mulberry32(Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b));

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** Returns a text of words that queries name. */
export function textOf(random: Random): string {
  const word = (): string => WORDS[below(random, WORDS.length)]!;
  const sentence = (): string => `The ${word()} of ${word()} saw ${word()} ${below(random, 9)}.`;
  return Array.from({ length: 1 + below(random, 4) }, sentence).join(' ');
}

/** Returns the next write; `held` are the ids that the writes before left. */
export function nextOperation(random: Random, held: ReadonlySet<string>): Operation {
  const reopen = random() < 0.15;
  const ids = Array.from({ length: IDS }, (_, at) => `d${at}`).filter(() => random() < 0.25);
  const remove = ids.filter(id => held.has(id));
  if (random() < 0.3 && remove.length > 0) return { put: [], remove, reopen };
  if (ids.length === 0) ids.push('d0');
  const put = ids.map(id => ({
    id,
    title: `Title ${id}`,
    text: textOf(random),
    metadata: { version: below(random, 1e6) },
  }));
  return { put, remove: [], reopen };
}

/** Applies a write to documents by id. */
export function applied(
  documents: ReadonlyMap<string, Document>,
  { put, remove }: Operation,
): Map<string, Document> {
  const next = new Map(documents);
  for (const document of put) next.set(document.id, document);
  for (const id of remove) next.delete(id);
  return next;
}
