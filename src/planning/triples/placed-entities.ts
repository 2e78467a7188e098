/** Finds where the entities that a model named stand in the sentences that it read. */
import type { EntityTriple } from '../../models/entity-recogniser.ts';

interface Mention {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the names of each sentence, in their order. A name stands where a sentence has its words,
 * in any case; where names overlap the longest counts. Ends of triples are nodes of the graph, so
 * that one which no sentence has, such as the name for a pronoun, is added to the first sentence of
 * the other end, else to the first of all; other names that stand nowhere are left out.
 */
export function placedEntities(
  sentences: readonly string[],
  recognised: readonly string[],
  triples: readonly EntityTriple[],
): string[][] {
  const ends = triples.flatMap(({ head, tail }) => [head, tail]);
  const names = [...new Set([...recognised, ...ends])];
  const patterns = names.map(name => ({ name, pattern: patternOf(name) }));
  const placed = sentences.map(sentence => mentionsIn(sentence, patterns));
  const first = new Map<string, number>();
  for (const [at, entities] of placed.entries())
    for (const name of entities) if (!first.has(name)) first.set(name, at);
  for (const { head, tail } of triples)
    for (const [name, other] of [
      [head, tail],
      [tail, head],
    ] as const) {
      if (first.has(name) || sentences.length === 0) continue;
      const at = first.get(other) ?? 0;
      placed[at]!.push(name);
      first.set(name, at);
    }
  return placed;
}

/** Matches the words of a name with any white space between, not within longer words. */
function patternOf(name: string): RegExp {
  const words = name.split(/\s+/).map(word => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${words.join('\\s+')}(?![\\p{L}\\p{N}])`, 'giu');
}

function mentionsIn(
  sentence: string,
  patterns: readonly { readonly name: string; readonly pattern: RegExp }[],
): string[] {
  const found: Mention[] = patterns.flatMap(({ name, pattern }) =>
    [...sentence.matchAll(pattern)].map(({ 0: text, index }) => ({
      name,
      start: index,
      end: index + text.length,
    })),
  );
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const names: string[] = [];
  let end = 0;
  for (const mention of found) {
    if (mention.start < end) continue;
    names.push(mention.name);
    end = mention.end;
  }
  return names;
}
