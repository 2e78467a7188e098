/**
 * What the ranker sees of a candidate: numbers about lanes, words, vectors, names and places, none
 * of which says which sentence or corpus it is.
 */
import { overlapOf } from './overlap.ts';
import {
  bestLanes,
  firstLane,
  type LaneScores,
  laneFit,
  type QuestionView,
} from './question-view.ts';
import type { TextWords } from './text-words.ts';

/** By name, one number a candidate. */
export type Features = Readonly<Record<string, Float64Array>>;

/** How loud a candidate speaks for others: less with its rank, from 0, in the stage before. */
export const voiceAt = (rank: number): number => 1 / (1 + 0.15 * rank);

/** Of a sentence: shorter ones are headings and exclamations, longer ones lists. Word runs. */
const SHORT = 8;
const BRIEF = 14;
const LONG = 40;

/** The features of the first stage, and the lane that each candidate fits best. */
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
    },
    lanes,
  };
}

/** How it stands among the candidates of its document, and how well the best of these fits. */
function placeFeatures({ candidates }: QuestionView, own: Float64Array): Features {
  const best = new Map<string, number>();
  for (const [index, { documentId }] of candidates.entries())
    best.set(documentId, Math.max(best.get(documentId) ?? Number.NEGATIVE_INFINITY, own[index]!));
  const document = eachOf(candidates.length, index => best.get(candidates[index]!.documentId)!);
  return {
    'best of its document': document,
    'behind the best of its document': own.map((score, index) => score - document[index]!),
  };
}

/** Shares of the question's names in the text and in the title. */
function nameFeatures({ candidates, names }: QuestionView): Features {
  const wanted = names.map(name => name.toLowerCase());
  const share = ({ lower }: TextWords): number => {
    let count = 0;
    for (const name of wanted) if (lower.includes(name)) count++;
    return wanted.length === 0 ? 0 : count / wanted.length;
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

/** One number a candidate. A loop: `Float64Array.from` asks an iterator for every number. */
function eachOf(size: number, numberOf: (index: number) => number): Float64Array {
  const numbers = new Float64Array(size);
  for (let index = 0; index < size; index++) numbers[index] = numberOf(index);
  return numbers;
}

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

/** The score of the second best lane; 0 where there is one lane. */
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
 * 1 / (1 + the number of candidates before it) in the lane where that is least; candidates with one
 * score share a place.
 */
function rankOver(view: QuestionView, rows: LaneScores): Float64Array {
  const size = view.candidates.length;
  const before = new Float64Array(size).fill(size);
  for (let lane = firstLane(view); lane < rows.length; lane++) {
    const row = rows[lane]!;
    const ascending = row.toSorted();
    for (let index = 0; index < size; index++)
      // Fewer than so many stand before it where the last of so many does not.
      if (ascending[size - before[index]!]! <= row[index]!)
        before[index] = size - countUpTo(ascending, row[index]!);
  }
  return before.map(count => 1 / (1 + count));
}

/** How many of ascending numbers are no greater than one. */
function countUpTo(ascending: Float64Array, most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
