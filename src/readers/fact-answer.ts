/** Answers a question as `fact-reader` does, for readers that hand questions over. */

import { defined } from '../core/defined.ts';
import type { Call } from '../core/trace/call.ts';
import type { Answer, Citation, ContextText, Evidence, Question } from '../core/trace/trace.ts';
import { claimText } from '../language/english/question/claim-text.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import type { FactModel } from '../models/fact-reader/fact-checkpoint.ts';
import { metadataCatalogue } from '../planning/metadata/extractor.ts';
import type { Kit } from '../strategies/strategy.ts';
import { stated } from './confidence.ts';
import { dateAnswer } from './date-answer.ts';
import { type Decision, decide } from './fact-reader/decide.ts';
import { type Prepared, prepare } from './fact-reader/prepare.ts';
import { INSUFFICIENT } from './reader.ts';
import { citationOf } from './shown-passages.ts';

/** Chosen by cross-validation, which `npm run lab -- learn fact-reader multihop-rag` prints. */
export const FACT_SUPPORT = 0.25;

/** Reason of an abstention from yes or no: the reader shows the evidence and does not judge it. */
export const UNDECIDED = 'The evidence of each claim is shown; it does not decide yes or no.';

/** Question type of an abstention. */
const NULL_TYPE = 'null';

/** A question with all that its answer may rest on: what `Reader.read` is given. */
export interface Reading {
  readonly question: Question;
  readonly context: ContextText;
  readonly evidence: readonly Evidence[];
  readonly kit: Kit;
  readonly call: Call;
}

export interface FactReaderSettings {
  /** Least support of an answer. */
  readonly support: number;
  /** True if the words of the question count in its support. */
  readonly form: boolean;
}

/** Answers as `fact-reader` does. */
export async function readFactAnswer(
  { question, context, evidence, kit, call }: Reading,
  settings: FactReaderSettings,
): Promise<Answer> {
  if (evidence.length === 0)
    return { kind: 'abstained', reason: INSUFFICIENT, support: 0, questionType: NULL_TYPE };
  const catalogue = await metadataCatalogue(kit.engine, call);
  const prepared = await prepare(question.text, context, evidence, kit.engine, catalogue, call);
  const decision = decide(prepared, await shippedModel());
  const answer = answerOf(prepared, decision, evidence, settings);
  const draft = draftOf(prepared, decision, evidence);
  return draft ? { ...answer, ...(await stated('span', draft.share, draft.others)) } : answer;
}

/** Loads the weights on first use: no other reader pays for them. */
const shippedModel = async (): Promise<FactModel> =>
  (await import('../models/fact-reader/shipped.ts')).shippedFacts().model;

/** Returns the answer of a decision. */
export function answerOf(
  prepared: Prepared,
  decision: Decision,
  evidence: readonly Evidence[],
  { support: least, form }: FactReaderSettings,
): Exclude<Answer, { readonly kind: 'evidence' }> {
  const support = form ? decision.supportByForm : decision.support;
  const { type: questionType } = decision;
  const refused = (withheld?: Withheld): Abstention =>
    defined({
      kind: 'abstained',
      reason: INSUFFICIENT,
      support,
      withheld,
      questionType: NULL_TYPE,
    });
  if (prepared.form === 'verdict') {
    const sides = support < least ? [] : sidesOf(prepared, evidence);
    return sides.length === 0
      ? refused()
      : { kind: 'abstained', reason: UNDECIDED, sides, support, questionType };
  }
  const draft = draftOf(prepared, decision, evidence);
  if (!draft) return refused();
  const { text } = draft;
  const citations = citationsOf(draft.sentences, prepared, evidence);
  return support < least
    ? refused({ text, citations })
    : { kind: 'answered', text, citations, support, questionType };
}

type Abstention = Extract<Answer, { readonly kind: 'abstained' }>;
type Withheld = NonNullable<Abstention['withheld']>;

/**
 * Returns each clause as a claim, with the sentence that shares most with it; the whole question
 * for a single one, which may be a part of it: "older" of "older than B".
 */
function sidesOf(
  prepared: Prepared,
  evidence: readonly Evidence[],
): { readonly claim: string; readonly citations: readonly Citation[] }[] {
  const { facts, question } = prepared.reading;
  return facts.flatMap(({ text, best }) => {
    if (best === undefined) return [];
    const claim = claimText(facts.length === 1 ? question : text);
    return [{ claim, citations: citationsOf([best], prepared, evidence) }];
  });
}

/** Returns the draft of a decision; rules find dates, and yes and no have none. */
const draftOf = (
  prepared: Prepared,
  { draft }: Decision,
  evidence: readonly Evidence[],
): Decision['draft'] => (prepared.form === 'date' ? datedDraft(prepared, evidence) : draft);

/** Share of a date: the rules do not say how many others would do. */
const DATE_SHARE = 0.5;

function datedDraft(
  { reading: { question, sentences } }: Prepared,
  evidence: readonly Evidence[],
): Decision['draft'] {
  const support = sentenceSupport(
    question,
    sentences.map(({ text }) => text),
  );
  const date = dateAnswer(question, evidence, sentences, support);
  return date && { text: date.text, sentences: [date.sentence], share: DATE_SHARE, others: [] };
}

function citationsOf(
  sentences: readonly number[],
  { reading }: Prepared,
  evidence: readonly Evidence[],
): Citation[] {
  return sentences.flatMap(index => citationOf(reading.sentences[index]!, evidence) ?? []);
}
