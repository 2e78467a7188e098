/**
 * `question-only`: answers each question by a classifier of its words that was fitted on other
 * questions. It reads no document, so a reader has to beat it before its accuracy means anything.
 */

import { type Member, member } from '../../core/naming/family.ts';
import { isRight } from '../answer-rules.ts';
import type { Example } from '../example.ts';
import { factFolds, foldsOf } from '../fitting/folds.ts';
import type { AnswerControl, OwnRun, Treatment } from './answer-control.ts';
import { type Answered, fitQuestions, verdictsOf } from './question-classifier.ts';
import { fitVerdicts, type Verdict, type VerdictSettings } from './verdict-classifier.ts';

const FOLDS = 5;
/** Penalties to choose from, on a fold of the training questions. */
const PENALTIES = [1, 10];
const VERDICTS: readonly VerdictSettings[] = [5, 20].flatMap(l2 =>
  [true, false].map(near => ({ l2, near })),
);

export const questionOnly: Member<AnswerControl> = member({
  name: 'question-only',
  summary:
    'the best classifier of the answer from the words of the question, fitted on the other folds; reads no document',
  parameters: [
    {
      name: 'folds',
      type: 'text',
      default: 'fact',
      choices: ['fact', 'question'],
      summary:
        'fact: questions with the same gold documents, gold entity or nearly the same words share a fold; question: single questions, so that answers recur',
    },
  ],
  create: ({ folds }, name) => ({
    name,
    over: 'questions',
    treat: runs => answered(runs, folds),
  }),
});

function answered(runs: readonly OwnRun[], by: 'fact' | 'question'): (Treatment | undefined)[] {
  const examples = runs.map(({ example }) => example);
  const folds = by === 'fact' ? factFolds(examples, FOLDS) : foldsOf(examples.length, FOLDS);
  const texts = crossValidated(examples, folds);
  return texts.map(text =>
    text === undefined ? undefined : { kind: 'says', rule: 'fitted', text },
  );
}

/**
 * Returns an answer to each question by a classifier that was fitted on the other folds, whose
 * penalty was chosen on one of them; undefined if no other fold has an answer.
 */
export function crossValidated(
  examples: readonly Example[],
  folds: ArrayLike<number>,
): (string | undefined)[] {
  const samples = examples.map(({ question, answers }, index) => ({
    question: question.text,
    answer: answers[0],
    answers,
    fold: folds[index]!,
  }));
  type Sample = (typeof samples)[number];
  const known = (some: readonly Sample[]): (Sample & Answered)[] =>
    some.filter((sample): sample is Sample & Answered => sample.answer !== undefined);
  const texts = new Array<string | undefined>(examples.length);
  for (const fold of new Set(Array.from(folds))) {
    const training = known(samples.filter(sample => sample.fold !== fold));
    if (training.length === 0) continue;
    const inner = training.find(sample => sample.fold === (fold + 1) % FOLDS)?.fold;
    const [rest, held] = [false, true].map(isInner =>
      training.filter(sample => (sample.fold === inner) === isInner),
    ) as [(Sample & Answered)[], (Sample & Answered)[]];
    const verdict = chosenVerdict(verdictsOf(rest), verdictsOf(held));
    const classifier = fitQuestions(training, { l2: chosenPenalty(rest, held, verdict), verdict });
    for (const [index, sample] of samples.entries())
      if (sample.fold === fold) texts[index] = classifier.answer(sample.question);
  }
  return texts;
}

/** Returns the penalty that answers most of the held-out questions; the greatest among equals. */
function chosenPenalty(
  training: readonly Answered[],
  held: readonly (Answered & { readonly answers: readonly string[] })[],
  verdict: VerdictSettings,
): number {
  if (training.length === 0 || held.length === 0) return 1;
  return bestOf(PENALTIES, l2 => {
    const classifier = fitQuestions(training, { l2, verdict });
    return held.filter(({ question, answers }) =>
      isRight('strict', classifier.answer(question), answers),
    ).length;
  });
}

/** Returns the settings that are right on most held-out verdicts; the last among equals. */
const chosenVerdict = (training: readonly Verdict[], held: readonly Verdict[]): VerdictSettings =>
  bestOf(VERDICTS, settings => {
    const isYes = fitVerdicts(training, settings);
    return held.filter(({ question, yes }) => isYes(question) === yes).length;
  });

/** Returns the thing with the greatest score, the last among equals. */
function bestOf<T extends {}>(things: readonly T[], scoreOf: (thing: T) => number): T {
  let best = { thing: things[0]!, score: Number.NEGATIVE_INFINITY };
  for (const thing of things) {
    const score = scoreOf(thing);
    if (score >= best.score) best = { thing, score };
  }
  return best.thing;
}
