/** Which share of a lane's words a candidate holds, by itself and together with the header of its document. */
import { contentStems } from '../../text/stems.ts';
import type { Candidate, QuestionView } from './question-view.ts';
import { type TextWords, wordNumber } from './text-words.ts';

export interface Overlap {
  /** By lane, by candidate: from 0 to 1. */
  readonly sentence: readonly Float64Array[];
  readonly withHeader: readonly Float64Array[];
}

/** A word weighs ln(1 + n / (1 + df)) over the n candidates, as in `sentenceSupport`. */
export function overlapOf({ lanes, candidates }: QuestionView): Overlap {
  const wanted = lanes.map(lane => [...contentStems(lane)]);
  const stems = [...new Set(wanted.flat())];
  const place = new Map(stems.map((stem, index) => [stem, index]));
  const { texts, either } = heldBy(candidates, stems);
  const weights = texts.map(column => Math.log(1 + candidates.length / (1 + column.reduce((count, has) => count + has, 0))));
  const sentence: Float64Array[] = [];
  const withHeader: Float64Array[] = [];
  for (const own of wanted) {
    const places = own.map(stem => place.get(stem)!);
    const total = places.reduce((sum, index) => sum + weights[index]!, 0) || 1;
    const [alone, both] = [new Float64Array(candidates.length), new Float64Array(candidates.length)];
    for (const index of places) {
      const share = weights[index]! / total;
      addWhere(texts[index]!, share, alone);
      addWhere(either[index]!, share, both);
    }
    sentence.push(alone);
    withHeader.push(both);
  }
  return { sentence, withHeader };
}

function addWhere(column: Uint8Array, share: number, sums: Float64Array): void {
  for (let at = 0; at < column.length; at++) sums[at]! += column[at]! * share;
}

/** Of each stem a column of candidates: 1 where the text has it, and where the text or the header has it. */
interface Held {
  readonly texts: readonly Uint8Array[];
  readonly either: readonly Uint8Array[];
}

function heldBy(candidates: readonly Candidate[], stems: readonly string[]): Held {
  const places = new Map<number | undefined, number>(stems.map((stem, index) => [wordNumber(stem), index]));
  const columns = (): Uint8Array[] => stems.map(() => new Uint8Array(candidates.length));
  const [texts, either] = [columns(), columns()];
  const headers = new Map<TextWords, readonly number[]>();
  for (const [at, { text, header }] of candidates.entries()) {
    const ofHeader = headers.get(header) ?? placesIn(header, places);
    headers.set(header, ofHeader);
    for (const index of ofHeader) either[index]![at] = 1;
    for (const index of placesIn(text, places)) {
      texts[index]![at] = 1;
      either[index]![at] = 1;
    }
  }
  return { texts, either };
}

function placesIn({ stemNumbers }: TextWords, places: ReadonlyMap<number | undefined, number>): number[] {
  const found: number[] = [];
  for (const number of stemNumbers) {
    const place = places.get(number);
    if (place !== undefined) found.push(place);
  }
  return found;
}
