/**
 * Decides the type of the question, whether the evidence contains an answer, and the answer with
 * its sentences.
 */
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import { bestOutput, probabilityOf, scoresOf } from '../../models/fact-reader/linear-model.ts';
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
  /** Undefined if there is no candidate. */
  readonly draft: Draft | undefined;
}

export interface Draft {
  readonly text: string;
  readonly sentences: readonly number[];
  /** True for a yes or no that the evidence alone would not give. */
  readonly byQuestion?: boolean;
}

const MAX_SENTENCES = 4;

/**
 * Decides by the fitted models. Drafts no answer for a question for a date: rules find dates.
 * Without `prior`, yes and no follow from features of the evidence alone.
 */
export function decide(prepared: Prepared, model: FactModel, prior: boolean = true): Decision {
  const { reading, form, type, answerable, byForm, verdict, claim, candidates, full } = prepared;
  const decided = {
    type: bestOutput(model.type, type, typeFits(form)),
    support: probabilityOf(model.answerable, answerable),
    supportByForm: probabilityOf(model.form, byForm),
  };
  if (form === 'verdict') {
    const sentences = factSentences(reading);
    const said = probabilityOf(model.claim, claim) >= 0.5;
    const yes = prior ? probabilityOf(model.verdict, verdict) >= 0.5 : said;
    const draft = { text: yes ? 'Yes' : 'No', sentences, byQuestion: yes !== said };
    return { ...decided, draft: sentences.length === 0 ? undefined : draft };
  }
  const best = form === 'entity' ? bestCandidate(candidates, model) : undefined;
  return {
    ...decided,
    draft: best && {
      text: full.get(best.name.text) ?? best.name.text,
      sentences: sentencesHolding(best, reading),
    },
  };
}

/**
 * Excludes types that contradict the form: a question for an entity or a date is not a comparison,
 * and a yes/no question is not an inference.
 */
const typeFits =
  (form: Prepared['form']) =>
  (type: string): boolean =>
    type !== (form === 'verdict' ? 'inference' : 'comparison');

function bestCandidate(candidates: readonly Candidate[], model: FactModel): Candidate | undefined {
  let best: { readonly candidate: Candidate; readonly score: number } | undefined;
  for (const candidate of candidates) {
    const score = scoresOf(model.entity, candidate.features)[0]!;
    if (
      !best ||
      score > best.score ||
      (score === best.score && candidate.name.text < best.candidate.name.text)
    )
      best = { candidate, score };
  }
  return best?.candidate;
}

/** Returns the distinct sentences that are paired with the clauses, in order. */
export function factSentences({ facts }: FactReading): number[] {
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
