/**
 * `question-only`: answers each question by a classifier of its words that was fitted on other
 * questions. It reads no document, so a reader has to beat it before its accuracy means anything.
 */
import type {
  AnswerControl,
  OwnRun,
  Treatment,
} from '../../evaluation/answer-controls/answer-control.ts';
import { isRight } from '../../evaluation/answer-rules.ts';
import { foldsOf } from '../../evaluation/controls.ts';
import type { Example } from '../../evaluation/example.ts';
import { type Member, member } from '../../naming/family.ts';
import { factFolds } from '../fact-reader/fact-folds.ts';
import { type Answered, fitQuestions } from './question-classifier.ts';

const FOLDS = 5;
/** Penalties to choose from, on a fold of the training questions. */
const PENALTIES = [1, 10];

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
    const classifier = fitQuestions(training, {
      l2: chosenPenalty(
        training.filter(sample => sample.fold !== inner),
        training.filter(sample => sample.fold === inner),
      ),
    });
    for (const [index, sample] of samples.entries())
      if (sample.fold === fold) texts[index] = classifier.answer(sample.question);
  }
  return texts;
}

/** Returns the penalty that answers most of the held-out questions; the greatest among equals. */
function chosenPenalty(
  training: readonly Answered[],
  held: readonly (Answered & { readonly answers: readonly string[] })[],
): number {
  if (training.length === 0 || held.length === 0) return 1;
  let best = { l2: 1, right: -1 };
  for (const l2 of PENALTIES) {
    const classifier = fitQuestions(training, { l2 });
    const right = held.filter(({ question, answers }) =>
      isRight('strict', classifier.answer(question), answers),
    ).length;
    if (right >= best.right) best = { l2, right };
  }
  return best.l2;
}
