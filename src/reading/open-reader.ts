/**
 * `open-reader`: answers open questions by names, dates, numbers, short phrases, one of several
 * named things, or yes and no, without a language model.
 *
 * Comparisons are computed over values that relations read from the sentences (born, died,
 * released, directed by, ...); spans are ranked by fitted features of the evidence: the kind of
 * answer, the distance along the chain of passages, stated relations, and agreement of sentences.
 */
import type { OpenModel } from '../models/open-reader/open-checkpoint.ts';
import { type Member, member } from '../naming/family.ts';
import type { Answer } from '../trace/trace.ts';
import type { Reading } from './fact-reader.ts';
import { candidatesOf, decideOpen, supportOf } from './open/decide.ts';
import { readOpen } from './open/passages.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { citationOf } from './shown-passages.ts';
import { shownSentences } from './shown-sentences.ts';

/** Chosen by cross-validation, which `multihop learn open-reader` prints. */
export const OPEN_SUPPORT = 0.27;

export const openReader: Member<Reader> = member({
  name: 'open-reader',
  summary:
    'Names, dates, numbers, choices, yes or no and short phrases by relations read from the sentences and fitted ranks of spans',
  paper: 'ours; weights fitted on train questions of 2WikiMultiHopQA, HotpotQA and MuSiQue',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: OPEN_SUPPORT,
      min: 0,
      max: 1.01,
      summary: 'abstain below this probability that the evidence holds the answer (0: never)',
    },
  ],
  create: ({ support }, name) => ({
    name,
    read: (question, context, evidence, kit, call) =>
      readOpenAnswer({ question, context, evidence, kit, call }, support),
  }),
});

/** Answers as `open-reader(support=LEAST)` does. */
export async function readOpenAnswer(
  { question, context, evidence, kit, call }: Reading,
  least: number,
): Promise<Answer> {
  if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const sentences = await shownSentences(context, kit.engine, call);
  const titles = context.parts.map(part => evidence.find(({ id }) => id === part.id)?.title ?? '');
  const reading = readOpen(question.text, titles, sentences);
  const model = await shippedModel();
  const decision = decideOpen(candidatesOf(reading), model);
  if (!decision) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
  const { text } = decision;
  const support = supportOf(reading, decision, model);
  const citations = decision.sentences.flatMap(
    index => citationOf(sentences[index]!, evidence) ?? [],
  );
  return support < least
    ? { kind: 'abstained', reason: INSUFFICIENT, support, withheld: { text, citations } }
    : { kind: 'answered', text, citations, support };
}

/** Loads the weights on first use: no other reader pays for them. */
const shippedModel = async (): Promise<OpenModel> =>
  (await import('../models/open-reader/shipped.ts')).shippedOpen().model;
