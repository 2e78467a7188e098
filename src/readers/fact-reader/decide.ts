/**
 * Decides the type of the question, whether the evidence contains an answer, and the answer with
 * its sentences.
 */
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import { bestOutput, probabilityOf, scoresOf, softmax } from '../../models/linear-model.ts';
import type { Draft, Shared } from '../draft.ts';
import type { Candidate } from './entity-features.ts';
import type { Prepared } from './prepare.ts';
import type { FactReading } from './reading.ts';

/** Chosen by cross-validation, which `npm run lab -- learn fact-reader multihop-rag` prints. */
export const FACT_SUPPORT = 0.25;

export interface Decision {
  /** Question type, from the question alone. */
  readonly type: string;
  /**
   * Probability that the evidence contains an answer: by the evidence alone, and also by the words
   * of the question.
   */
  readonly support: number;
  readonly supportByForm: number;
  /** Undefined for a question for yes or no, and without a candidate. */
  readonly draft: Draft | undefined;
}

const MAX_SENTENCES = 4;
/** Candidates that are listed beside the best. */
const OTHERS = 3;
/** Share of a date: the rules that find it do not say how many others would do. */
const DATE_SHARE = 0.5;

/** Decides by the fitted models. */
export function decide(prepared: Prepared, model: FactModel): Decision {
  const { form, type, answerable, byForm, date } = prepared;
  return {
    type: bestOutput(model.type, type, typeFits(form)),
    support: probabilityOf(model.answerable, answerable),
    supportByForm: probabilityOf(model.form, byForm),
    draft:
      form === 'entity'
        ? entityDraft(prepared, model)
        : date && {
            form: 'span',
            text: date.text,
            sentences: [date.sentence],
            share: DATE_SHARE,
            others: [],
          },
  };
}

function entityDraft(
  { candidates, reading, fullName }: Prepared,
  model: FactModel,
): Draft | undefined {
  const [best, ...others] = rankedCandidates(candidates, model);
  const shared = ({ candidate, share }: Ranked): Shared => ({ text: fullName(candidate), share });
  return (
    best && {
      form: 'span',
      ...shared(best),
      sentences: sentencesHolding(best.candidate, reading),
      others: others.slice(0, OTHERS).map(shared),
    }
  );
}

interface Ranked {
  readonly candidate: Candidate;
  readonly share: number;
}

/**
 * Excludes types that contradict the form: a question for an entity or a date is not a comparison,
 * and a yes/no question is not an inference.
 */
const typeFits =
  (form: Prepared['form']) =>
  (type: string): boolean =>
    type !== (form === 'verdict' ? 'inference' : 'comparison');

/** Returns the candidates by falling score, equal ones by name, each with its share (softmax). */
function rankedCandidates(candidates: readonly Candidate[], model: FactModel): Ranked[] {
  const scored = candidates
    .map(candidate => ({ candidate, score: scoresOf(model.entity, candidate.features)[0]! }))
    .sort((a, b) => b.score - a.score || (a.candidate.name.text < b.candidate.name.text ? -1 : 1));
  const shares = softmax(scored.map(({ score }) => score));
  return scored.map(({ candidate }, at) => ({ candidate, share: shares[at]! }));
}

/** Returns the distinct sentences that are paired with the clauses, in order. */
function factSentences({ facts }: FactReading): number[] {
  return [...new Set(facts.flatMap(({ best }) => (best === undefined ? [] : [best])))].slice(
    0,
    MAX_SENTENCES,
  );
}

/**
 * Returns, for each clause, the sentence with the name that shares most with it; for a name that
 * occurs in titles only, the paired facts.
 */
function sentencesHolding({ name }: Candidate, reading: FactReading): number[] {
  const holding = [
    ...new Set(name.mentions.flatMap(({ sentence }) => (sentence === undefined ? [] : [sentence]))),
  ];
  if (holding.length === 0) return factSentences(reading);
  const best = reading.facts.map(({ shares }) =>
    holding.reduce((most, index) => (shares[index]! > shares[most]! ? index : most)),
  );
  return [...new Set(best.length === 0 ? holding : best)].slice(0, MAX_SENTENCES);
}
