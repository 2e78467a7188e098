/**
 * Features of a candidate: numbers about lanes, words, vectors, names and positions. None of them
 * identifies a sentence or a corpus.
 */
import { Top } from '../../core/ranking/top.ts';
import { overlapOf } from './overlap.ts';
import {
  bestLanes,
  firstLane,
  type LaneScores,
  laneFit,
  type QuestionView,
} from './question-view.ts';
import { SENTENCE_FORMS } from './sentence-form.ts';
import type { TextWords } from './text-words.ts';

/** One number for each candidate, by the feature's name. */
export type Features = Readonly<Record<string, Float64Array>>;

/** Returns the rank discount: the weight of a candidate's mentions by its rank, from 0. */
export const rankDiscount = (rank: number): number => 1 / (1 + 0.15 * rank);

/** Returns the places of the best scores, best first; the earlier of equals is better. */
export function bestPlaces(scores: Float64Array, count: number): number[] {
  const top = new Top(count);
  for (let place = 0; place < scores.length; place++) top.offer(place, scores[place]!);
  return top.ranked().map(({ item }) => item);
}

/** Word runs: shorter sentences are headings and exclamations, longer ones lists. */
const SHORT = 8;
const BRIEF = 14;
const LONG = 40;

/** Returns the features of the first stage and the lane that each candidate fits best. */
export function firstFeatures(view: QuestionView): {
  readonly features: Features;
  readonly lanes: Int32Array;
} {
  const fit = laneFit(view);
  const lanes = bestLanes(view, fit);
  const overlap = overlapOf(view);
  const features: Record<string, Float64Array> = {};
  const scores = {
    words: view.words,
    vectors: view.vectors,
    documents: view.documents,
    topics: view.topics,
    overlap: overlap.sentence,
    headed: overlap.withHeader,
  };
  for (const [name, rows] of Object.entries(scores)) {
    features[`${name} of the question`] = rows[0]!;
    features[`${name} of any lane`] = bestOver(view, rows);
    features[`${name} of its lane`] = at(rows, lanes);
  }
  features['words of another lane'] = secondOver(view, view.words);
  features['vectors of another lane'] = secondOver(view, view.vectors);
  features['lane names its source'] = at(view.own, lanes);
  features['question names its source'] = view.source;
  features['question names its day'] = view.day;
  features['rank in a lane'] = rankOver(view, fit);
  features['vector rank in a lane'] = rankOver(view, view.vectors);
  return {
    features: {
      ...features,
      ...placeFeatures(view, at(fit, lanes)),
      ...nameFeatures(view),
      ...lengthFeatures(view),
      ...formFeatures(view),
      'share of its words in the question': overlap.asked,
    },
    lanes,
  };
}

/** Compares a candidate with the best candidate of its document. */
function placeFeatures({ candidates }: QuestionView, fit: Float64Array): Features {
  const best = new Map<string, number>();
  for (const [index, { documentId }] of candidates.entries())
    best.set(documentId, Math.max(best.get(documentId) ?? Number.NEGATIVE_INFINITY, fit[index]!));
  const document = eachOf(candidates.length, index => best.get(candidates[index]!.documentId)!);
  return {
    'best of its document': document,
    'behind the best of its document': fit.map((score, index) => score - document[index]!),
  };
}

/** Returns the shares of the question's names in the text and in the title. */
function nameFeatures({ candidates, names }: QuestionView): Features {
  const lowerNames = names.map(name => name.toLowerCase());
  const share = ({ lower }: TextWords): number => {
    let count = 0;
    for (const name of lowerNames) if (lower.includes(name)) count++;
    return lowerNames.length === 0 ? 0 : count / lowerNames.length;
  };
  const titles = new Map<TextWords, number>();
  for (const { title } of candidates) if (!titles.has(title)) titles.set(title, share(title));
  return {
    'names in it': eachOf(candidates.length, index => share(candidates[index]!.text)),
    'names in the title': eachOf(candidates.length, index => titles.get(candidates[index]!.title)!),
  };
}

function lengthFeatures({ candidates }: QuestionView): Features {
  const words = eachOf(candidates.length, index => candidates[index]!.text.count);
  return {
    'a few words': words.map(count => Number(count < SHORT)),
    'a dozen words': words.map(count => Number(count >= SHORT && count < BRIEF)),
    'many words': words.map(count => Number(count > LONG)),
  };
}

/** Returns the numbers that describe how each candidate is written. */
function formFeatures({ candidates }: QuestionView): Features {
  const forms = candidates.map(({ text }) => text.form);
  return Object.fromEntries(
    SENTENCE_FORMS.map((name, place) => [name, columnOf(forms, form => form[place]!)]),
  );
}

/** Computes one number for each of `size` candidates. */
function eachOf(size: number, numberOf: (index: number) => number): Float64Array {
  const numbers = new Float64Array(size);
  for (let index = 0; index < size; index++) numbers[index] = numberOf(index);
  return numbers;
}

/** Maps a list to numbers. Faster than `Float64Array.from`, which iterates. */
export const columnOf = <T>(
  list: readonly T[],
  numberOf: (candidate: T, index: number) => number,
): Float64Array => eachOf(list.length, index => numberOf(list[index]!, index));

const at = (rows: LaneScores, lanes: Int32Array): Float64Array =>
  eachOf(lanes.length, index => rows[lanes[index]!]![index]!);

function bestOver(view: QuestionView, rows: LaneScores): Float64Array {
  const best = new Float64Array(view.candidates.length).fill(Number.NEGATIVE_INFINITY);
  for (let lane = firstLane(view); lane < rows.length; lane++) {
    const row = rows[lane]!;
    for (let index = 0; index < best.length; index++)
      if (row[index]! > best[index]!) best[index] = row[index]!;
  }
  return best;
}

/** Returns the score of the second best lane; 0 if there is only one. */
const secondOver = (view: QuestionView, rows: LaneScores): Float64Array =>
  eachOf(view.candidates.length, index => {
    let best = Number.NEGATIVE_INFINITY;
    let second = Number.NEGATIVE_INFINITY;
    for (let lane = firstLane(view); lane < rows.length; lane++) {
      const score = rows[lane]![index]!;
      if (score > best) {
        second = best;
        best = score;
      } else if (score > second) second = score;
    }
    return Number.isFinite(second) ? second : 0;
  });

/**
 * Returns 1 / (1 + the number of candidates ranked before) in the lane where the candidate ranks
 * best; candidates of equal score share a rank.
 */
function rankOver(view: QuestionView, rows: LaneScores): Float64Array {
  const size = view.candidates.length;
  const before = new Float64Array(size).fill(size);
  for (let lane = firstLane(view); lane < rows.length; lane++) {
    const row = rows[lane]!;
    const ascending = row.toSorted();
    for (let index = 0; index < size; index++)
      // Counts only where the rank improves on that of earlier lanes.
      if (ascending[size - before[index]!]! <= row[index]!)
        before[index] = size - countUpTo(ascending, row[index]!);
  }
  return before.map(count => 1 / (1 + count));
}

/** Counts the numbers of an ascending list that are at most `most`. */
function countUpTo(ascending: Float64Array, most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
