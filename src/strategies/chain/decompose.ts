/** Splits the question into sub-questions in order: by the model, by rules, or as recorded. */
import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import { findMentions } from '../../language/mentions.ts';
import { generateStructured, outputsOf } from '../../models/structured.ts';
import { degraded, type ModelInUse } from '../../planning/model-in-use.ts';
import type { Planner } from '../../planning/planner.ts';
import { sourceNames } from '../../planning/sources.ts';
import { clauseSubQuestions } from '../../planning/sub-questions/clause-sub-questions.ts';
import { splitByModel } from '../../planning/sub-questions/model-sub-questions.ts';
import { nestedSubQuestions } from '../../planning/sub-questions/nested-sub-questions.ts';
import {
  type RecordedSubQuestions,
  replayedSubQuestions,
} from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { Kit } from '../strategy.ts';
import { flagIn, JUDGE_MULTI_HOP, judgePrompt } from './prompts.ts';
import { type ChainSettings, splitOf } from './settings.ts';

/** `clauses` have no order: none needs the answer of another. */
export type SplitBy = 'model' | 'whole' | 'chain' | 'clauses' | 'replayed';

export interface ChainPlan {
  readonly by: SplitBy;
  readonly questions: readonly string[];
  readonly outputs: readonly ModelOutput[];
}

export interface SplitStep {
  readonly settings: ChainSettings;
  readonly kit: Kit;
  readonly call: Call;
  readonly model: ModelInUse;
  readonly planner: Planner;
  readonly recorded: RecordedSubQuestions | undefined;
}

/** Throws `InputError('no-sub-questions')` if recorded ones are required and none were given. */
export async function splitQuestion(question: string, step: SplitStep): Promise<ChainPlan> {
  const outputs: ModelOutput[] = [];
  const found =
    step.settings.split === 'replayed'
      ? replayed(question, step, outputs)
      : await byModel(question, step, outputs);
  const { by, questions } = found ?? (await byRules(question, step));
  outputs.push({
    role: 'plan',
    text: JSON.stringify({ by, subQuestions: questions }),
    parsed: true,
  });
  return { by, questions, outputs };
}

type Split = Pick<ChainPlan, 'by' | 'questions'>;

function replayed(
  question: string,
  { settings, recorded }: SplitStep,
  outputs: ModelOutput[],
): Split | undefined {
  const questions = replayedSubQuestions(recorded, question, settings.parts, {
    strategy: 'chain',
    instead: 'split=model or rules',
  }).map(item => item.question);
  if (questions.length > 0) return { by: 'replayed', questions };
  outputs.push(degraded('No recorded sub-questions for this question: rules split it'));
  return undefined;
}

async function byModel(
  question: string,
  { settings, model, call }: SplitStep,
  outputs: ModelOutput[],
): Promise<Split | undefined> {
  if (settings.split !== 'model' || !model.present) return undefined;
  if (settings.judgeMultiHop && !(await needsSeveral(question, model, call, outputs)))
    return { by: 'whole', questions: [question] };
  const otherwise = 'the question is not split';
  const split = await splitByModel(model, question, splitOf(settings), otherwise, call);
  if (!split) return undefined;
  outputs.push(...split.outputs);
  if (split.questions.length > 0) return { by: 'model', questions: split.questions };
  return { by: 'whole', questions: [question] };
}

/** A judge that fails or says nothing lets the question be split. */
async function needsSeveral(
  question: string,
  model: ModelInUse,
  call: Call,
  outputs: ModelOutput[],
): Promise<boolean> {
  const reply = await model.ask(language =>
    generateStructured(language, judgePrompt(question), flagIn('is_multi_hop'), call),
  );
  if (reply) outputs.push(...outputsOf(JUDGE_MULTI_HOP, reply.texts, reply.kind === 'parsed'));
  return reply?.kind !== 'parsed' || reply.value;
}

/** A question that names sources is split by the planner, any other by what it describes. */
async function byRules(question: string, step: SplitStep): Promise<Split> {
  const { settings, kit, call, planner } = step;
  const sources = await sourceNames(kit.engine, call);
  if (findMentions(question, sources, { wholeWords: true }).length > 0)
    return {
      by: 'clauses',
      questions: clauseSubQuestions(planner, question, settings.parts, sources),
    };
  const questions = nestedSubQuestions(question, settings.parts);
  return { by: questions.length > 1 ? 'chain' : 'whole', questions };
}
