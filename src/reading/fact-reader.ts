/**
 * `fact-reader`: answers by one of yes, no, an entity or a date, or abstains, from sentences and
 * four small linear models, without a language model.
 *
 * The type follows from the question's words with all topics masked; an abstention from names in
 * the question that corpus and evidence lack; a verdict from the question's form and its paired
 * facts; an entity from the names in the evidence that the question does not contain. See
 * docs/papers/fact-lanes.md.
 */
import type { FactModel } from '../models/fact-reader/fact-checkpoint.ts';
import { type Member, member } from '../naming/family.ts';
import { metadataCatalogue } from '../planning/metadata/extractor.ts';
import type { Kit } from '../strategies/strategy.ts';
import { sentenceSupport } from '../text/sentence-support.ts';
import type { Call } from '../trace/call.ts';
import type { Answer, Citation, ContextText, Evidence, Question } from '../trace/trace.ts';
import { dateAnswer } from './date-answer.ts';
import { type Decision, decide } from './fact-reader/decide.ts';
import { type Prepared, prepare } from './fact-reader/prepare.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { citationOf } from './shown-passages.ts';

/** Chosen by cross-validation, which `multihop learn fact-reader multihop-rag` prints. */
export const FACT_SUPPORT = 0.8;

/** Question type of an abstention. */
const NULL_TYPE = 'null';

export const factReader: Member<Reader> = member({
  name: 'fact-reader',
  summary:
    'Yes, no, an entity or a date by small fitted models over the shown sentences; abstains if its clauses lack support',
  paper: 'ours; weights fitted on half of MultiHop-RAG',
  cost: 'no model',
  parameters: [
    {
      name: 'support',
      type: 'number',
      default: FACT_SUPPORT,
      min: 0,
      max: 1.01,
      summary:
        'abstain below this probability that the evidence holds an answer (0: always answer)',
    },
    {
      name: 'form',
      type: 'flag',
      default: false,
      summary:
        'use the words of the question for this probability too: null questions of MultiHop-RAG have a form of their own, others may not',
    },
    {
      name: 'prior',
      type: 'text',
      default: 'on',
      choices: ['on', 'off'],
      summary:
        'off: yes or no by features of the evidence alone, without the weights of the question and of how often each is right',
    },
  ],
  create: (settings, name) => ({
    name,
    read: (question, context, evidence, kit, call) =>
      readFactAnswer({ question, context, evidence, kit, call }, settings),
  }),
});

/** A question with all that its answer may rest on: what `Reader.read` is given. */
export interface Reading {
  readonly question: Question;
  readonly context: ContextText;
  readonly evidence: readonly Evidence[];
  readonly kit: Kit;
  readonly call: Call;
}

export interface FactReaderSettings {
  readonly support: number;
  readonly form: boolean;
  readonly prior: string;
}

/** Answers as `fact-reader` does. */
export async function readFactAnswer(
  { question, context, evidence, kit, call }: Reading,
  { support: threshold, form, prior }: FactReaderSettings,
): Promise<Answer> {
  if (evidence.length === 0)
    return { kind: 'abstained', reason: INSUFFICIENT, support: 0, questionType: NULL_TYPE };
  const catalogue = await metadataCatalogue(kit.engine, call);
  const prepared = await prepare(question.text, context, evidence, kit.engine, catalogue, call);
  const decision = decide(prepared, await shippedModel(), prior === 'on');
  return answerOf(prepared, decision, evidence, { threshold, form });
}

/** Loads the weights on first use: no other reader pays for them. */
const shippedModel = async (): Promise<FactModel> =>
  (await import('../models/fact-reader/shipped.ts')).shippedFacts().model;

export interface AbstentionRule {
  readonly threshold: number;
  /** True if the words of the question count. */
  readonly form: boolean;
}

/** Returns the answer of a decision. */
export function answerOf(
  prepared: Prepared,
  decision: Decision,
  evidence: readonly Evidence[],
  { threshold, form }: AbstentionRule,
): Answer {
  const support = form ? decision.supportByForm : decision.support;
  const draft = prepared.form === 'date' ? datedDraft(prepared, evidence) : decision.draft;
  if (!draft) return { kind: 'abstained', reason: INSUFFICIENT, support, questionType: NULL_TYPE };
  const answer = { text: draft.text, citations: citationsOf(draft.sentences, prepared, evidence) };
  return support < threshold
    ? {
        kind: 'abstained',
        reason: INSUFFICIENT,
        support,
        withheld: answer,
        questionType: NULL_TYPE,
      }
    : { kind: 'answered', ...answer, support, questionType: decision.type };
}

function datedDraft(
  { reading: { question, sentences } }: Prepared,
  evidence: readonly Evidence[],
): Decision['draft'] {
  const support = sentenceSupport(
    question,
    sentences.map(({ text }) => text),
  );
  const date = dateAnswer(question, evidence, sentences, support);
  return date && { text: date.text, sentences: [date.sentence] };
}

function citationsOf(
  sentences: readonly number[],
  { reading }: Prepared,
  evidence: readonly Evidence[],
): Citation[] {
  return sentences.flatMap(index => citationOf(reading.sentences[index]!, evidence) ?? []);
}
