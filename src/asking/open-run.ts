/** Validates `ask` options and binds them to a snapshot. */
import type { UnboundContext } from '../context/context.ts';
import { contexts } from '../context/contexts.ts';
import { analysisOf } from '../corpus/analysis-cache.ts';
import type { Document } from '../corpus/document.ts';
import type { Filter } from '../corpus/filter.ts';
import { InputError } from '../errors.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { Metering } from '../models/port.ts';
import { languageModel } from '../models/ports.ts';
import type { Resources } from '../models/resources.ts';
import { predictQuestionType } from '../planning/question-type.ts';
import type { Reader } from '../reading/reader.ts';
import { readers } from '../reading/readers.ts';
import { checkRequirements, filterOperations } from '../retrieval/capabilities.ts';
import type { Engine, SearchEngine } from '../retrieval/engine.ts';
import type { Retriever, UnboundRetriever } from '../retrieval/retriever.ts';
import { retrievers } from '../retrieval/retrievers.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Kit, Strategy } from '../strategies/strategy.ts';
import { type Call, freeCall } from '../trace/call.ts';
import { Ledger } from '../trace/ledger.ts';
import type { Manifest, Question, TraceEvent } from '../trace/trace.ts';
import type { Budget } from '../trace/usage.ts';
import { HopProgress, meteredCall, meteredEngine, meteredRetriever } from './metered-kit.ts';
import { meteringOf } from './metering.ts';
import { checkBudget, checkPrice, setReadersShareAside } from './run-budget.ts';
import {
  checkSpaces,
  type FoundResource,
  findResources,
  meteredLookup,
  needyOf,
  recordResources,
  retrieverFor,
} from './run-resources.ts';

/** Names the members of a run whose options name none. */
export const DEFAULTS = {
  strategy: 'fact-lanes',
  retriever: 'lexical',
  context: 'sentences',
  reader: 'fact-reader',
} as const;

export interface AskOptions {
  readonly engine: SearchEngine | Engine;
  /** Names, or values of your own. */
  readonly strategy?: string | Strategy;
  /**
   * If missing and the strategy needs a resource of one vector space, such as a query updater:
   * `dense(SPACE)`.
   */
  readonly retriever?: string | UnboundRetriever;
  readonly context?: string | UnboundContext;
  readonly reader?: string | Reader;
  /**
   * Resources that members name in their needs, by port: `{ model, reranker: [a, b] }`. A budget in
   * US dollars wants a model with a price: `pricedModel`.
   */
  readonly resources?: Resources;
  /**
   * Gets the answer in pieces while a reader's model writes it, before citations are checked: the
   * answer of the trace may be another or none. A repaired reply starts again from its beginning.
   */
  readonly onText?: (piece: string) => void;
  /**
   * Holds all limits together and refuses a call before it would exceed one. If strategy and reader
   * both ask the model, one call of the reader is set aside, if the budget has room for it at all.
   */
  readonly budget?: Budget;
  /** Restricts every search of the run. */
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
  /**
   * Fires with a `TimeoutError` when `budget.ms` is over and stops a search under way; evidence
   * found until then is still read. `ask` of the package makes it, since the core has no timers.
   */
  readonly timeLimit?: AbortSignal;
  /** The question's id in the trace; `question` when missing. */
  readonly id?: string;
  /**
   * Goes into the trace: versions, hashes, seeds; no times, no secrets. `resources` of it holds
   * identities by port and id; `ask` adds the resources that the run uses.
   */
  readonly manifest?: Manifest;
}

/** Milliseconds on a monotonic clock. */
export type Clock = () => number;

/** A run that may begin: validated and bound to one snapshot. */
export interface OpenRun {
  readonly question: Question;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly kit: Kit;
  /** Documents read so far, by id. */
  readonly known: ReadonlyMap<string, Document>;
  readonly ledger: Ledger;
  readonly notes: HopProgress;
  readonly call: Call;
  /** Reads the evidence after the hops; only the caller's own signal stops it, not time. */
  readonly reading: { readonly kit: Kit; readonly call: Call; readonly signal: AbortSignal };
  readonly opening: TraceEvent;
}

/** Validates the options, takes a snapshot and binds the kit to it. */
export async function openRun(text: string, options: AskOptions, clock: Clock): Promise<OpenRun> {
  if (typeof text !== 'string' || text.trim() === '')
    throw new InputError('empty-question', 'The question is empty', {
      expected: 'a question in words',
    });
  const budget = checkBudget(options.budget ?? {});
  const members = await membersOf(options);
  const { strategy, reader } = members;
  const model = members.found.find(({ need }) => need.port === languageModel)?.resource as
    | LanguageModel
    | undefined;
  checkPrice(model, budget);
  const engine = 'snapshot' in options.engine ? await options.engine.snapshot() : options.engine;

  const question: Question = { id: options.id ?? 'question', text };
  const own = options.signal ?? new AbortController().signal;
  const ledger = new Ledger({
    budget,
    signal: options.timeLimit ? AbortSignal.any([own, options.timeLimit]) : own,
    clock,
  });
  setReadersShareAside(ledger, model, members);
  const notes = new HopProgress();
  const call = meteredCall(ledger, notes);
  const known = new Map<string, Document>();
  const { kit, reading } = kitsOf(members, { options, engine, question, call, notes, known, own });
  return {
    ...{ question, strategy, reader, kit, known, ledger, notes, call },
    reading: { kit: reading, call: { ...call, signal: own }, signal: own },
    opening: openingOf(members, kit, options, { question, budget, ms: ledger.elapsed() }),
  };
}

/** The members of a run, and the resources that they need. */
interface Members {
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly retriever: UnboundRetriever;
  readonly context: UnboundContext;
  readonly found: readonly FoundResource[];
}

async function membersOf(options: AskOptions): Promise<Members> {
  const { resources = {} } = options;
  const strategy = resolve(options.strategy, DEFAULTS.strategy, strategies);
  const reader = resolve(options.reader, DEFAULTS.reader, readers);
  const context = resolve(options.context, DEFAULTS.context, contexts);
  const ofStrategy = await findResources([needyOf('strategy', strategy)], resources);
  const fallback = retrieverFor(ofStrategy) ?? DEFAULTS.retriever;
  const retriever = resolve(options.retriever, fallback, retrievers);
  const found = await findResources(
    [
      needyOf('strategy', strategy),
      needyOf('retriever', retriever),
      needyOf('context', context),
      needyOf('reader', reader),
    ],
    resources,
  );
  return { strategy, reader, retriever, context, found };
}

interface Binding {
  readonly options: AskOptions;
  readonly engine: SearchEngine;
  readonly question: Question;
  readonly call: Call;
  readonly notes: HopProgress;
  readonly known: Map<string, Document>;
  readonly own: AbortSignal;
}

/** Binds the kit of the hops, and that of the reading, which time does not limit. */
function kitsOf(members: Members, binding: Binding): { readonly kit: Kit; readonly reading: Kit } {
  const { options, engine, question, call, notes, known, own } = binding;
  const { found } = members;
  const analysis = analysisOf(engine);
  const metered = meteredEngine(engine, call.signal, known, analysis);
  const inHops = (port: string): Metering => meteringOf(port, { call, progress: notes });
  const inReading = (port: string): Metering =>
    meteringOf(port, { call, progress: notes, own, onText: options.onText });
  const retriever = meteredRetriever(
    members.retriever.bind(
      engine,
      meteredLookup(needyOf('retriever', members.retriever), found, inHops),
    ),
    call,
    notes,
    options.filter,
  );
  checkSpaces(found, retriever);
  checkCapabilities(members.strategy, retriever, binding);
  // Reading stored text and closing a run are not limited: a run that was cut still shows its
  // evidence.
  const lookup = meteredLookup(needyOf('context', members.context), found, inReading);
  const context = members.context.bind(metered, freeCall(), question, lookup);
  const kit = {
    ...{ engine: metered, retriever, context },
    resource: meteredLookup(needyOf('strategy', members.strategy), found, inHops),
  };
  const reading = {
    ...kit,
    engine: meteredEngine(engine, own, known, analysis),
    resource: meteredLookup(needyOf('reader', members.reader), found, inReading),
  };
  return { kit, reading };
}

/** Throws `InputError` if the engine lacks what the strategy or the run's filter requires. */
function checkCapabilities(
  strategy: Strategy,
  retriever: Retriever,
  { engine, options: { filter } }: Binding,
): void {
  const who = `The strategy "${strategy.name}"`;
  checkRequirements(who, strategy.requires?.(retriever) ?? {}, engine);
  if (filter) checkRequirements('The filter', { filters: filterOperations(filter) }, engine);
}

function openingOf(
  { strategy, reader, found }: Members,
  { retriever, context }: Kit,
  { filter, manifest = {} }: AskOptions,
  { question, budget, ms }: Pick<TraceEvent & { type: 'question' }, 'question' | 'budget' | 'ms'>,
): TraceEvent {
  return {
    type: 'question',
    question,
    strategy: strategy.name,
    retriever: retriever.name,
    context: context.name,
    reader: reader.name,
    budget,
    ...(filter ? { filter } : {}),
    predictedType: predictQuestionType(question.text),
    manifest: recordResources(manifest, found),
    ms,
  };
}

function resolve<T extends object>(
  given: string | T | undefined,
  fallback: string,
  members: { create(name: string): T },
): T {
  return typeof given === 'object' ? given : members.create(given ?? fallback);
}
