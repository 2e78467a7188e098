/** Answers a question as `open-reader` does, for readers that hand questions over. */

import type { Answer } from '../core/trace/trace.ts';
import type { OpenCheckpoint } from '../models/open-reader/open-checkpoint.ts';
import { stated } from './confidence.ts';
import type { Reading } from './fact-answer.ts';
import { answerEvidence, supportOf } from './open/answerable.ts';
import { statesVerb } from './open/asked-verb.ts';
import { candidatesOf, decideOpen, type OpenDecision } from './open/decide.ts';
import { readOpen } from './open/passages.ts';
import { INSUFFICIENT } from './reader.ts';
import { citationOf } from './shown-passages.ts';
import { shownSentences } from './shown-sentences.ts';

/** Answers as `open-reader(support=TIMES)` does. */
export async function readOpenAnswer(
  { question, context, evidence, kit, call }: Reading,
  times: number,
): Promise<Answer> {
  if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const sentences = await shownSentences(context, kit.engine, call);
  const titles = context.parts.map(part => evidence.find(({ id }) => id === part.id)?.title ?? '');
  const reading = readOpen(question.text, titles, sentences);
  const { model, support: least } = await shippedWeights();
  const decision = decideOpen(candidatesOf(reading), model);
  if (!decision) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const { text } = decision;
  const support = statesVerb(reading, decision)
    ? supportOf(answerEvidence(reading), decision, model)
    : 0;
  const sure = await stated(decision.form, shareOf(decision), decision.others);
  const citations = decision.sentences.flatMap(
    index => citationOf(sentences[index]!, evidence) ?? [],
  );
  return support < times * least
    ? { kind: 'abstained', reason: INSUFFICIENT, support, withheld: { text, citations }, ...sure }
    : { kind: 'answered', text, citations, support, ...sure };
}

/** Spans of which a share says something: fewer are no comparison. */
const COMPARED = 3;
const UNKNOWN = 0.5;

/** Returns the share of the answer among the candidates, where there are enough of them. */
const shareOf = ({ form, support, others }: OpenDecision): number =>
  form === 'span' && others.length + 1 < COMPARED ? Math.min(UNKNOWN, support) : support;

/** Loads the weights on first use: no other reader pays for them. */
const shippedWeights = async (): Promise<OpenCheckpoint> =>
  (await import('../models/open-reader/shipped.ts')).shippedOpen();
