/** Maps sentences to their entities and entities to their sentences, for graphs over entities. */

/** Mentions of entities, which are numbered from 0. */
export interface Mentions {
  /** Number of entities; each is mentioned. */
  readonly entities: number;
  /** Entities in the order in which they are mentioned, sentence after sentence. */
  readonly sequence: Uint32Array;
  /** The end of the mentions of each sentence. */
  readonly ends: Uint32Array;
}

/** Lists of numbers, one after the other. */
export interface Lists {
  /** One more than lists: list `at` stands from `starts[at]` to `starts[at + 1]`. */
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/** The distinct entities of each sentence, ascending. */
export interface DistinctMentions extends Lists {
  /** Number of mentions of each there. */
  readonly counts: Uint32Array;
}

export const listOf = ({ starts, items }: Lists, at: number): Uint32Array =>
  items.subarray(starts[at], starts[at + 1]);

export function distinctMentions({ sequence, ends }: Mentions): DistinctMentions {
  const starts = new Uint32Array(ends.length + 1);
  const items = new Uint32Array(sequence.length);
  const counts = new Uint32Array(sequence.length);
  let next = 0;
  for (let sentence = 0, from = 0; sentence < ends.length; sentence++) {
    const end = ends[sentence]!;
    for (; from < end; from++)
      next = insert(items, counts, starts[sentence]!, next, sequence[from]!);
    starts[sentence + 1] = next;
  }
  return { starts, items: items.slice(0, next), counts: counts.slice(0, next) };
}

/** Counts an entity in a list that ascends from `start` to `end`; returns its end. */
function insert(
  items: Uint32Array,
  counts: Uint32Array,
  start: number,
  end: number,
  entity: number,
): number {
  let at = end;
  while (at > start && items[at - 1]! > entity) at -= 1;
  if (at > start && items[at - 1] === entity) {
    counts[at - 1]! += 1;
    return end;
  }
  for (let to = end; to > at; to--) [items[to], counts[to]] = [items[to - 1]!, counts[to - 1]!];
  [items[at], counts[at]] = [entity, 1];
  return end + 1;
}

/** Returns for each number in the lists where it stands: the lists, ascending. */
export function inverted({ starts, items }: Lists, numbers: number): Lists {
  const places = new Uint32Array(numbers + 1);
  for (const item of items) places[item + 1]! += 1;
  for (let at = 0; at < numbers; at++) places[at + 1]! += places[at]!;
  const next = places.slice();
  const lists = new Uint32Array(items.length);
  for (let list = 0; list + 1 < starts.length; list++)
    for (let at = starts[list]!; at < starts[list + 1]!; at++) lists[next[items[at]!]!++] = list;
  return { starts: places, items: lists };
}
