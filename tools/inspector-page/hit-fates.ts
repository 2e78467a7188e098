/** Finds what became of every hit of a run: kept, withdrawn, rejected, or passed over, and why. */
import { keptInOrder } from '../../src/core/trace/evidence-order.ts';
import { hitCount } from '../../src/core/trace/recorder.ts';
import type { Citation, Rejection, SearchRef, Withdrawal } from '../../src/core/trace/trace.ts';
import type { RunRecord } from './run-record.ts';

/** One thing that a hop did with a hit; `hop` is its index. */
export type Fate =
  | {
      readonly is: 'kept';
      readonly hop: number;
      readonly score: number;
      /** The search that it was kept of, where that is another one. */
      readonly of?: SearchRef;
    }
  | { readonly is: 'rejected'; readonly hop: number; readonly why: Rejection }
  | { readonly is: 'withdrawn'; readonly hop: number; readonly why: Withdrawal };

/** A hit as one search found it, or an item that names a search whose hits are left out. */
export interface FoundHit {
  readonly id: string;
  readonly documentId: string;
  readonly score: number;
  /** From 1; missing where the file leaves the ranking out. */
  readonly rank?: number;
  readonly spans: readonly (readonly [number, number])[];
  readonly fates: readonly Fate[];
  readonly state: HitState;
}

/** `passed`: no hop kept or rejected it. */
export type HitState = 'cited' | 'evidence' | 'withdrawn' | 'rejected' | 'passed';

/** A search that another one came from, or led to. */
export interface Link extends SearchRef {
  readonly id?: string;
}

const keyOf = ({ hop, search }: SearchRef, id: string): string => `${hop} ${search} ${id}`;

type Placed = { readonly id: string; readonly documentId?: string; readonly search: SearchRef };

/** Answers questions about the hits of one run; made anew when a hop was added. */
export class HitFates {
  readonly evidence: ReadonlySet<string>;
  private readonly run: RunRecord;
  private readonly cited: ReadonlySet<string>;
  /** By search and id. */
  private readonly fates = new Map<string, Fate[]>();
  /** Keeping of items by id, of whatever search. */
  private readonly keeps = new Map<string, Fate[]>();
  private readonly withdrawals = new Map<string, Fate[]>();
  /** Items that name a search, by search. */
  private readonly named = new Map<string, Map<string, Placed>>();
  private readonly children = new Map<string, Link[]>();

  constructor(run: RunRecord) {
    this.run = run;
    const known = run.context?.evidence ?? keptInOrder(run.hops);
    this.evidence = new Set(known.map(({ id }) => id));
    this.cited = new Set(citationsOf(run).map(({ id }) => id));
    for (const [hop, { searches, kept, rejected, withdrawn = [] }] of run.hops.entries()) {
      for (const item of kept) {
        const { id, score, search: of } = item;
        this.note(item, { is: 'kept', hop, score });
        push(this.keeps, id, { is: 'kept', hop, score, of });
      }
      for (const item of rejected) this.note(item, { is: 'rejected', hop, why: item });
      for (const why of withdrawn) push(this.withdrawals, why.id, { is: 'withdrawn', hop, why });
      for (const [search, { from }] of searches.entries())
        if (from) push(this.children, `${from.hop} ${from.search}`, { hop, search, ...idOf(from) });
    }
  }

  /** Returns the hits of a search by rank, and then what names the search beside them. */
  hitsOf(ref: SearchRef): FoundHit[] {
    const search = this.run.hops[ref.hop]?.searches[ref.search];
    if (!search) return [];
    const listed = search.hits.map(({ start, end, ...hit }, index) =>
      this.found(ref, hit, { rank: index + 1, spans: [[start, end]] }),
    );
    const ids = new Set(search.hits.map(({ id }) => id));
    const others = [...(this.named.get(`${ref.hop} ${ref.search}`) ?? new Map<string, Placed>())]
      .filter(([id]) => !ids.has(id))
      .map(([, item]) => this.found(ref, { documentId: '', score: Number.NaN, ...item }));
    return [...listed, ...others.sort((a, b) => b.score - a.score)];
  }

  /** Number of hits of a search that the file counts and does not list. */
  unlisted(ref: SearchRef): number {
    const search = this.run.hops[ref.hop]?.searches[ref.search];
    return search ? hitCount(search) - search.hits.length : 0;
  }

  /** Returns the searches that follow from a search, or from one hit of it. */
  ledTo({ hop, search }: SearchRef, id?: string): Link[] {
    const all = this.children.get(`${hop} ${search}`) ?? [];
    return id === undefined ? all : all.filter(link => link.id === id);
  }

  private found(
    ref: SearchRef,
    hit: {
      readonly id: string;
      readonly documentId: string;
      readonly score: number;
      readonly spans?: FoundHit['spans'];
    },
    place: Partial<Pick<FoundHit, 'rank' | 'spans'>> = {},
  ): FoundHit {
    const { id, documentId, score, spans = [] } = hit;
    const own = this.fates.get(keyOf(ref, id)) ?? [];
    const here = own.some(({ is }) => is === 'kept');
    // Another search may have brought it into the evidence.
    const kept = here ? [] : (this.keeps.get(id) ?? []);
    const gone = here || kept.length > 0 ? (this.withdrawals.get(id) ?? []) : [];
    const fates = [...own, ...kept, ...gone].sort((a, b) => a.hop - b.hop);
    return { id, documentId, score, spans, ...place, fates, state: this.stateOf(id, fates) };
  }

  private stateOf(id: string, fates: readonly Fate[]): HitState {
    const last = fates.at(-1);
    if (last === undefined) return 'passed';
    if (!fates.some(({ is }) => is === 'kept')) return 'rejected';
    if (!this.evidence.has(id)) return 'withdrawn';
    return this.cited.has(id) ? 'cited' : 'evidence';
  }

  private note(item: Placed, fate: Fate): void {
    push(this.fates, keyOf(item.search, item.id), fate);
    const search = `${item.search.hop} ${item.search.search}`;
    const named = this.named.get(search) ?? new Map<string, Placed>();
    const before = named.get(item.id);
    // A rejection knows neither document nor score.
    if (before?.documentId === undefined) named.set(item.id, item);
    this.named.set(search, named);
  }
}

const idOf = ({ id }: Link): { readonly id?: string } => (id === undefined ? {} : { id });

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Returns the citations of an answer, of a withheld one, or of the sides of an abstention. */
export function citationsOf({ answer }: RunRecord): readonly Citation[] {
  const given = answer?.answer;
  if (!given) return [];
  if (given.kind !== 'abstained') return given.citations;
  return given.withheld?.citations ?? (given.sides ?? []).flatMap(({ citations }) => citations);
}
