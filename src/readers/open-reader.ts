/**
 * `open-reader`: answers open questions by names, dates, numbers, short phrases, one of several
 * named things, or yes and no, without a language model.
 *
 * Comparisons are computed over values that relations read from the sentences (born, died,
 * released, directed by, ...); spans are ranked by fitted features of the evidence: the kind of
 * answer, the distance along the chain of passages, stated relations, and agreement of sentences.
 */
import { analysisOf } from '../core/corpus/analysis-cache.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { Answer } from '../core/trace/trace.ts';
import { saidOver } from '../language/said.ts';
import { readQuestion } from '../planning/metadata/extractor.ts';
import { abstained, cited, supported, withProbability } from './draft.ts';
import { supportOf } from './open/answerable.ts';
import { candidatesOf, decideOpen, type OpenDecision } from './open/decide.ts';
import { readOpen } from './open/passages.ts';
import { type Reader, type Reading, readerOf } from './reader.ts';
import { shownSentences } from './shown-sentences.ts';

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
      default: 1,
      min: 0,
      max: 100,
      summary:
        'times the threshold of its weights: abstain below that probability that the evidence holds the answer (0: never)',
    },
  ],
  create: ({ support }, name) => readerOf(name, reading => readOpenAnswer(reading, support)),
});

/** Answers as `open-reader(support=TIMES)` does. */
export async function readOpenAnswer(
  { question, context, evidence, kit, call }: Reading,
  times: number,
): Promise<Answer> {
  const sentences = await shownSentences(context, kit.engine, call);
  const titles = context.parts.map(part => evidence.find(({ id }) => id === part.id)?.title ?? '');
  const asked = await readQuestion(question.text, kit.engine, call);
  const reading = readOpen(asked, titles, sentences, saidOver(analysisOf(kit.engine)));
  // Loaded on first use: no other reader pays for the weights.
  const { shippedOpen } = await import('../models/open-reader/shipped.ts');
  const { model, support: least } = shippedOpen();
  const decision = decideOpen(candidatesOf(reading), model);
  if (!decision) return abstained();
  const support = supportOf(reading, decision, model);
  const citations = cited(decision.sentences, sentences, evidence);
  const answer = supported({ text: decision.text, citations }, support, times * least);
  return withProbability(answer, { ...decision, share: comparedShare(decision) });
}

/** Spans of which a share says something: fewer are no comparison. */
const COMPARED = 3;
const UNKNOWN = 0.5;

/** Returns the share of the answer among the candidates, where there are enough of them. */
const comparedShare = ({ form, share, others }: OpenDecision): number =>
  form === 'span' && others.length + 1 < COMPARED ? Math.min(UNKNOWN, share) : share;
