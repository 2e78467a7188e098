/**
 * Turns the run of an agent into the events of a trace: an agent sees all that its searches return,
 * so that every hit is kept when it is seen first, and the context is the words of these hits.
 */
import { defined } from '../../core/defined.ts';
import { compareHits, distinctDocuments, type Hit } from '../../core/ranking/ranking.ts';
import { countWords } from '../../core/text/words.ts';
import type { Answer, Hop, Search, TraceEvent } from '../../core/trace/trace.ts';
import { addUsage, type Usage } from '../../core/trace/usage.ts';
import type { AgentHop, AgentRun, AgentSearch } from './agent-run.ts';
import type { FoundDocuments, PlacedHit } from './found-documents.ts';

/** Name of context and reader, which the agent is itself. */
const AGENT = 'agent';

/** Returns the events of a run on the question of this id and text. */
export function eventsOfRun(
  run: AgentRun,
  question: { readonly id: string; readonly text: string },
  documents: FoundDocuments,
): TraceEvent[] {
  const seen = new Map<string, PlacedHit>();
  const hops = run.hops
    .filter(({ searches }) => searches.length > 0)
    .map((hop, index) => hopOf(hop, index, seen, documents));
  const tools = new Set(run.hops.flatMap(({ searches }) => searches.map(({ tool }) => tool)));
  const last = Math.max(run.ms ?? 0, ...run.hops.map(({ ms }) => ms ?? 0));
  const context = contextOf([...seen.values()]);
  const scores = new Map(hops.flatMap(({ hop }) => hop.kept.map(item => [item.id, item.score])));
  const evidence = [...seen.values()].map(({ id, documentId, title, start, end }) => ({
    id,
    documentId,
    title,
    metadata: {},
    score: scores.get(id)!,
    spans: [[start, end] as const],
  }));
  return [
    {
      type: 'question',
      question,
      strategy: run.agent ?? AGENT,
      retriever: [...tools].join(', ') || 'none',
      context: AGENT,
      reader: AGENT,
      budget: {},
      manifest: { agent: run.agent ?? AGENT },
      ms: 0,
    },
    ...hops.map(({ hop, ms }, index): TraceEvent => ({ type: 'hop', index, hop, ms })),
    { type: 'context', evidence, ranking: distinctDocuments(evidence), context, ms: last },
    { type: 'answer', answer: answerOf(run, [...seen.values()]), ms: last },
    { type: 'end', spent: spentOf(run, hops), ms: last },
  ];
}

interface TimedHop {
  readonly hop: Hop;
  readonly ms: number;
}

function hopOf(
  { reason, searches, ms = 0, ...calls }: AgentHop,
  index: number,
  seen: Map<string, PlacedHit>,
  documents: FoundDocuments,
): TimedHop {
  const before = new Set([...seen.values()].map(({ documentId }) => documentId));
  const kept: Hop['kept'][number][] = [];
  const rejected: Hop['rejected'][number][] = [];
  let words = 0;
  const found = searches.map((search, at): Search => {
    const placed = new Map(search.hits.map(hit => documents.place(hit)).map(hit => [hit.id, hit]));
    const hits = ranked([...placed.values()]);
    for (const { id, documentId, start, end, score } of hits) {
      const ref = { hop: index, search: at };
      if (seen.has(id)) rejected.push({ id, search: ref, why: 'seen' });
      else {
        seen.set(id, placed.get(id)!);
        kept.push({ id, documentId, search: ref, score, spans: [[start, end]] });
        words += countWords(placed.get(id)!.text);
      }
    }
    return searchOf(search, hits);
  });
  const added = new Set(kept.map(({ documentId }) => documentId)).difference(before).size;
  const spent = defined<Usage>({
    hops: 1,
    retrievals: searches.length,
    documents: added || undefined,
    contextTokens: words || undefined,
    ...modelUse(calls),
  });
  return { hop: defined<Hop>({ reason, searches: found, kept, rejected, spent }), ms };
}

const searchOf = ({ tool, query }: AgentSearch, hits: readonly Hit[]): Search =>
  defined<Search>({ text: query, retriever: tool, unit: 'passage', hits });

const modelUse = (hop: Omit<AgentHop, 'searches'>): Usage =>
  defined<Usage>({
    modelCalls: hop.modelCalls,
    modelTokens:
      hop.inputTokens === undefined && hop.outputTokens === undefined
        ? undefined
        : (hop.inputTokens ?? 0) + (hop.outputTokens ?? 0),
  });

/** Keeps the order of the tool: its scores where they have it, else the reciprocal of the rank. */
function ranked(hits: readonly PlacedHit[]): Hit[] {
  const scored = hits.map(({ id, documentId, start, end, score = Number.NaN }) => {
    return { id, documentId, start, end, score };
  });
  const isOrdered = scored.every(
    (hit, at) => Number.isFinite(hit.score) && (at === 0 || compareHits(scored[at - 1]!, hit) < 0),
  );
  return isOrdered ? scored : scored.map((hit, at) => ({ ...hit, score: 1 / (at + 1) }));
}

function contextOf(
  hits: readonly PlacedHit[],
): Extract<TraceEvent, { type: 'context' }>['context'] {
  const parts = [];
  let text = '';
  for (const { id, documentId, start, end, text: words } of hits) {
    if (words === '') continue;
    if (text !== '') text += '\n\n';
    const from = text.length;
    text += words;
    parts.push({ id, documentId, start: from, end: text.length, spans: [[start, end]] as const });
  }
  return { name: AGENT, text, tokens: countWords(text), parts };
}

/** An answer cites the hits that hold its words; of a trace without one the evidence is shown. */
function answerOf({ answer }: AgentRun, seen: readonly PlacedHit[]): Answer {
  const text = answer?.trim();
  if (text === '') return { kind: 'abstained', reason: 'the agent said nothing' };
  if (text === undefined)
    return seen.length === 0
      ? { kind: 'abstained', reason: 'the trace holds neither answer nor evidence' }
      : { kind: 'evidence', text: 'The trace holds no answer', citations: [] };
  const lower = text.toLowerCase();
  const citations = seen.flatMap(({ id, documentId, start, end, text: words }) => {
    const at = words.toLowerCase().indexOf(lower);
    const [from, to] = [start + at, start + at + text.length];
    return at < 0 || to > end ? [] : [{ id, documentId, start: from, end: to }];
  });
  return { kind: 'answered', text, citations };
}

function spentOf({ hops: all }: AgentRun, hops: readonly TimedHop[]): Usage {
  const calls = all.map(({ searches: _, ...hop }) => modelUse(hop)).reduce(addUsage, {});
  const searched = hops.map(({ hop }) => hop.spent).reduce(addUsage, {});
  // Calls of hops without a search, such as the answer, stand in no hop of the trace.
  const { modelCalls: _, modelTokens: __, ...others } = searched;
  return { ...others, ...calls };
}
