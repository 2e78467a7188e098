/**
 * Classifies yes/no questions by their own words: those of discourse, with topics masked, and the
 * answers of similar questions, which may be the same question turned round.
 */

import { isDiscourseWord } from '../../language/english/words/discourse-words.ts';
import { ENGLISH_STOP_WORDS } from '../../language/english/words/stop-words.ts';
import { type Features, type LinearModel, probabilityOf } from '../../models/linear-model.ts';
import { fitLinear } from '../fitting/fit-linear.ts';

export interface Verdict {
  readonly question: string;
  readonly yes: boolean;
}

export interface VerdictSettings {
  /** Strength of the penalty on the weights. */
  readonly l2: number;
  /** True to use the answers of similar questions. */
  readonly near: boolean;
}

/** A word or pair of words of fewer questions is left out. */
const LEAST = 4;
/** Least share of common words, of all words of two questions, that counts as similar. */
const SIMILAR = 0.5;
const TOPIC = '<topic>';

/** Returns a function that tells whether the answer to a question is yes. */
export function fitVerdicts(
  samples: readonly Verdict[],
  { l2, near }: VerdictSettings,
): (question: string) => boolean {
  const words = samples.map(({ question }) => new Set(wordsOf(question)));
  /** Leaves out the sample at `self`: no question is near to itself. */
  const featuresOf = (question: string, self: number): Features => {
    const features = new Map(formOf(question).map(name => [name, 1]));
    if (!near) return features;
    const asked = words[self] ?? new Set(wordsOf(question));
    let sum = 0;
    for (const [index, other] of words.entries()) {
      if (index === self) continue;
      const share = similarity(asked, other);
      if (share > SIMILAR) sum += (samples[index]!.yes ? 1 : -1) * share ** 2;
    }
    return features.set('near', sum).set(`near ${wordsOf(question)[0] ?? ''}`, sum);
  };
  const model: LinearModel = fitLinear(
    samples.map(({ question, yes }, index) => ({
      features: featuresOf(question, index),
      label: yes ? 0 : 1,
    })),
    ['yes'],
    { l2, least: LEAST },
  );
  return question => probabilityOf(model, featuresOf(question, -1)) >= 0.5;
}

export const wordsOf = (question: string): string[] =>
  question.toLowerCase().match(/\p{N}+|[\p{L}’'-]+/gu) ?? [];

/** Returns the words and pairs of adjacent words, with each run of words of the topic as one. */
function formOf(question: string): string[] {
  const framed = ['^'];
  for (const word of wordsOf(question)) {
    const token = isDiscourseWord(word) || ENGLISH_STOP_WORDS.has(word) ? word : TOPIC;
    if (!(token === TOPIC && framed.at(-1) === TOPIC)) framed.push(token);
  }
  framed.push('$');
  return framed.flatMap((word, index) =>
    index === 0 ? [] : [word, `${framed[index - 1]} ${word}`],
  );
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size <= SIMILAR * large.size) return 0;
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  return common / (a.size + b.size - common);
}
