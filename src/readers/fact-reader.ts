/**
 * `fact-reader`: answers by an entity or a date, or abstains, from sentences and four small linear
 * models, without a language model.
 *
 * The type follows from the question's words with all topics masked; an abstention from clauses
 * of the question that the evidence does not support; an entity from the names in the evidence
 * that the question does not contain. A question for yes or no gets the evidence of each claim,
 * undecided: no reading of the evidence was found to beat a classifier that reads the question
 * alone. See docs/papers/fact-lanes.md.
 */
import { type Member, member } from '../core/naming/family.ts';
import type { Answer, Evidence } from '../core/trace/trace.ts';
import { claimText } from '../language/english/question/claim-text.ts';
import { metadataCatalogue } from '../planning/metadata/extractor.ts';
import {
  type Abstained,
  type Answered,
  cited,
  NULL_TYPE,
  supported,
  withProbability,
} from './draft.ts';
import { type Decision, decide, FACT_SUPPORT } from './fact-reader/decide.ts';
import { type Prepared, prepare } from './fact-reader/prepare.ts';
import { INSUFFICIENT, type Reader, type Reading, readerOf } from './reader.ts';

export const factReader: Member<Reader> = member({
  name: 'fact-reader',
  summary:
    'An entity or a date by small fitted models over the shown sentences; abstains if its clauses lack support; shows the evidence of each claim of a question for yes or no, undecided',
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
  ],
  create: (settings, name) => readerOf(name, reading => readFacts(reading, settings)),
});

/** Reason of an abstention from yes or no: the reader shows the evidence and does not judge it. */
export const UNDECIDED = 'The evidence of each claim is shown; it does not decide yes or no.';

export interface FactReaderSettings {
  /** Least support of an answer. */
  readonly support: number;
  /** True if the words of the question count in its support. */
  readonly form: boolean;
}

async function readFacts(reading: Reading, settings: FactReaderSettings): Promise<Answer> {
  const catalogue = await metadataCatalogue(reading.kit.engine, reading.call);
  const prepared = await prepare(reading, catalogue);
  // Loaded on first use: no other reader pays for the weights.
  const { shippedFacts } = await import('../models/fact-reader/shipped.ts');
  const decision = decide(prepared, shippedFacts().model);
  const answer = answerOf(prepared, decision, reading.evidence, settings);
  return decision.draft ? withProbability(answer, decision.draft) : answer;
}

/** Returns the answer of a decision. */
export function answerOf(
  prepared: Prepared,
  { draft, type, support: byEvidence, supportByForm }: Decision,
  evidence: readonly Evidence[],
  { support: least, form }: FactReaderSettings,
): Answered {
  const support = form ? supportByForm : byEvidence;
  if (draft) {
    const citations = cited(draft.sentences, prepared.reading.sentences, evidence);
    return supported({ text: draft.text, citations }, support, least, type);
  }
  const sides = prepared.form === 'verdict' && support >= least ? sidesOf(prepared, evidence) : [];
  return sides.length === 0
    ? { kind: 'abstained', reason: INSUFFICIENT, support, questionType: NULL_TYPE }
    : { kind: 'abstained', reason: UNDECIDED, sides, support, questionType: type };
}

/**
 * Returns each clause as a claim, with the sentence that shares most with it; the whole question
 * for a single one, which may be a part of it: "older" of "older than B".
 */
function sidesOf(
  { reading: { facts, asked, sentences } }: Prepared,
  evidence: readonly Evidence[],
): NonNullable<Abstained['sides']> {
  return facts.flatMap(({ text, best }) => {
    if (best === undefined) return [];
    const claim = claimText(facts.length === 1 ? asked.text : text);
    return [{ claim, citations: cited([best], sentences, evidence) }];
  });
}
