/**
 * Splits questions and answers sub-questions for `query-decomposition`, with a model or by its
 * fallbacks.
 */
import type { Call } from '../../core/trace/call.ts';
import type { EvidenceItem, ModelOutput } from '../../core/trace/trace.ts';
import { degraded, type ModelInUse } from '../../planning/model-in-use.ts';
import type { Planner } from '../../planning/planner.ts';
import { sourceNames } from '../../planning/sources.ts';
import { clauseSubQuestions } from '../../planning/sub-questions/clause-sub-questions.ts';
import { extractiveSubAnswer } from '../../planning/sub-questions/extractive-sub-answer.ts';
import { modelSubAnswer, SUB_ANSWER } from '../../planning/sub-questions/model-sub-answer.ts';
import { splitByModel } from '../../planning/sub-questions/model-sub-questions.ts';
import type { SplitBy, SubQuestionPlan } from '../../planning/sub-questions/plan.ts';
import { type ReadAnswer, UNKNOWN } from '../../planning/sub-questions/read-answer.ts';
import { citationsOf, readPassages } from '../../planning/sub-questions/read-passage.ts';
import {
  type RecordedSubQuestions,
  replayedSubQuestions,
} from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { Kit } from '../strategy.ts';
import type { QueryDecompositionSettings } from './settings.ts';

interface Step {
  readonly settings: QueryDecompositionSettings;
  readonly kit: Kit;
  readonly call: Call;
  readonly model: ModelInUse;
}

export interface PlanStep extends Step {
  readonly planner: Planner;
  readonly recorded: RecordedSubQuestions | undefined;
}

/**
 * Returns the sub-questions and their outputs. Throws `InputError('no-sub-questions')` if recorded
 * ones are required and none were given.
 */
export async function planOf(question: string, step: PlanStep): Promise<SubQuestionPlan> {
  const { settings, kit, call, model, planner } = step;
  const without = model.present ? [] : withoutModel(settings);
  if (settings.split === 'replayed') {
    const list = replayedSubQuestions(step.recorded, question, settings.parts, {
      strategy: 'query-decomposition',
      instead: 'split=model or clauses',
    });
    const questions = list.map(item => item.question);
    if (list.length > 0)
      return {
        ...planWithOutput('replayed', questions, settings, without),
        answers: list.map(({ answer }) => answer),
      };
    without.push(
      degraded(
        'No recorded sub-questions for this question: the clauses of the question are searched',
      ),
    );
  }
  const outputs: ModelOutput[] = [];
  if (settings.split === 'model' && model.present) {
    const otherwise = 'the clauses of the question are searched';
    const split = await splitByModel(model, question, settings, otherwise, call);
    outputs.push(...(split?.outputs ?? []));
    if (split && split.questions.length > 0)
      return planWithOutput('model', split.questions, settings, [...without, ...outputs]);
  }
  const clauses = clauseSubQuestions(
    planner,
    question,
    settings.parts,
    await sourceNames(kit.engine, call),
  );
  return planWithOutput('clauses', clauses, settings, [...without, ...outputs]);
}

/** Adds the plan as JSON `{ by, subQuestions, short }`; short: fewer than `parts`. */
function planWithOutput(
  by: SplitBy,
  questions: readonly string[],
  { parts }: QueryDecompositionSettings,
  outputs: readonly ModelOutput[],
): SubQuestionPlan {
  const text = JSON.stringify({ by, subQuestions: questions, short: questions.length < parts });
  return { questions, outputs: [...outputs, { role: 'plan', text, parsed: true }] };
}

/** Returns a note on the steps that a run without a model leaves out. */
function withoutModel({
  split,
  answers,
  integration,
  chained,
}: QueryDecompositionSettings): ModelOutput[] {
  const lost = [
    ...(split === 'model' ? ['the sub-questions are the clauses of the question'] : []),
    ...(answers === 'model' && integration === 'sub-answers'
      ? ['no sub-question is answered on its own']
      : []),
    ...(answers === 'model' && chained ? ['no answer is carried from one hop to the next'] : []),
    ...(integration === 'sub-answers' ? ['the reader answers from all that was found'] : []),
  ];
  return lost.length > 0 ? [degraded(`No language model: ${lost.join(', ')}`)] : [];
}

export interface AnswerStep extends Step {
  /** The recorded answer. */
  readonly recorded: string | undefined;
  /** False if no later step uses the answer. */
  readonly answered: boolean;
}

/**
 * Answers one sub-question from its first passages; cites the passages that contain a recorded
 * answer.
 */
export async function readAnswerOf(
  question: string,
  kept: readonly EvidenceItem[],
  step: AnswerStep,
): Promise<ReadAnswer> {
  const { settings, kit, call, model, recorded, answered } = step;
  if (!answered || (settings.answers === 'model' && !model.present)) return UNKNOWN;
  const passages = await readPassages(kept, settings.words, kit.engine, call);
  if (settings.answers === 'model')
    return (
      (await model.ask(language =>
        modelSubAnswer(language, question, passages, call, settings.prompt),
      )) ?? UNKNOWN
    );
  const read =
    settings.answers === 'extractive'
      ? extractiveSubAnswer(question, passages)
      : foundIn(recorded, citationsOf(recorded ?? '', passages));
  const citations = read.citations.length > 0 ? { citations: read.citations } : {};
  return {
    ...read,
    outputs: [{ role: SUB_ANSWER, text: read.answer ?? 'unknown', parsed: true, ...citations }],
  };
}

function foundIn(answer: string | undefined, occurrences: ReadAnswer['occurrences']): ReadAnswer {
  return answer === undefined
    ? UNKNOWN
    : { answer, occurrences, citations: occurrences.slice(0, 1), outputs: [] };
}
