/**
 * `fact-reader`: exactly one of yes, no, an entity, a date, or an abstention, from sentences and
 * four small linear models; no language model.
 *
 * The type comes from the question's words with all topics masked; an abstention from what the
 * question names that the corpus and the evidence do not hold; a verdict from the question's form
 * and its paired facts; an entity from the names of the evidence that the question does not have.
 */
import type { FactModel } from '../models/fact-reader/fact-checkpoint.ts';
import { type Member, member } from '../naming/family.ts';
import { metadataCatalogue } from '../planning/metadata/extractor.ts';
import { sentenceSupport } from '../text/sentence-support.ts';
import type { Answer, Citation, Evidence } from '../trace/trace.ts';
import { dateAnswer } from './date-answer.ts';
import { type Decision, decide } from './fact-reader/decide.ts';
import { type Prepared, prepare } from './fact-reader/prepare.ts';
import { INSUFFICIENT, type Reader } from './reader.ts';
import { citationOf } from './shown-passages.ts';

/** `multihop learn fact-reader multihop-rag` prints how it is chosen. */
export const FACT_SUPPORT = 0.8;

/** What the reader takes a question for that the evidence does not answer. */
const NULL_TYPE = 'null';

export const factReader: Member<Reader> = member({
  name: 'fact-reader',
  summary:
    'Yes, no, an entity or a date by small fitted models over the shown sentences; abstains where its clauses lack support',
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
        'let the words of the question count in it too: null questions of MultiHop-RAG have a form of their own, others need not',
    },
  ],
  create(settings, name) {
    const refusing: Refusing = {
      threshold: settings.support,
      form: settings.form,
    };
    return {
      name,
      async read(question, context, evidence, kit, call) {
        if (evidence.length === 0)
          return { kind: 'abstained', reason: INSUFFICIENT, support: 0, questionType: NULL_TYPE };
        const catalogue = await metadataCatalogue(kit.engine, call);
        const prepared = await prepare(
          question.text,
          context,
          evidence,
          kit.engine,
          catalogue,
          call,
        );
        return answerOf(prepared, decide(prepared, await shippedModel()), evidence, refusing);
      },
    };
  },
});

/** Loaded when first used: no other reader pays for it. */
const shippedModel = async (): Promise<FactModel> =>
  (await import('../models/fact-reader/shipped.ts')).shippedFacts().model;

export interface Refusing {
  readonly threshold: number;
  /** Whether the words of the question count. */
  readonly form: boolean;
}

/** The answer that a decision comes to. */
export function answerOf(
  prepared: Prepared,
  decision: Decision,
  evidence: readonly Evidence[],
  { threshold, form }: Refusing,
): Answer {
  const support = form ? decision.supportByForm : decision.support;
  const found = prepared.form === 'date' ? datedDraft(prepared, evidence) : decision.draft;
  if (!found) return { kind: 'abstained', reason: INSUFFICIENT, support, questionType: NULL_TYPE };
  const answer = { text: found.text, citations: citationsOf(found.sentences, prepared, evidence) };
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
