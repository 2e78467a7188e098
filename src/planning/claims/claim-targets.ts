/** Chooses and merges bridge targets: the entities by which claims are found. */
import { findNames } from '../../language/english/names/names.ts';
import { findSources } from '../../language/english/names/source-names.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { nameWords } from './entities.ts';

/** Least number of targets of a question. */
export const LEAST_TARGETS = 2;

/**
 * Returns the targets of a question: its names, sources and months left out, those of most words
 * first; filled up to two with the longest content words; the question itself if it has none. How
 * rare a name is in the corpus is unknown before the first search.
 */
export function questionTargets(
  question: string,
  sources: readonly string[],
  most: number,
): string[] {
  const cited = findSources(question, sources);
  const targets = questionNames(question, cited).slice(0, most);
  const known = new Set(targets.flatMap(nameWords));
  const citing = new Set(cited.flatMap(({ start, end }) => nameWords(question.slice(start, end))));
  const words = [...contentWords(question)]
    .filter(word => !known.has(word) && !citing.has(word))
    .sort((a, b) => b.length - a.length);
  while (targets.length < Math.min(LEAST_TARGETS, most) && words.length > 0)
    targets.push(words.shift()!);
  return targets.length > 0 ? targets : [question];
}

/** Returns the names of a question beside the sources that it cites, those of most words first. */
export function questionNames(question: string, cited: readonly NamedSpan[]): string[] {
  const names = findNames(question)
    .filter(({ start, end }) => !cited.some(source => source.start < end && start < source.end))
    .map(({ text }) => text)
    .sort((a, b) => b.split(' ').length - a.split(' ').length);
  return mergeTargets(names);
}

/** The span that cites a source. */
interface NamedSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the distinct targets in order: one whose words are all among those of another is merged
 * with it ("Apple" and "Apple Inc."), and the form of more words stays, at the place of the first.
 */
export function mergeTargets(targets: readonly string[]): string[] {
  const merged: { text: string; words: ReadonlySet<string> }[] = [];
  for (const text of targets) {
    const words = new Set(nameWords(text));
    if (words.size === 0) continue;
    const same = merged.find(
      other => other.words.isSubsetOf(words) || words.isSubsetOf(other.words),
    );
    if (!same) merged.push({ text, words });
    else if (words.size > same.words.size) Object.assign(same, { text, words });
  }
  return merged.map(({ text }) => text);
}

/** Returns true if two targets are merged by `mergeTargets`. */
export const sameTarget = (a: string, b: string): boolean => mergeTargets([a, b]).length < 2;
