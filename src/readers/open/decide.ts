/** Decides the answer of an open question: a compared thing, yes or no, or a span. */

import { normHotpot } from '../../core/text/normalise.ts';
import { scoresOf, sigmoid, softmax } from '../../models/linear-model.ts';
import type { OpenModel } from '../../models/open-reader/open-checkpoint.ts';
import { spanScore } from '../../models/open-reader/span-network.ts';
import type { Draft } from '../draft.ts';
import { endsOfChains, subjectsOfVerb } from './answering-spans.ts';
import { type Choice, choiceOf } from './choices.ts';
import type { OpenReading } from './reading.ts';
import { type SpanCandidate, spanCandidates } from './span-features.ts';
import { type Verdict, verdictOf } from './verdicts.ts';

export interface OpenDecision extends Draft {
  /** 1 if its type is one that is asked for, -1 if it is another, 0 if unknown. */
  readonly match: number;
}

/** The candidates of a question, of its form. */
export interface OpenCandidates {
  readonly choice: Choice | undefined;
  readonly verdict: Verdict | undefined;
  readonly spans: readonly SpanCandidate[];
}

export function candidatesOf(reading: OpenReading): OpenCandidates {
  const choice = choiceOf(reading);
  if (choice) return { choice, verdict: undefined, spans: [] };
  const verdict = verdictOf(reading);
  if (verdict) return { choice: undefined, verdict, spans: [] };
  return {
    choice: undefined,
    verdict: undefined,
    spans: endsOfChains(reading, subjectsOfVerb(reading, spanCandidates(reading))),
  };
}

const MAX_SENTENCES = 4;
/** Spans that are listed beside the best. */
const OTHERS = 3;

/** The models that draft answers. */
export type AnswerModel = Omit<OpenModel, 'answerable'>;

/** Candidates whose spans are scored apart. */
export interface ScoredCandidates extends Omit<OpenCandidates, 'spans'> {
  readonly spans: readonly Pick<SpanCandidate, 'text' | 'sentence' | 'match'>[];
}

/** Returns the decision; undefined if nothing in the evidence supports any answer. */
export const decideOpen = (
  candidates: OpenCandidates,
  model: AnswerModel,
): OpenDecision | undefined =>
  decideScored(
    candidates,
    model,
    candidates.spans.map(({ features }) => spanScore(model.span, features)),
  );

/** Decides as `decideOpen` does, by one score for each span. */
export function decideScored(
  { choice, verdict, spans }: ScoredCandidates,
  model: AnswerModel,
  scores: readonly number[],
): OpenDecision | undefined {
  if (choice) return decideChoice(choice, model);
  return verdict ? decideVerdict(verdict, model) : decideSpan(spans, scores);
}

function decideVerdict(
  { features, sentences, stated }: Verdict,
  model: AnswerModel,
): OpenDecision | undefined {
  if (features.size === 0 && stated === undefined) return undefined;
  const yes =
    stated === undefined ? sigmoid(scoresOf(model.verdict, features)[0]!) : Number(stated);
  return {
    form: 'verdict',
    text: yes >= 0.5 ? 'yes' : 'no',
    sentences: sentences.slice(0, MAX_SENTENCES),
    share: Math.max(yes, 1 - yes),
    others: [],
    match: 0,
  };
}

function decideChoice(
  { options, sentences }: Choice,
  model: AnswerModel,
): OpenDecision | undefined {
  if (options.every(({ features }) => features.size === 0)) return undefined;
  const scores = options.map(({ features }) => scoresOf(model.choice, features)[0]!);
  const shares = softmax(scores);
  const best = shares.indexOf(Math.max(...shares));
  return {
    form: 'choice',
    text: options[best]!.text,
    sentences: [...new Set([...options[best]!.sentences, ...sentences])].slice(0, MAX_SENTENCES),
    share: shares[best]!,
    others: options
      .map(({ text }, index) => ({ text, share: shares[index]! }))
      .filter((_, index) => index !== best)
      .sort((a, b) => b.share - a.share),
    match: 0,
  };
}

/** Returns the span with the greatest share, where equal texts count together. */
function decideSpan(
  spans: ScoredCandidates['spans'],
  scores: readonly number[],
): OpenDecision | undefined {
  const shares = softmax(scores);
  const totals = new Map<
    string,
    { share: number; best: number; top: number; sentences: number[] }
  >();
  for (const [index, { text, sentence }] of spans.entries()) {
    const key = normHotpot(text);
    if (key === '') continue;
    const total = totals.get(key) ?? { share: 0, best: index, top: 0, sentences: [] };
    total.share += shares[index]!;
    if (shares[index]! > total.top) {
      total.top = shares[index]!;
      total.best = index;
      total.sentences = [sentence, ...total.sentences.filter(each => each !== sentence)];
    } else if (!total.sentences.includes(sentence)) total.sentences.push(sentence);
    totals.set(key, total);
  }
  const [best, ...others] = [...totals.values()].sort(
    (a, b) => b.share - a.share || a.best - b.best,
  );
  return (
    best && {
      form: 'span',
      text: spans[best.best]!.text,
      sentences: best.sentences.slice(0, 2),
      share: Math.min(1, best.share),
      others: others
        .slice(0, OTHERS)
        .map(other => ({ text: spans[other.best]!.text, share: other.share })),
      match: spans[best.best]!.match,
    }
  );
}
