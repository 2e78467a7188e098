/**
 * Classifies questions by their answer, from the words of the question alone: frequent answers by a
 * linear model, yes and no by one of their own, others by the most similar question or by a name in
 * the question itself.
 */

import { normHotpot } from '../../core/text/normalise.ts';
import { findNames } from '../../language/english/names/names.ts';
import { bestOutput, type Features, type LinearModel } from '../../models/linear-model.ts';
import { fitLinear } from '../fitting/fit-linear.ts';
import { fitVerdicts, type Verdict, type VerdictSettings, wordsOf } from './verdict-classifier.ts';

/** A question with its main answer. */
export interface Answered {
  readonly question: string;
  readonly answer: string;
}

export interface QuestionClassifier {
  answer(question: string): string;
}

export interface ClassifierSettings {
  /** Strength of the penalty on the weights. */
  readonly l2: number;
  readonly verdict: VerdictSettings;
}

/** An answer of so many questions has its output. */
const FREQUENT = 10;
/** A word or pair of words of fewer questions is left out. */
const LEAST = 3;
/** Steps of the fit: more of them change few answers and take minutes. */
const ITERATIONS = 40;
/** The outputs for answers that are names of the question, by their place. */
const PLACES = 4;
const RARE = 'rare';
/** The output for yes and no. */
const VERDICT = 'verdict';

const placed = (place: number): string => `name ${place}`;

/** Fits the classifier. Throws `RangeError` without questions. */
export function fitQuestions(
  samples: readonly Answered[],
  { l2, verdict }: ClassifierSettings,
): QuestionClassifier {
  if (samples.length === 0) throw new RangeError('No questions to fit a classifier on');
  const texts = frequentAnswers(samples);
  const outputOf = ({ question, answer }: Answered): string => {
    const key = normHotpot(answer);
    if (texts.has(key) && isVerdict(key)) return VERDICT;
    if (texts.has(key)) return `= ${key}`;
    const place = namesOf(question).findIndex(name => normHotpot(name) === key);
    return place >= 0 && place < PLACES ? placed(place) : RARE;
  };
  const labels = samples.map(outputOf);
  const outputs = [...new Set([...labels, RARE])].sort();
  const onlyVerdict = texts.get('yes') ?? texts.get('no') ?? '';
  const rare = samples.filter((_, index) => labels[index] === RARE);
  const isYes = fitVerdicts(verdictsOf(samples), verdict);
  const similar = nearest(rare.length > 0 ? rare : samples);
  const model: LinearModel | undefined =
    outputs.length < 2
      ? undefined
      : fitLinear(
          samples.map(({ question }, index) => ({
            features: wordFeatures(question),
            label: outputs.indexOf(labels[index]!),
          })),
          outputs,
          { l2, least: LEAST, iterations: ITERATIONS },
        );
  return {
    answer(question) {
      const names = namesOf(question);
      const fits = (output: string): boolean =>
        !output.startsWith('name ') || names.length > Number(output.slice('name '.length));
      const output = model ? bestOutput(model, wordFeatures(question), fits) : outputs[0]!;
      if (output === VERDICT) return texts.get(isYes(question) ? 'yes' : 'no') ?? onlyVerdict;
      if (output.startsWith('= ')) return texts.get(output.slice(2))!;
      if (output === RARE || !fits(output)) return similar(question);
      return names[Number(output.slice('name '.length))]!;
    },
  };
}

const isVerdict = (key: string): boolean => key === 'yes' || key === 'no';

export const verdictsOf = (samples: readonly Answered[]): Verdict[] =>
  samples.flatMap(({ question, answer }) => {
    const key = normHotpot(answer);
    return isVerdict(key) ? [{ question, yes: key === 'yes' }] : [];
  });

/** Returns the most frequent spelling of each frequent answer, by its normal form. */
function frequentAnswers(samples: readonly Answered[]): Map<string, string> {
  const byKey = Map.groupBy(samples, ({ answer }) => normHotpot(answer));
  return new Map(
    [...byKey].flatMap(([key, same]): [string, string][] => {
      if (same.length < FREQUENT) return [];
      const spellings = Map.groupBy(same, ({ answer }) => answer);
      const [most] = [...spellings].sort(
        ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
      );
      return [[key, most![0]]];
    }),
  );
}

const namesOf = (question: string): string[] => [
  ...new Set(findNames(question).map(({ text }) => text)),
];

/** Returns the distinct words and pairs of adjacent words. */
function wordFeatures(question: string): Features {
  const framed = ['^', ...wordsOf(question), '$'];
  const names = framed.flatMap((word, index) =>
    index === 0 ? [] : [word, `${framed[index - 1]} ${word}`],
  );
  return new Map(names.map(name => [name, 1]));
}

/** Returns the answer of the most similar question, by cosine of weighted words. */
function nearest(samples: readonly Answered[]): (question: string) => string {
  const sets = samples.map(({ question }) => new Set(wordsOf(question)));
  const holding = new Map<string, number[]>();
  for (const [index, words] of sets.entries())
    for (const word of words) holding.set(word, [...(holding.get(word) ?? []), index]);
  const weight = (word: string): number =>
    Math.log(1 + samples.length / (1 + (holding.get(word)?.length ?? 0))) ** 2;
  const lengths = sets.map(words =>
    Math.sqrt([...words].reduce((sum, word) => sum + weight(word), 0)),
  );
  return question => {
    const shared = new Float64Array(samples.length);
    for (const word of new Set(wordsOf(question)))
      for (const index of holding.get(word) ?? []) shared[index]! += weight(word);
    let best = 0;
    for (const index of samples.keys())
      if (shared[index]! / (lengths[index]! || 1) > shared[best]! / (lengths[best]! || 1))
        best = index;
    return samples[best]!.answer;
  };
}
