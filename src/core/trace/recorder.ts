/**
 * Leaves out of a trace's events what nothing reads from a file: most hits, and candidates that
 * were not kept.
 *
 * - A search for passages keeps its hits, because measures rank passages; the first search of a
 *   trace keeps its best hit, whose score refuses null questions. Of other hits their number and a
 *   hash remain: `found` and `hash`.
 * - A rejection of a passage that such a search found stays; others are counted by reason:
 *   `refused`.
 * - A withdrawal keeps its reason without the detail.
 * - A reason of a hop that lists texts of its searches is left out.
 *
 * Evidence, order, rankings, context, answer and cost are untouched.
 */
import { defined } from '../defined.ts';
import type { Ranking, Unit } from '../ranking/ranking.ts';
import type { Hash } from './hash.ts';
import type { Hop, Rejection, Search, TraceEvent, Withdrawal } from './trace.ts';

/** Hexadecimal digits of a hash of hits: it tells runs apart and proves nothing by itself. */
const HASH_DIGITS = 8;

/** Records the events of traces, one after another in their order; what is recorded stays so. */
export class TraceRecorder {
  private readonly hash: Hash;
  /** Units of the searches so far, by hop. */
  private units: Unit[][] = [];

  constructor(hash: Hash) {
    this.hash = hash;
  }

  recorded(event: TraceEvent): TraceEvent {
    if (event.type === 'question') this.units = [];
    return event.type === 'hop' ? { ...event, hop: this.hop(event.hop) } : event;
  }

  private hop(hop: Hop): Hop {
    const first = this.units.length === 0;
    this.units.push(hop.searches.map(({ unit }) => unit));
    const { rejected, withdrawn, reason, ...rest } = hop;
    const counted = rejected.filter(rejection => !this.isOfPassage(rejection));
    return defined({
      reason: reason === undefined || listsTexts(reason, hop.searches) ? undefined : reason,
      ...rest,
      rejected: rejected.filter(rejection => this.isOfPassage(rejection)),
      searches: hop.searches.map((search, at) => this.search(search, first && at === 0)),
      withdrawn: withdrawn ? withdrawn.map(withoutDetail) : undefined,
      refused: counted.length > 0 ? countsOf(counted) : hop.refused,
    });
  }

  private isOfPassage({ search }: Rejection): boolean {
    return this.units[search.hop]?.[search.search] === 'passage';
  }

  private search(search: Search, first: boolean): Search {
    const { unit, hits, found } = search;
    const kept = hits.slice(0, Number(first));
    if (unit === 'passage' || found !== undefined || kept.length === hits.length) return search;
    return { ...search, hits: kept, found: hits.length, hash: this.hashOf(hits) };
  }

  private hashOf(hits: Ranking): string {
    return this.hash(JSON.stringify(hits)).slice(0, HASH_DIGITS);
  }
}

/** Returns true if every part of a reason is the text of a search. */
function listsTexts(reason: string, searches: readonly Search[]): boolean {
  const texts = new Set(searches.map(({ text }) => text));
  return reason.split('; ').every(part => texts.has(part));
}

const withoutDetail = ({ id, why }: Withdrawal): Withdrawal => ({ id, why });

function countsOf(rejected: readonly Rejection[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { why } of rejected) counts.set(why, (counts.get(why) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Returns the number of hits of a search, also of those that a recorded trace leaves out. */
export const hitCount = ({ found, hits }: Search): number => found ?? hits.length;

/** Returns the number of candidates that a hop did not keep for this reason. */
export function refusalCount({ rejected, refused }: Hop, reason: string): number {
  const counted = refused && Object.hasOwn(refused, reason) ? refused[reason]! : 0;
  return counted + rejected.filter(({ why }) => why === reason).length;
}
