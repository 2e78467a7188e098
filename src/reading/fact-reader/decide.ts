/**
 * The decisions: type, whether the evidence holds an answer, and the answer with the sentences that
 * it rests on.
 */
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import { bestOutput, probabilityOf, scoresOf } from '../../models/fact-reader/linear-model.ts';
import type { Candidate } from './entity-features.ts';
import type { Prepared } from './prepare.ts';
import type { FactReading } from './reading.ts';

export interface Decision {
  /** From the question alone. */
  readonly type: string;
  /**
   * The probability that the evidence holds an answer: by the evidence alone, and by the words of
   * the question too.
   */
  readonly support: number;
  readonly supportByForm: number;
  /** Undefined where there is nothing to answer with. */
  readonly draft: { readonly text: string; readonly sentences: readonly number[] } | undefined;
}

const SENTENCES_AT_MOST = 4;

/** A question for a date has no draft here: dates are found by rules. */
export function decide(prepared: Prepared, model: FactModel): Decision {
  const { reading, form, type, answerable, byForm, verdict, candidates, full } = prepared;
  const decided = {
    type: bestOutput(model.type, type, fitting(form)),
    support: probabilityOf(model.answerable, answerable),
    supportByForm: probabilityOf(model.form, byForm),
  };
  if (form === 'verdict') {
    const sentences = factSentences(reading);
    const text = probabilityOf(model.verdict, verdict) >= 0.5 ? 'Yes' : 'No';
    return { ...decided, draft: sentences.length === 0 ? undefined : { text, sentences } };
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
 * A question for an entity or a date compares nothing that yes or no could answer, and one for yes
 * or no is none for an entity.
 */
const fitting =
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

/** The paired fact of each clause, the first one where clauses share it. */
export function factSentences({ facts }: FactReading): number[] {
  return [...new Set(facts.flatMap(({ best }) => (best === undefined ? [] : [best])))].slice(
    0,
    SENTENCES_AT_MOST,
  );
}

/**
 * Of the sentences that hold the name, for each clause the one that says most of it; the paired
 * facts for a name that stands in titles alone.
 */
function sentencesHolding({ name }: Candidate, reading: FactReading): number[] {
  const holding = [
    ...new Set(name.mentions.flatMap(({ sentence }) => (sentence === undefined ? [] : [sentence]))),
  ];
  if (holding.length === 0) return factSentences(reading);
  const best = reading.facts.map(({ shares }) =>
    holding.reduce((most, index) => (shares[index]! > shares[most]! ? index : most)),
  );
  return [...new Set(best.length === 0 ? holding : best)].slice(0, SENTENCES_AT_MOST);
}
