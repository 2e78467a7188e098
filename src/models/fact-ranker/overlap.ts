/**
 * Computes the share of a lane's words that a candidate contains, alone and together with the
 * header of its document, and the share of a candidate's words that the question contains.
 */
import { contentStems } from '../../language/english/words/stems.ts';
import type { QuestionView } from './question-view.ts';
import type { TextWords } from './text-words.ts';

export interface Overlap {
  /** One row for each lane, one number from 0 to 1 for each candidate. */
  readonly sentence: readonly Float64Array[];
  readonly withHeader: readonly Float64Array[];
  /** The share of each candidate's content words that the whole question contains. */
  readonly asked: Float64Array;
}

/** Weights each word by ln(1 + n / (1 + df)) over the n candidates, as in `sentenceSupport`. */
export function overlapOf(view: QuestionView): Overlap {
  const { lanes, candidates } = view;
  const laneStems = lanes.map(lane => [...contentStems(lane)]);
  const stems = [...new Set(laneStems.flat())];
  const place = new Map(stems.map((stem, index) => [stem, index]));
  const { texts, either } = candidatesByStem(view, stems);
  const weights = texts.map(having => Math.log(1 + candidates.length / (1 + having.length)));
  const sentence: Float64Array[] = [];
  const withHeader: Float64Array[] = [];
  for (const stemsInLane of laneStems) {
    const places = stemsInLane.map(stem => place.get(stem)!);
    const total = places.reduce((sum, index) => sum + weights[index]!, 0) || 1;
    const [alone, both] = [
      new Float64Array(candidates.length),
      new Float64Array(candidates.length),
    ];
    for (const index of places) {
      const share = weights[index]! / total;
      for (const at of texts[index]!) alone[at]! += share;
      for (const at of either[index]!) both[at]! += share;
    }
    sentence.push(alone);
    withHeader.push(both);
  }
  return { sentence, withHeader, asked: askedShares(candidates, laneStems[0] ?? [], place, texts) };
}

/** `place`: the index of each stem in `texts`, the candidates that contain it. */
function askedShares(
  candidates: QuestionView['candidates'],
  question: readonly string[],
  place: ReadonlyMap<string, number>,
  texts: readonly (readonly number[])[],
): Float64Array {
  const shares = new Float64Array(candidates.length);
  for (const stem of question)
    for (const at of texts[place.get(stem)!]!)
      shares[at]! += 1 / candidates[at]!.text.stemNumbers.length;
  return shares;
}

/** Candidates that contain each stem, ascending: in the text; in the text or header. */
interface StemCandidates {
  readonly texts: readonly (readonly number[])[];
  readonly either: readonly (readonly number[])[];
}

function candidatesByStem(
  { candidates, vocabulary }: QuestionView,
  stems: readonly string[],
): StemCandidates {
  const rows = (): number[][] => stems.map(() => []);
  const [texts, either] = [rows(), rows()];
  // By stem: the last candidate in its row of `either`.
  const last = new Int32Array(stems.length).fill(-1);
  const headers = new Map<TextWords, readonly number[]>();
  vocabulary.withPlaces(stems, places => {
    for (let at = 0; at < candidates.length; at++) {
      const { text, header } = candidates[at]!;
      let ofHeader = headers.get(header);
      if (!ofHeader) headers.set(header, (ofHeader = placesIn(header, places)));
      for (let place = 0; place < ofHeader.length; place++) {
        const index = ofHeader[place]!;
        either[index]!.push(at);
        last[index] = at;
      }
      const { stemNumbers } = text;
      for (let stem = 0; stem < stemNumbers.length; stem++) {
        const index = places[stemNumbers[stem]!]! - 1;
        if (index < 0) continue;
        texts[index]!.push(at);
        if (last[index] !== at) either[index]!.push(at);
      }
    }
  });
  return { texts, either };
}

function placesIn({ stemNumbers }: TextWords, places: Int32Array): number[] {
  return stemNumbers.map(number => places[number]! - 1).filter(index => index >= 0);
}
