/**
 * Accounts for one question hop by hop: which hop found, kept or dropped which gold evidence, what
 * the answer rests on, and what each hop cost.
 */
import { defined } from '../core/defined.ts';
import { foldWhitespaceAndPunctuation, isBlank } from '../core/text/normalise.ts';
import { citationsOfAnswer } from '../core/trace/answer-citations.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Usage } from '../core/trace/usage.ts';
import type { Example, Gold, Records } from './example.ts';
import { fatesOf, type GoldFate } from './question-records.ts';

/** `rank` is missing where the trace leaves out the hits. */
interface Found {
  readonly hop: number;
  readonly rank?: number;
  readonly query?: string;
}

/** One piece of gold evidence; hops count from 1. */
export interface GoldAccount {
  readonly documentId: string;
  readonly fact?: string;
  readonly fate: GoldFate;
  /** The first hop that found it, its rank there, and the query. */
  readonly found?: Found;
  /** The last hop that dropped it after it was kept. */
  readonly withdrawn?: number;
}

export interface HopCost {
  readonly searches: number;
  /** Pieces of gold evidence that this hop found first. */
  readonly gold: number;
  readonly spent: Usage;
  /** Missing where the trace has no times. */
  readonly ms?: number;
}

export interface QuestionAccount {
  readonly question: string;
  readonly text: string;
  readonly gold: readonly GoldAccount[];
  readonly answer: Trace['answer']['kind'];
  readonly answerText: string;
  /** Documents whose words the answer cites or repeats, with the hop that found them. */
  readonly restsOn: readonly { readonly documentId: string; readonly hop?: number }[];
  readonly hops: readonly HopCost[];
  readonly spent: Usage;
  readonly ms: number;
}

/** `ends`: milliseconds from the beginning to the end of each hop, where they are known. */
export function accountOf(
  example: Example,
  trace: Trace,
  records: Records,
  ends: readonly number[] = [],
): QuestionAccount {
  const fates = fatesOf(example, trace, records);
  const gold = example.gold.map((piece, index) => goldAccount(piece, fates[index]!, trace));
  const { answer, hops, spent, ms } = trace;
  const cited = [...new Set(citationsOfAnswer(answer).map(({ documentId }) => documentId))];
  return {
    question: example.id,
    text: example.question.text,
    gold,
    answer: answer.kind,
    answerText: answer.kind === 'abstained' ? answer.reason : answer.text,
    restsOn: cited.map(documentId =>
      defined<QuestionAccount['restsOn'][number]>({
        documentId,
        hop: placeOf(trace, hit => hit.documentId === documentId)?.hop,
      }),
    ),
    hops: hops.map((hop, index) =>
      defined<HopCost>({
        searches: hop.searches.length,
        gold: gold.filter(({ found }) => found?.hop === index + 1).length,
        spent: hop.spent,
        ms: ends.length > 0 && ms > 0 ? (ends[index] ?? 0) - (ends[index - 1] ?? 0) : undefined,
      }),
    ),
    spent,
    ms,
  };
}

function goldAccount({ documentId, fact }: Gold, fate: GoldFate, trace: Trace): GoldAccount {
  // The same words may stand in another document, whose hit is as good.
  const holding = partWith(fact, trace);
  const found =
    placeOf(trace, hit => hit.id === holding) ??
    placeOf(trace, hit => hit.documentId === documentId);
  const ids = new Set(
    trace.hops.flatMap(({ kept }) =>
      kept.filter(item => item.documentId === documentId).map(({ id }) => id),
    ),
  );
  const withdrawn = trace.hops.findLastIndex(hop => hop.withdrawn?.some(({ id }) => ids.has(id)));
  return defined<GoldAccount>({
    documentId,
    fact,
    fate,
    found,
    withdrawn: withdrawn < 0 || fate.is === 'reached' ? undefined : withdrawn + 1,
  });
}

/** Returns the id of the evidence whose words in the context hold a fact. */
function partWith(fact: string | undefined, { context }: Trace): string | undefined {
  const folded = foldWhitespaceAndPunctuation(fact ?? '');
  if (isBlank(folded)) return undefined;
  const holds = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    foldWhitespaceAndPunctuation(context.text.slice(start, end)).includes(folded);
  return context.parts.find(holds)?.id;
}

/** A compact trace leaves hits out: then the hop that kept the item is the one that found it. */
function placeOf(
  { hops }: Trace,
  is: (hit: { readonly id: string; readonly documentId: string }) => boolean,
): GoldAccount['found'] {
  for (const [hop, { searches, kept }] of hops.entries()) {
    for (const { hits, text } of searches) {
      const at = hits.findIndex(is);
      if (at >= 0) return defined<Found>({ hop: hop + 1, rank: at + 1, query: text });
    }
    if (kept.some(is)) return { hop: hop + 1 };
  }
  return undefined;
}
