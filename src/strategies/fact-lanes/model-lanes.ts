/**
 * The lanes of a question as a language model cuts it; the clauses where it says nothing that can
 * be asked.
 */

import type { PlannedCalls } from '../../models/planned-calls.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { type Lane, laneNaming } from '../../planning/lanes.ts';
import type { MetadataCatalogue } from '../../planning/metadata/extractor.ts';
import { degraded, type ModelInUse } from '../../planning/model-in-use.ts';
import {
  decomposePrompt,
  modelSubQuestions,
} from '../../planning/sub-questions/model-sub-questions.ts';
import type { Call } from '../../trace/call.ts';
import type { ModelOutput } from '../../trace/trace.ts';

/** MultiHop-RAG's questions rest on four facts at most, those of MuSiQue too. */
const SPLIT = { parts: 4, chained: false, fewer: true } as const;
/** A long question, in characters. */
const LONG = 500;

/** What it may ask of the model. */
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
  const split = await model.ask(asked => modelSubQuestions(asked, question, SPLIT, call));
  const outputs = [...(split?.outputs ?? []), ...model.takeNotes()];
  if (split && split.questions.length === 0)
    outputs.push(
      degraded(
        'What the model said holds no sub-questions: the lanes are the clauses of the question',
      ),
    );
  return { lanes: (split?.questions ?? []).map(text => laneNaming(text, catalogue)), outputs };
}
