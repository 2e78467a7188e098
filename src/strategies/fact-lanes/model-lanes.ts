/**
 * Splits a question into lanes with a language model; the caller uses its clauses if the reply
 * holds no sub-questions.
 */

import type { Call } from '../../core/trace/call.ts';
import type { ModelOutput } from '../../core/trace/trace.ts';
import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { type Lane, laneNaming } from '../../language/english/question/lanes.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { degraded, type ModelInUse } from '../../planning/model-in-use.ts';
import {
  decomposePrompt,
  modelSubQuestions,
} from '../../planning/sub-questions/model-sub-questions.ts';

/** Questions of MultiHop-RAG and MuSiQue rest on at most four facts. */
const SPLIT = { parts: 4, chained: false, fewer: true } as const;
/** Length of a long question, in characters, for estimates of cost. */
const LONG = 500;

/** Returns the calls that splitting may make. */
export const modelLaneCalls = (): PlannedCalls[] => [
  repairable(decomposePrompt('q'.repeat(LONG), SPLIT), 1),
];

export async function modelLanes(
  question: string,
  catalogue: MetadataCatalogue,
  model: ModelInUse,
  call: Call,
): Promise<{ readonly lanes: Lane[]; readonly outputs: ModelOutput[] }> {
  if (!model.present)
    return {
      lanes: [],
      outputs: [degraded('No language model: the lanes are the clauses of the question')],
    };
  const split = await model.ask(language => modelSubQuestions(language, question, SPLIT, call));
  const outputs = [...(split?.outputs ?? []), ...model.takeNotes()];
  if (split && split.questions.length === 0)
    outputs.push(
      degraded(
        'The reply of the model holds no sub-questions: the lanes are the clauses of the question',
      ),
    );
  return { lanes: (split?.questions ?? []).map(text => laneNaming(text, catalogue)), outputs };
}
