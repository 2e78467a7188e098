/**
 * Checks every trace, however its run ended: readable evidence, correct costs, an answer or an
 * abstention.
 */
import type { Ranking } from '../ranking/ranking.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import { countWords } from '../text/words.ts';
import { freeCall } from '../trace/call.ts';
import { keptInOrder } from '../trace/evidence-order.ts';
import type { Hop, SearchRef, Trace, TraceEvent } from '../trace/trace.ts';
import { addUsage, type LimitName, type Usage } from '../trace/usage.ts';
import { holds, same } from './law.ts';
import { checkOrder } from './ranking-checks.ts';
import type { Ran } from './strategy-run.ts';

export async function checkTrace(
  { events, trace }: Ran,
  engine: SearchEngine,
  what: string,
): Promise<void> {
  checkEvents(events, what);
  for (const [index, hop] of trace.hops.entries())
    checkHop(trace.hops, hop, index, `${what}, hop ${index}`);
  checkRanking(trace, what);
  await checkEvidence(trace, engine, what);
  checkSpent(trace, what);
  checkAnswer(trace, what);
}

function checkEvents(events: readonly TraceEvent[], what: string): void {
  const types = events.map(event => event.type).join(' ');
  holds(
    /^question (?:hop )*context answer end$/.test(types),
    what,
    'question, hops, context, answer, end',
    types,
  );
  const indexes = events.flatMap(event => (event.type === 'hop' ? [event.index] : []));
  same(
    indexes,
    indexes.map((_, index) => index),
    `${what}, indexes of hops`,
  );
}

/**
 * Checks that kept and rejected items are hits of the search they name, `from` names an earlier
 * search, and only the last hop is incomplete.
 */
function checkHop(hops: readonly Hop[], hop: Hop, index: number, what: string): void {
  for (const search of hop.searches) {
    checkOrder(search.hits, Number.POSITIVE_INFINITY, what);
    if (!search.from) continue;
    const { hop: fromHop, search: fromSearch, id } = search.from;
    const source = hops[fromHop]?.searches[fromSearch];
    holds(
      fromHop < index && source !== undefined,
      what,
      '`from` to point to a search of an earlier hop',
      search.from,
    );
    holds(
      id === undefined || source.hits.some(hit => hit.id === id),
      what,
      '`from` to name one of its hits',
      search.from,
    );
  }
  for (const item of hop.kept) {
    const hit = hitsOf(hops, item.search).find(({ id }) => id === item.id);
    holds(
      hit !== undefined && hit.documentId === item.documentId,
      what,
      'every kept id among the hits of its search',
      item,
    );
  }
  for (const item of hop.rejected) {
    const known = hitsOf(hops, item.search).some(({ id }) => id === item.id);
    holds(
      known && item.why !== '',
      what,
      'every rejected id among the hits of its search, with a reason',
      item,
    );
  }
  checkChange(hops, hop, index, what);
  holds(
    hop.incomplete === undefined || index === hops.length - 1,
    what,
    'only the last hop incomplete',
    hop.incomplete,
  );
}

/**
 * Checks how a hop changes the evidence: it withdraws only evidence, and orders only current
 * evidence.
 */
function checkChange(hops: readonly Hop[], hop: Hop, index: number, what: string): void {
  const { kept, withdrawn = [], order = [], scores = {} } = hop;
  const before = new Set(keptInOrder(hops.slice(0, index)).map(({ id }) => id));
  const after = new Set(keptInOrder(hops.slice(0, index + 1)).map(({ id }) => id));
  const dropped = new Set(withdrawn.map(({ id }) => id));
  same(dropped.size, withdrawn.length, `${what}, distinct withdrawn items`);
  for (const item of withdrawn)
    holds(
      before.has(item.id) && item.why !== '',
      what,
      'every withdrawn item among the evidence before, with a reason',
      item,
    );
  for (const item of kept)
    holds(
      item.search.hop <= index && (!before.has(item.id) || dropped.has(item.id)),
      what,
      'kept items to be new, of a search of this hop or an earlier one',
      item,
    );
  for (const id of [...order, ...Object.keys(scores)])
    holds(after.has(id), what, '`order` and `scores` to name evidence only', id);
  holds(
    hop.incomplete === undefined || (dropped.size === 0 && hop.order === undefined),
    what,
    'an incomplete hop to withdraw and reorder nothing',
    hop,
  );
}

const hitsOf = (hops: readonly Hop[], { hop, search }: SearchRef): Ranking =>
  hops[hop]?.searches[search]?.hits ?? [];

/**
 * Checks that the ranking names each document once, only documents that were hits, and those of the
 * evidence first, in the order of the evidence.
 */
function checkRanking({ ranking, diagnostic, hops, evidence }: Trace, what: string): void {
  checkDocuments(ranking, hops, `${what}, ranking`);
  if (diagnostic) checkDocuments(diagnostic.documents, hops, `${what}, ${diagnostic.name} ranking`);
  const kept = [...new Set(evidence.map(({ documentId }) => documentId))];
  same(ranking.slice(0, kept.length), kept, `${what}, ranking: the evidence first, in its order`);
}

function checkDocuments(ranking: readonly string[], hops: readonly Hop[], what: string): void {
  same(new Set(ranking).size, ranking.length, `${what}, distinct documents`);
  const documents = new Set(
    hops.flatMap(hop => hop.searches.flatMap(search => search.hits.map(hit => hit.documentId))),
  );
  for (const id of ranking) holds(documents.has(id), what, 'only documents of hits', id);
}

async function checkEvidence(
  { evidence, hops, context }: Trace,
  engine: SearchEngine,
  what: string,
): Promise<void> {
  same(
    evidence.map(({ id }) => id),
    keptInOrder(hops).map(({ id }) => id),
    `${what}, ids of the evidence`,
  );
  for (const { documentId, title, metadata, spans, passage } of evidence) {
    const [document] = await engine.read('document', [documentId], freeCall());
    same(
      { title, metadata },
      { title: document!.title, metadata: document!.metadata },
      `${what}, the evidence of ${documentId}`,
    );
    for (const [start, end] of spans)
      holds(
        start >= 0 && start <= end && end <= document!.text.length,
        what,
        'spans inside the document',
        [start, end],
      );
    if (passage === undefined) continue;
    const [around] = await engine.read('passage', [passage], freeCall());
    const holdsIt =
      around!.documentId === documentId &&
      around!.start <= spans[0]![0] &&
      spans[0]![0] < around!.end;
    holds(
      holdsIt,
      `${what}, the passage of ${documentId}`,
      'a passage in which the evidence begins',
      passage,
    );
  }
  same(context.tokens, countWords(context.text), `${what}, tokens of the context`);
}

/**
 * Checks that no field exceeds its limit, documents and tokens are those of the evidence, and the
 * hops' costs add up.
 */
function checkSpent({ spent, budget, hops, evidence, context }: Trace, what: string): void {
  for (const [name, amount] of Object.entries(spent) as [Exclude<LimitName, 'ms'>, number][])
    holds(
      amount >= 0 && amount <= (budget[name] ?? Number.POSITIVE_INFINITY),
      `${what}, spent`,
      `at most the budget's ${name}`,
      amount,
    );
  same(spent.hops ?? 0, hops.length, `${what}, hops spent`);
  same(
    spent.documents ?? 0,
    new Set(evidence.map(({ documentId }) => documentId)).size,
    `${what}, documents spent`,
  );
  same(spent.contextTokens ?? 0, context.tokens, `${what}, context tokens spent`);
  const searches = hops.reduce((sum, hop) => sum + hop.searches.length, 0);
  holds(
    searches <= (spent.retrievals ?? 0),
    `${what}, searches recorded`,
    'no more than the retrievals spent',
    searches,
  );
  let sum: Usage = {};
  for (const [index, hop] of hops.entries()) {
    sum = addUsage(sum, hop.spent);
    const kept = keptInOrder(hops.slice(0, index + 1));
    const documents = new Set(kept.map(({ documentId }) => documentId)).size;
    same(sum.documents ?? 0, documents, `${what}, documents after hop ${index}`);
    for (const name of ['documents', 'contextTokens'] as const)
      holds(
        (sum[name] ?? 0) <= (budget[name] ?? Number.POSITIVE_INFINITY),
        `${what}, ${name} after hop ${index}`,
        "at most the budget's",
        sum[name],
      );
  }
  same(sum.contextTokens ?? 0, spent.contextTokens ?? 0, `${what}, contextTokens over all hops`);
}

function checkAnswer({ answer, evidence, stopped }: Trace, what: string): void {
  const words = answer.kind === 'abstained' ? answer.reason : answer.text;
  holds(words !== '', `${what}, answer`, 'an answer or an abstention in words', answer);
  if (evidence.length === 0) same(answer.kind, 'abstained', `${what}, an answer without evidence`);
  if (stopped?.by === 'limit' && answer.kind === 'abstained')
    holds(
      answer.reason.includes(stopped.limit),
      `${what}, abstention`,
      `the limit ${stopped.limit} named`,
      answer.reason,
    );
}
