/** Completes sub-questions that lack an entity by the answers of earlier sub-questions. */

import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import { generateStructured, outputsOf } from '../../models/structured.ts';
import type { ModelInUse } from '../../planning/model-in-use.ts';
import { LONGEST_SUB_ANSWER } from '../../planning/sub-answers.ts';
import {
  completedByRule,
  losesEntity,
  problemOf,
  withAnswer,
  withoutEntities,
} from '../../planning/sub-questions/lost-entity.ts';
import { bindable, type ReadAnswer } from '../../planning/sub-questions/read-answer.ts';
import { referencesIn, withReferences } from '../../planning/sub-questions/references.ts';
import { type AnsweredPair, REWRITE, readRewriting, rewritePrompt } from './prompts.ts';
import type { ChainSettings } from './settings.ts';

/** A sub-question that was asked, with its answer. */
export interface AskedSubQuestion {
  /** The text that was searched. */
  readonly text: string;
  readonly read: ReadAnswer;
}

/** A sub-question as it is searched. */
export interface Completed {
  /** The text as written: without the names that it lacks. */
  readonly original: string;
  readonly text: string;
  /** Positions of earlier sub-questions without an answer that it needs. */
  readonly unanswered: readonly number[];
  readonly outputs: readonly ModelOutput[];
}

export interface CompletionStep {
  readonly settings: ChainSettings;
  readonly call: Call;
  readonly model: ModelInUse;
}

/** Completes the sub-question at `index` of `questions`; `asked` are those before it. */
export async function completeSubQuestion(
  questions: readonly string[],
  index: number,
  asked: readonly AskedSubQuestion[],
  step: CompletionStep,
): Promise<Completed> {
  const written = questions[index]!;
  const original = nonBlank(withoutEntities(written, questions), written);
  if (!step.settings.rewriting || asked.length === 0 || !losesEntity(written))
    return { original, text: original, unanswered: [], outputs: [] };
  const answers = asked.map(({ read }) => answerOf(read));
  const references = referencesIn(written);
  const needed = references.length > 0 ? references.map(number => number - 1) : [...asked.keys()];
  const unanswered = needed.filter(place => asked[place] && answers[place] === undefined);
  if (references.length > 0 || !step.model.present) {
    // Without an answer the words that describe it stand in its place, and nothing is lost.
    const described = (number: number): string =>
      asked[number - 1]?.text ?? withReferences(questions[number - 1] ?? '', () => undefined);
    const text = completedByRule(written, answers, number => unasked(described(number)));
    return { original, text: nonBlank(text, original), unanswered, outputs: [] };
  }
  const pairs = asked.flatMap(({ text: question }, at): AnsweredPair[] =>
    answers[at] === undefined
      ? []
      : [{ question, answer: answers[at].slice(0, LONGEST_SUB_ANSWER).toWellFormed() }],
  );
  if (pairs.length === 0) return { original, text: original, unanswered, outputs: [] };
  return { original, unanswered, ...(await rewritten(original, pairs, step)) };
}

/** Returns the answer as a name; undefined if there is none. */
const answerOf = (read: ReadAnswer): string | undefined => {
  const bound = bindable(read, false);
  return 'text' in bound ? bound.text : undefined;
};

const unasked = (text: string): string => text.replace(/^(?:who|what) (?:is|was) /i, '');

const nonBlank = (text: string, otherwise: string): string =>
  /[\p{L}\p{N}]/u.test(text) ? text : otherwise;

/** Asks the model once over all earlier pairs; an unusable reply leaves the sub-question. */
async function rewritten(
  original: string,
  pairs: readonly AnsweredPair[],
  { settings, call, model }: CompletionStep,
): Promise<Pick<Completed, 'text' | 'outputs'>> {
  const reply = await model.ask(language =>
    generateStructured(
      language,
      rewritePrompt(original, pairs, settings.prompt),
      readRewriting,
      call,
    ),
  );
  if (!reply) {
    const answers = pairs.map(({ answer }) => answer);
    return { text: completedByRule(original, answers, () => undefined), outputs: [] };
  }
  const outputs = outputsOf(REWRITE, reply.texts, reply.kind === 'parsed');
  if (reply.kind !== 'parsed') return { text: original, outputs };
  const said = pairs.flatMap(({ question, answer }) => [question, answer]);
  const problem = problemOf(reply.value, original, said);
  if (problem === undefined) return { text: reply.value, outputs };
  const text = problem === 'new-entity' ? withAnswer(original, pairs.at(-1)!.answer) : original;
  return { text, outputs: [...outputs, { role: 'rewriteRefused', text: problem, parsed: true }] };
}
