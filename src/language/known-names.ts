/**
 * Finds names of a large catalogue in a text: longest first, without overlaps. Takes time in the
 * length of the text and of the names that begin at its places, not in the number of names.
 */

import { finish, inSteps, type Steps } from '../core/steps.ts';
import { SpanIndex } from '../core/text/span-index.ts';
import { SortedNames } from './sorted-names.ts';

/** Names between two pauses of the preparation. */
const STEP = 4096;

/** One spelling to be found. */
export interface KnownName {
  readonly text: string;
  /** True if it matches in any case. */
  readonly folds: boolean;
}

export interface FoundName<N extends KnownName> {
  readonly name: N;
  readonly start: number;
  readonly end: number;
}

/** Decides whether a place is a mention of the name. */
export type Accepts<N extends KnownName> = (name: N, start: number, end: number) => boolean;

/** The spellings of one kind, sorted, and which names each of them writes, best first. */
interface Side {
  readonly sorted: SortedNames;
  readonly writers: ReadonlyMap<string, readonly number[]>;
}

/** A place of the text, and the longest spelling that was not tried there yet. */
interface Place {
  readonly side: Side;
  readonly start: number;
  readonly spelling: number;
}

interface Candidate {
  readonly rank: number;
  readonly start: number;
}

/** A catalogue of names, prepared once and searched often. */
export class KnownNames<N extends KnownName> {
  private readonly names: readonly N[];
  private readonly folded: Side;
  private readonly exact: Side;
  private asWritten: Side | undefined;

  private constructor(names: readonly N[], folded: Side, exact: Side) {
    this.names = names;
    this.folded = folded;
    this.exact = exact;
  }

  /**
   * Prepares names, in steps. `names`: in the order of preference among names of one length; an
   * empty name is not found.
   */
  static *prepare<N extends KnownName>(names: readonly N[]): Steps<KnownNames<N>> {
    const folded = yield* sideOf(names, ({ folds, text }) => (folds ? text.toLowerCase() : ''));
    const exact = yield* sideOf(names, ({ folds, text }) => (folds ? '' : text));
    return new KnownNames(names, folded, exact);
  }

  /** Returns the accepted mentions in order of position. */
  find(text: string, accepts: Accepts<N>): FoundName<N>[] {
    const found: FoundName<N>[] = [];
    const taken = new SpanIndex<FoundName<N>>();
    const places = this.placesOf(text);
    for (let length = places.length - 1; length > 0; length--) {
      const here = places[length] ?? [];
      for (const { rank, start } of candidatesOf(here)) {
        const end = start + length;
        const name = this.names[rank]!;
        if (taken.overlaps(start, end) || !accepts(name, start, end)) continue;
        const mention = { name, start, end };
        found.push(mention);
        taken.add(mention);
      }
      for (const { side, start, spelling } of here)
        if (!taken.overlaps(start, start + 1))
          addPlace(places, { side, start, spelling: side.sorted.shorter(spelling) });
      delete places[length];
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** Returns the places of the text by the length of the longest spelling that begins there. */
  private placesOf(text: string): Place[][] {
    const places: Place[][] = [];
    for (const [side, haystack] of this.sidesOf(text))
      for (let start = 0; start < haystack.length; start++)
        addPlace(places, { side, start, spelling: side.sorted.longestAt(haystack, start) });
    return places;
  }

  /**
   * Lower-casing may change the length of a text (İ), which would shift offsets; such texts are
   * searched case-sensitively.
   */
  private sidesOf(text: string): [Side, string][] {
    const lower = text.toLowerCase();
    if (lower.length !== text.length) {
      this.asWritten ??= finish(sideOf(this.names, ({ text: written }) => written));
      return [[this.asWritten, text]];
    }
    return [
      [this.folded, lower],
      [this.exact, text],
    ];
  }
}

function* sideOf<N>(names: readonly N[], spell: (name: N) => string): Steps<Side> {
  const writers = new Map<string, number[]>();
  yield* inSteps(names, STEP, (name, rank) => {
    const spelling = spell(name);
    const known = writers.get(spelling);
    if (known) known.push(rank);
    else if (spelling !== '') writers.set(spelling, [rank]);
  });
  return { writers, sorted: new SortedNames([...writers.keys()]) };
}

function addPlace(places: Place[][], place: Place): void {
  if (place.spelling < 0) return;
  const { length } = place.side.sorted.at(place.spelling);
  (places[length] ??= []).push(place);
}

/** Returns what begins at the places, by preference, then by position. */
function candidatesOf(places: readonly Place[]): Candidate[] {
  const candidates = places.flatMap(({ side, start, spelling }) =>
    side.writers.get(side.sorted.at(spelling))!.map((rank): Candidate => ({ rank, start })),
  );
  return candidates.sort((a, b) => a.rank - b.rank || a.start - b.start);
}
