/** Checks the laws of one hop against the hops before it. */
import { compareHits, type Ranking } from '../ranking/ranking.ts';
import type { BrokenLaw, LawCheck } from './broken-law.ts';
import { keptInOrder } from './evidence-order.ts';
import { hitCount } from './recorder.ts';
import type { EvidenceItem, Hop, Search, SearchRef } from './trace.ts';
import { addUsage, type Budget, type Usage } from './usage.ts';

/** The part of a trace that the next hop may refer to. */
export class HopsSoFar {
  readonly hops: Hop[] = [];
  /** Documents of all hits that the trace lists. */
  readonly documents: Set<string> = new Set();
  /** Number of all hits; and of those that the trace counts and does not list. */
  found = 0;
  unlisted = 0;
  /** Evidence after the last hop. */
  evidence: readonly EvidenceItem[] = [];
  /** Sum of what the hops spent. */
  spent: Usage = {};
  searches = 0;
  /** The hits of each search, by hop and index. */
  private readonly hits: (readonly KnownHits[])[] = [];

  add(hop: Hop): void {
    this.hops.push(hop);
    this.hits.push(
      hop.searches.map(search => ({
        documents: new Map(search.hits.map(({ id, documentId }) => [id, documentId])),
        whole: search.found === undefined,
        count: hitCount(search),
      })),
    );
    for (const search of hop.searches) {
      this.found += hitCount(search);
      this.unlisted += hitCount(search) - search.hits.length;
      for (const { documentId } of search.hits) this.documents.add(documentId);
    }
    this.evidence = keptInOrder(this.hops);
    this.spent = addUsage(this.spent, hop.spent);
    this.searches += hop.searches.length;
  }

  /** Returns the hits of a search; undefined if there is no such search. */
  hitsOf({ hop, search }: SearchRef): KnownHits | undefined {
    return this.hits[hop]?.[search];
  }
}

/** Tells if an item is a hit, or may be one of those that the trace leaves out. */
function mayBeHit({ documents, whole }: KnownHits, id: string, documentId?: string): boolean {
  const known = documents.get(id);
  return known === undefined ? !whole : (documentId ?? known) === known;
}

/** The hits of one search, as far as a trace lists them. */
interface KnownHits {
  /** Documents of the hits that are listed, by the hit's id. */
  readonly documents: ReadonlyMap<string, string>;
  /** True if all hits are listed. */
  readonly whole: boolean;
  readonly count: number;
}

/** Checks the last hop of `after`; `before` is the evidence before it. */
export function* hopLaws(
  after: HopsSoFar,
  before: readonly EvidenceItem[],
  budget: Budget,
): LawCheck {
  const at = after.hops.length - 1;
  const hop = after.hops[at]!;
  if (at > 0 && after.hops[at - 1]!.incomplete !== undefined)
    yield {
      law: 'sequence',
      where: `hop ${at}`,
      expected: `no hop after hop ${at - 1}, which is incomplete`,
      received: hop,
    };
  for (const [index, search] of hop.searches.entries())
    yield* searchLaws(search, at, after, `hop ${at}, search ${index}`);
  yield* referenceLaws(hop, at, after);
  yield* choiceLaws(hop, at, before, after.evidence);
  yield* countLaws(hop, at, after);
  yield* costLaws(after, budget, `hop ${at}`);
}

function* searchLaws(
  { hits, from, found, hash }: Search,
  at: number,
  after: HopsSoFar,
  where: string,
): LawCheck {
  yield* orderLaws(hits, where);
  const counted = found !== undefined && hash !== undefined && found > hits.length;
  if ((found !== undefined || hash !== undefined) && !counted)
    yield {
      law: 'hits',
      where,
      expected: '`found` above the number of hits, and a hash, if hits are left out',
      received: { found, hash, hits: hits.length },
    };
  if (!from) return;
  const source = from.hop < at ? after.hitsOf(from) : undefined;
  if (!source)
    yield {
      law: 'references',
      where,
      expected: '`from` to name a search of an earlier hop',
      received: from,
    };
  else if (from.id !== undefined && !mayBeHit(source, from.id))
    yield {
      law: 'references',
      where,
      expected: '`from` to name one of the hits of its search',
      received: from,
    };
}

function* orderLaws(hits: Ranking, where: string): LawCheck {
  const seen = new Set<string>();
  for (const [index, hit] of hits.entries()) {
    const broken = (expected: string, received: unknown): BrokenLaw => ({
      law: 'hits',
      where: `${where}, hits[${index}]`,
      expected,
      received,
    });
    const before = hits[index - 1];
    if (seen.has(hit.id)) yield broken('every id once', hit.id);
    if (before && compareHits(before, hit) >= 0)
      yield broken('scores descending, then ids ascending', [before, hit]);
    if (hit.start > hit.end) yield broken('a span that ends at its start or later', hit);
    seen.add(hit.id);
  }
}

/** Checks that kept and rejected items are hits of the search that they name. */
function* referenceLaws({ kept, rejected }: Hop, at: number, after: HopsSoFar): LawCheck {
  for (const [field, items] of [
    ['kept', kept],
    ['rejected', rejected],
  ] as const)
    for (const [index, item] of items.entries()) {
      const hits = item.search.hop <= at ? after.hitsOf(item.search) : undefined;
      const documentId = 'documentId' in item ? item.documentId : undefined;
      if (!hits || !mayBeHit(hits, item.id, documentId))
        yield {
          law: 'references',
          where: `hop ${at}, ${field}[${index}]`,
          expected: hits
            ? 'a hit of the search that it names'
            : 'a search of this hop or an earlier one',
          received: item,
        };
    }
}

/** Checks that no search is named by more kept items than it has hits. */
function* countLaws({ kept }: Hop, at: number, after: HopsSoFar): LawCheck {
  const keptByHits = Map.groupBy(kept, ({ search }) => after.hitsOf(search));
  for (const [hits, items] of keptByHits)
    if (hits && items.length > hits.count)
      yield {
        law: 'references',
        where: `hop ${at}, kept`,
        expected: `at most ${hits.count} items of a search that found ${hits.count}`,
        received: items,
      };
}

/** Checks how a hop changes the evidence. */
function* choiceLaws(
  hop: Hop,
  at: number,
  before: readonly EvidenceItem[],
  after: readonly EvidenceItem[],
): LawCheck {
  const { kept, rejected, withdrawn = [], order = [], scores = {} } = hop;
  const broken = (where: string, expected: string, received: unknown): BrokenLaw => ({
    law: 'choice',
    where: `hop ${at}, ${where}`,
    expected,
    received,
  });
  const current = new Set(before.map(({ id }) => id));
  for (const [index, item] of withdrawn.entries()) {
    if (!current.delete(item.id))
      yield broken(`withdrawn[${index}]`, 'evidence of the hop before, once', item);
    if (item.why === '') yield broken(`withdrawn[${index}]`, 'a reason', item);
  }
  for (const [index, item] of kept.entries()) {
    if (current.has(item.id))
      yield broken(`kept[${index}]`, 'an item that is not evidence already', item);
    current.add(item.id);
  }
  for (const [index, item] of rejected.entries())
    if (item.why === '') yield broken(`rejected[${index}]`, 'a reason', item);
  const ids = new Set(after.map(({ id }) => id));
  for (const [index, id] of order.entries())
    if (!ids.delete(id)) yield broken(`order[${index}]`, 'evidence after this hop, once', id);
  for (const id of Object.keys(scores))
    if (!after.some(item => item.id === id))
      yield broken(`scores["${id}"]`, 'evidence after this hop', id);
  if (hop.incomplete === undefined) return;
  if (withdrawn.length > 0 || hop.order || hop.scores)
    yield broken('incomplete', 'an incomplete hop to withdraw, order and score nothing', hop);
}

/** Limits that no run exceeds, because they are checked before anything is spent. */
const STRICT = ['hops', 'retrievals', 'documents', 'contextTokens'] as const;

function* costLaws(
  { hops, evidence, spent, searches }: HopsSoFar,
  budget: Budget,
  where: string,
): LawCheck {
  const broken = (expected: string, received: unknown): BrokenLaw => ({
    law: 'costs',
    where,
    expected,
    received,
  });
  const { documents = 0, contextTokens = 0, retrievals = 0 } = spent;
  if (spent.hops !== hops.length) yield broken(`${hops.length} hops spent`, spent.hops);
  for (const [name, amount] of Object.entries(hops.at(-1)!.spent))
    if (amount < 0 && name !== 'documents' && name !== 'contextTokens')
      yield broken(`at least 0 ${name} spent`, amount);
  const kept = new Set(evidence.map(({ documentId }) => documentId)).size;
  if (documents !== kept) yield broken(`${kept} documents spent, those of the evidence`, documents);
  if (contextTokens < 0 || (kept === 0 && contextTokens > 0))
    yield broken('the context tokens of the evidence spent', contextTokens);
  if (retrievals < searches) yield broken(`at least ${searches} retrievals spent`, retrievals);
  for (const name of STRICT)
    if ((spent[name] ?? 0) > (budget[name] ?? Number.POSITIVE_INFINITY))
      yield broken(`at most the budget's ${name}, ${budget[name]}`, spent[name]);
}
