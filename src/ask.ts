/** Verb 2: a question becomes an answer. A generator of trace events, and the only place where budgets are enforced. */
import { evidenceOf, keptInOrder } from './asking/evidence.ts';
import { guarded, HopNotes, notedCall, notedEngine, notedRetriever } from './asking/noted-kit.ts';
import { type Pulled, pullHops, stoppedBy } from './asking/pull-hops.ts';
import type { UnboundContext } from './context/context.ts';
import { contexts } from './context/contexts.ts';
import type { Document } from './corpus/document.ts';
import type { Filter } from './corpus/filter.ts';
import { InputError } from './errors.ts';
import { predictQuestionType } from './planning/question-type.ts';
import { checkedAnswer, checkedCitations } from './reading/citation-check.ts';
import type { Reader } from './reading/reader.ts';
import { readers } from './reading/readers.ts';
import type { Engine, SearchEngine } from './retrieval/engine.ts';
import type { UnboundRetriever } from './retrieval/retriever.ts';
import { retrievers } from './retrieval/retrievers.ts';
import { strategies } from './strategies/strategies.ts';
import type { Kit, Strategy } from './strategies/strategy.ts';
import { freeCall } from './trace/call.ts';
import { Ledger } from './trace/ledger.ts';
import type { Answer, ContextText, End, Evidence, Hop, Kept, Manifest, Question, Stopped, Trace, TraceEvent } from './trace/trace.ts';
import { traceOf } from './trace/trace.ts';
import { type Budget, LIMIT_NAMES } from './trace/usage.ts';

/** What is used where a run does not say. */
export const DEFAULTS = { strategy: 'budgeted-agent', retriever: 'lexical', context: 'lead', reader: 'extractive' } as const;

export interface AskOptions {
  readonly engine: SearchEngine | Engine;
  /** Names, or values of your own. */
  readonly strategy?: string | Strategy;
  readonly retriever?: string | UnboundRetriever;
  readonly context?: string | UnboundContext;
  readonly reader?: string | Reader;
  /** All limits hold together; what would exceed one is refused before it is done. */
  readonly budget?: Budget;
  /** Holds for every search of the run. */
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
  /** The question's id in the trace; `question` when missing. */
  readonly id?: string;
  /** Goes into the trace as it is: versions, hashes, seeds; no times, no secrets. */
  readonly manifest?: Manifest;
}

/** Milliseconds on a monotonic clock. */
export type Clock = () => number;

/** The events of one run: question, hop ..., context, answer, end; always in this order, always complete unless a bug throws. */
export async function* askEvents(text: string, options: AskOptions, clock: Clock): AsyncGenerator<TraceEvent, Trace, void> {
  const run = await openRun(text, options, clock);
  const events: TraceEvent[] = [];
  const note = (event: TraceEvent): TraceEvent => {
    events.push(event);
    return event;
  };
  yield note(run.opening);

  const hops: Hop[] = [];
  const pulled = yield* forward(pullHops(run.strategy.hops(run.question, run.kit, run.call), run.ledger, run.notes), hop => {
    hops.push(hop);
    return note({ type: 'hop', index: hops.length - 1, hop, ms: run.ledger.elapsed() });
  });

  const kept = keptInOrder(hops);
  const { evidence, context, unread } = await gather(run, kept);
  yield note({ type: 'context', evidence, ranking: run.strategy.ranking(hops), context, ms: run.ledger.elapsed() });

  const { answer, stopped } = unread ? unreadable(pulled, unread) : await conclude(run, pulled, evidence, context);
  yield note({ type: 'answer', answer, ms: run.ledger.elapsed() });
  yield note({ type: 'end', spent: run.ledger.spent, ...(stopped ? { stopped } : {}), ms: run.ledger.elapsed() });
  return traceOf(events)!;
}

interface OpenRun {
  readonly question: Question;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly kit: Kit;
  /** The documents that were read so far, by id. */
  readonly known: ReadonlyMap<string, Document>;
  readonly ledger: Ledger;
  readonly notes: HopNotes;
  readonly call: ReturnType<typeof notedCall>;
  readonly opening: TraceEvent;
}

/** Checks everything at the door, takes a snapshot, and binds the kit to it. */
async function openRun(text: string, options: AskOptions, clock: Clock): Promise<OpenRun> {
  if (typeof text !== 'string' || text.trim() === '')
    throw new InputError('empty-question', 'The question is empty', { expected: 'a question in words' });
  const budget = checkBudget(options.budget ?? {});
  const strategy = resolve(options.strategy, DEFAULTS.strategy, strategies);
  const unbound = {
    retriever: resolve(options.retriever, DEFAULTS.retriever, retrievers),
    context: resolve(options.context, DEFAULTS.context, contexts),
  };
  const reader = resolve(options.reader, DEFAULTS.reader, readers);
  const engine = 'snapshot' in options.engine ? await options.engine.snapshot() : options.engine;

  const question: Question = { id: options.id ?? 'question', text };
  const ledger = new Ledger({ budget, signal: options.signal ?? new AbortController().signal, clock });
  const notes = new HopNotes();
  const call = notedCall(ledger, notes);
  // Reading stored text and closing a run are not limited: a run that was cut still shows what it has.
  const noted = notedEngine(engine, ledger.signal);
  const context = unbound.context.bind(noted, freeCall());
  const retriever = notedRetriever(unbound.retriever.bind(engine), call, notes, options.filter);
  const names = { strategy: strategy.name, retriever: retriever.name, context: context.name, reader: reader.name };
  const opening: TraceEvent = {
    type: 'question',
    question,
    ...names,
    budget,
    ...(options.filter ? { filter: options.filter } : {}),
    predictedType: predictQuestionType(text),
    manifest: options.manifest ?? {},
    ms: ledger.elapsed(),
  };
  return { question, strategy, reader, kit: { engine: noted, retriever, context }, known: noted.known, ledger, notes, call, opening };
}

function resolve<T extends object>(given: string | T | undefined, fallback: string, members: { create(name: string): T }): T {
  return typeof given === 'object' ? given : members.create(given ?? fallback);
}

/** The limits that are limits: what is undefined or infinite is none, and has no place in a trace. */
function checkBudget(given: Budget): Budget {
  const budget = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY));
  for (const [name, value] of Object.entries(budget)) {
    if (!(LIMIT_NAMES as readonly string[]).includes(name))
      throw new InputError('unknown-limit', `There is no limit "${name}"`, { expected: `one of ${LIMIT_NAMES.join(', ')}` });
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0)
      throw new InputError('bad-limit', `The limit "${name}"`, { expected: 'a number of at least 0', received: String(value) });
  }
  return budget;
}

/** Passes each hop on as an event and returns what pulling ended with. */
async function* forward(
  hops: AsyncGenerator<Hop, Pulled, void>,
  event: (hop: Hop) => TraceEvent,
): AsyncGenerator<TraceEvent, Pulled, void> {
  try {
    for (;;) {
      const step = await hops.next();
      if (step.done) return step.value;
      yield event(step.value);
    }
  } finally {
    await hops.return(undefined as never);
  }
}

interface Gathered {
  readonly evidence: Evidence[];
  readonly context: ContextText;
  /** Why some of it could not be read. */
  readonly unread?: Stopped;
}

/** What was kept has been read while it was priced, so this asks no port again, unless a strategy or a context of another kind left that out. */
async function gather(run: OpenRun, kept: readonly Kept[]): Promise<Gathered> {
  const { engine, context } = run.kit;
  const ids = [...new Set(kept.map(item => item.documentId))];
  try {
    await engine.read('document', ids, freeCall());
    const built = await context.build(run.question, kept, run.ledger.budget.contextTokens ?? Number.POSITIVE_INFINITY);
    return { evidence: evidenceOf(kept, run.known), context: built };
  } catch (error) {
    const unread = stoppedBy(error, run.ledger);
    if (!unread) throw error;
    return { evidence: evidenceOf(kept, run.known), context: { name: context.name, text: '', tokens: 0, parts: [] }, unread };
  }
}

/** The answer: an abstention that says why, the strategy's own draft, or what the reader makes of the context. */
async function conclude(
  run: OpenRun,
  pulled: Pulled,
  evidence: readonly Evidence[],
  context: ContextText,
): Promise<{ answer: Answer; stopped?: Stopped }> {
  const { end, stopped } = pulled;
  if (stopped?.by === 'abort') return { answer: abstain('The run was aborted before an answer was read'), stopped };
  if (evidence.length === 0) return { answer: abstain(withCause('No evidence was found', stopped)), ...(stopped ? { stopped } : {}) };
  const draft = fromDraft(end, evidence);
  if (draft) return { answer: draft, ...(stopped ? { stopped } : {}) };
  try {
    const answer = await guarded(run.ledger.signal, 'reader', () => run.reader.read(run.question, context, evidence, run.kit, run.call));
    return { answer: explained(checkedAnswer(answer, evidence), stopped), ...(stopped ? { stopped } : {}) };
  } catch (error) {
    const later = stoppedBy(error, run.ledger);
    if (!later) throw error;
    return { answer: abstain(withCause('No answer was read', later)), stopped: stopped ?? later };
  }
}

function unreadable(pulled: Pulled, unread: Stopped): { answer: Answer; stopped: Stopped } {
  return { answer: abstain(withCause('The evidence could not be read', unread)), stopped: pulled.stopped ?? unread };
}

function abstain(reason: string): Answer {
  return { kind: 'abstained', reason };
}

function withCause(reason: string, stopped: Stopped | undefined): string {
  if (!stopped) return reason;
  if (stopped.by === 'limit') return `${reason}: the limit on ${stopped.limit} was reached`;
  return stopped.by === 'failure' ? `${reason}: the ${stopped.port} failed (${stopped.code})` : `${reason}: the run was aborted`;
}

/** An abstention after a cut names what cut it. */
function explained(answer: Answer, stopped: Stopped | undefined): Answer {
  return answer.kind === 'abstained' && stopped ? { ...answer, reason: withCause(answer.reason, stopped) } : answer;
}

function fromDraft(end: End | undefined, evidence: readonly Evidence[]): Answer | undefined {
  if (!end?.draft) return undefined;
  const citations = checkedCitations(end.draft.citations, evidence);
  return citations.length > 0 ? { kind: 'answered', text: end.draft.text, citations } : undefined;
}
