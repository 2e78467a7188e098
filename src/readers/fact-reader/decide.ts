/**
 * Decides the type of the question, whether the evidence contains an answer, and the answer with
 * its sentences.
 */
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import { bestOutput, probabilityOf, scoresOf } from '../../models/fact-reader/linear-model.ts';
import type { Shared } from '../confidence.ts';
import type { Candidate } from './entity-features.ts';
import type { Prepared } from './prepare.ts';
import type { FactReading } from './reading.ts';

export interface Decision {
  /** Question type, from the question alone. */
  readonly type: string;
  /**
   * Probability that the evidence contains an answer: by the evidence alone, and also by the words
   * of the question.
   */
  readonly support: number;
  readonly supportByForm: number;
  /** Undefined for a question that asks for no entity, and without a candidate. */
  readonly draft: Draft | undefined;
}

export interface Draft {
  readonly text: string;
  readonly sentences: readonly number[];
  /** Share among the candidates, from 0 to 1. */
  readonly share: number;
  /** The next candidates, best first. */
  readonly others: readonly Shared[];
}

const MAX_SENTENCES = 4;
/** Candidates that are listed beside the best. */
const OTHERS = 3;

/** Decides by the fitted models. */
export function decide(prepared: Prepared, model: FactModel): Decision {
  const { form, type, answerable, byForm } = prepared;
  return {
    type: bestOutput(model.type, type, typeFits(form)),
    support: probabilityOf(model.answerable, answerable),
    supportByForm: probabilityOf(model.form, byForm),
    draft: form === 'entity' ? entityDraft(prepared, model) : undefined,
  };
}

function entityDraft({ candidates, reading, full }: Prepared, model: FactModel): Draft | undefined {
  const [best, ...others] = rankedCandidates(candidates, model);
  const fullText = ({ name }: Candidate): string => full.get(name.text) ?? name.text;
  return (
    best && {
      text: fullText(best.candidate),
      sentences: sentencesHolding(best.candidate, reading),
      share: best.share,
      others: others
        .slice(0, OTHERS)
        .map(({ candidate, share }) => ({ text: fullText(candidate), share })),
    }
  );
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
function rankedCandidates(
  candidates: readonly Candidate[],
  model: FactModel,
): { readonly candidate: Candidate; readonly share: number }[] {
  const scored = candidates
    .map(candidate => ({ candidate, score: scoresOf(model.entity, candidate.features)[0]! }))
    .sort((a, b) => b.score - a.score || (a.candidate.name.text < b.candidate.name.text ? -1 : 1));
  const most = scored[0]?.score ?? 0;
  const sum = scored.reduce((all, { score }) => all + Math.exp(score - most), 0);
  return scored.map(({ candidate, score }) => ({
    candidate,
    share: Math.exp(score - most) / sum,
  }));
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
