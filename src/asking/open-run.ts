/**
 * The door: what a run is asked with, checked before any work, and bound to one snapshot of one
 * engine.
 */
import type { UnboundContext } from '../context/context.ts';
import { contexts } from '../context/contexts.ts';
import { analysisOf } from '../corpus/analysis-cache.ts';
import type { Document } from '../corpus/document.ts';
import type { Filter } from '../corpus/filter.ts';
import { InputError } from '../errors.ts';
import type { TokenClassifiers } from '../models/efficient-rag/token-classifiers.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { QueryUpdater } from '../models/query-updater.ts';
import type { Reranker } from '../models/reranker.ts';
import { usageOf } from '../models/reserved-model.ts';
import { predictQuestionType } from '../planning/question-type.ts';
import type { Reader } from '../reading/reader.ts';
import { readers } from '../reading/readers.ts';
import { checkRequirements, filterOperations } from '../retrieval/capabilities.ts';
import type { Engine, SearchEngine } from '../retrieval/engine.ts';
import type { UnboundRetriever } from '../retrieval/retriever.ts';
import { retrievers } from '../retrieval/retrievers.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Kit, Strategy } from '../strategies/strategy.ts';
import { type Call, freeCall } from '../trace/call.ts';
import { Ledger } from '../trace/ledger.ts';
import type { Manifest, Question, TraceEvent } from '../trace/trace.ts';
import { addUsage, type Budget, LIMIT_NAMES, type Usage } from '../trace/usage.ts';
import {
  HopProgress,
  heardModel,
  meteredCall,
  meteredEngine,
  meteredModel,
  meteredRetriever,
  timedModel,
} from './metered-kit.ts';
import { checkSpace, meteredUpdater, retrieverFor, updaterOf } from './query-updaters.ts';
import { meteredReranker, rerankerOf } from './rerankers.ts';
import { classifiersOf, meteredClassifiers } from './token-classifiers.ts';

/** What is used where a run does not say. */
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
   * Where none is named and the strategy needs a query updater: `dense(SPACE)` of that updater's
   * space.
   */
  readonly retriever?: string | UnboundRetriever;
  readonly context?: string | UnboundContext;
  readonly reader?: string | Reader;
  /**
   * What `reranked(A, MODEL)` and a strategy that names one, as `fact-lanes(reranker=MODEL)`, find
   * their model among, by id.
   */
  readonly rerankers?: readonly Reranker[];
  /** What `tree-hop(model=ID)` finds its model among, by id. */
  readonly queryUpdaters?: readonly QueryUpdater[];
  /** What `efficient-rag(model=ID)` finds its labeler and filter among, by id; `lite` ships. */
  readonly tokenClassifiers?: readonly TokenClassifiers[];
  /**
   * For strategies and readers that need a language model, or are better with one. A budget in US
   * dollars wants one with a price: `pricedModel`.
   */
  readonly model?: LanguageModel;
  /**
   * Told of the answer while a reader's model writes it, in pieces. It is what the model says,
   * before its citations are checked: what counts is the answer of the trace, which may be another
   * or none. A reply that has to be repaired is told again from its beginning.
   */
  readonly onText?: (piece: string) => void;
  /**
   * All limits hold together; what would exceed one is refused before it is done. Where strategy
   * and reader both ask the model, one call of the reader is kept for it, where the budget has room
   * for it at all: hops that use up their money leave an answer to be read.
   */
  readonly budget?: Budget;
  /** Holds for every search of the run. */
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
  /**
   * Fires with a `TimeoutError` when `budget.ms` is over, so that a search under way is stopped
   * too; what was found until then is still read.
   * `ask` of the package makes it; the core has no timers.
   */
  readonly timeLimit?: AbortSignal;
  /** The question's id in the trace; `question` when missing. */
  readonly id?: string;
  /** Goes into the trace as it is: versions, hashes, seeds; no times, no secrets. */
  readonly manifest?: Manifest;
}

/** Milliseconds on a monotonic clock. */
export type Clock = () => number;

/** A run that may begin: everything checked, bound to one snapshot. */
export interface OpenRun {
  readonly question: Question;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly kit: Kit;
  /** The documents that were read so far, by id. */
  readonly known: ReadonlyMap<string, Document>;
  readonly ledger: Ledger;
  readonly notes: HopProgress;
  readonly call: Call;
  /**
   * What reads the evidence when the hops are over: it may go on when their time is up, and only
   * the user's own signal stops it.
   */
  readonly reading: { readonly kit: Kit; readonly call: Call; readonly signal: AbortSignal };
  readonly opening: TraceEvent;
}

/** Checks everything at the door, takes a snapshot, and binds the kit to it. */
export async function openRun(text: string, options: AskOptions, clock: Clock): Promise<OpenRun> {
  if (typeof text !== 'string' || text.trim() === '')
    throw new InputError('empty-question', 'The question is empty', {
      expected: 'a question in words',
    });
  const budget = checkBudget(options.budget ?? {});
  const strategy = resolve(options.strategy, DEFAULTS.strategy, strategies);
  const updater = updaterOf(strategy, options.queryUpdaters);
  const classifiers = await classifiersOf(strategy, options.tokenClassifiers);
  const reranker = rerankerOf(strategy, options.rerankers);
  const unbound = {
    retriever: resolve(
      options.retriever,
      updater ? retrieverFor(updater) : DEFAULTS.retriever,
      retrievers,
    ),
    context: resolve(options.context, DEFAULTS.context, contexts),
  };
  const reader = resolve(options.reader, DEFAULTS.reader, readers);
  checkModel(options.model, { strategy, reader });
  checkPrice(options.model, budget);
  const engine = 'snapshot' in options.engine ? await options.engine.snapshot() : options.engine;

  const question: Question = { id: options.id ?? 'question', text };
  const own = options.signal ?? new AbortController().signal;
  const ledger = new Ledger({
    budget,
    signal: options.timeLimit ? AbortSignal.any([own, options.timeLimit]) : own,
    clock,
  });
  if (options.model && asksModel(strategy)) ledger.setAside(readersShare(reader, options.model));
  const notes = new HopProgress();
  const call = meteredCall(ledger, notes);
  // Reading stored text and closing a run are not limited: a run that was cut still shows what it
  // has.
  const known = new Map<string, Document>();
  const analysis = analysisOf(engine);
  const noted = meteredEngine(engine, ledger.signal, known, analysis);
  const context = unbound.context.bind(noted, freeCall(), question);
  const retriever = meteredRetriever(
    unbound.retriever.bind(
      engine,
      options.rerankers
        ? { rerankers: options.rerankers.map(one => meteredReranker(one, call)) }
        : {},
    ),
    call,
    notes,
    options.filter,
  );
  if (updater) checkSpace(updater, retriever);
  checkRequirements(
    `The strategy "${strategy.name}"`,
    strategy.requires?.(retriever) ?? {},
    engine,
  );
  if (options.filter)
    checkRequirements('The filter', { filters: filterOperations(options.filter) }, engine);
  const names = {
    strategy: strategy.name,
    retriever: retriever.name,
    context: context.name,
    reader: reader.name,
  };
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
  const model = options.model;
  const kit: Kit = {
    ...{ engine: noted, retriever, context },
    ...(updater ? { updater: meteredUpdater(updater, ledger.signal) } : {}),
    ...(classifiers ? { tokenClassifiers: meteredClassifiers(classifiers, ledger.signal) } : {}),
    ...(reranker ? { reranker: meteredReranker(reranker, call) } : {}),
    ...(model ? { model: meteredModel(model, call, notes) } : {}),
  };
  const readingKit = {
    ...kit,
    engine: meteredEngine(engine, own, known, analysis),
    ...(model
      ? {
          model: readingModel(
            timedModel(meteredModel(model, call, notes), call.signal, own),
            options.onText,
          ),
        }
      : {}),
  };
  const reading = { kit: readingKit, call: { ...call, signal: own }, signal: own };
  return { question, strategy, reader, kit, known, ledger, notes, call, reading, opening };
}

/**
 * Throws `InputError('missing-model')` where a part of the run needs a language model and none was
 * given.
 */
function checkModel(
  model: LanguageModel | undefined,
  parts: Record<string, { readonly name: string; readonly needs: readonly string[] }>,
): void {
  if (model) return;
  for (const [part, { name, needs }] of Object.entries(parts))
    if (needs.includes('model'))
      throw new InputError('missing-model', `The ${part} "${name}" needs a language model`, {
        expected: 'a model',
        hint: 'Give --model, or model to ask().',
      });
}

const asksModel = ({ needs, uses }: Strategy): boolean =>
  needs.includes('model') || (uses?.includes('model') ?? false);

/** One call of each role, as large as it may become: repairs come out of what is left. */
function readersShare({ modelCalls = [] }: Reader, model: LanguageModel): Usage {
  return modelCalls
    .map(({ promptTokens, completionTokens }) =>
      usageOf({ input: promptTokens, output: completionTokens }, model.price),
    )
    .reduce(addUsage, {});
}

/**
 * A limit that cannot be kept is refused: nobody knows what a call of a model without a price
 * costs.
 */
function checkPrice(model: LanguageModel | undefined, budget: Budget): void {
  if (!model || model.price || budget.usd === undefined) return;
  throw new InputError(
    'unknown-price',
    `The budget limits US dollars, and no price is known of the model "${model.id}"`,
    {
      expected: 'a price for a million tokens of prompts and of completions',
      hint: 'Give --price in=USD,out=USD (0 for a model of your own) or --price FILE, or a pricedModel to ask().',
    },
  );
}

const readingModel = (model: LanguageModel, onText: AskOptions['onText']): LanguageModel =>
  onText ? heardModel(model, onText) : model;

function resolve<T extends object>(
  given: string | T | undefined,
  fallback: string,
  members: { create(name: string): T },
): T {
  return typeof given === 'object' ? given : members.create(given ?? fallback);
}

/**
 * The limits that are limits: what is undefined or infinite is none, and has no place in a trace.
 */
function checkBudget(given: Budget): Budget {
  const budget = Object.fromEntries(
    Object.entries(given).filter(
      ([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY,
    ),
  );
  for (const [name, value] of Object.entries(budget)) {
    if (!(LIMIT_NAMES as readonly string[]).includes(name))
      throw new InputError('unknown-limit', `There is no limit "${name}"`, {
        expected: `one of ${LIMIT_NAMES.join(', ')}`,
      });
    if (typeof value !== 'number' || Number.isNaN(value) || value < 0)
      throw new InputError('bad-limit', `The limit "${name}"`, {
        expected: 'a number of at least 0',
        received: String(value),
      });
  }
  return budget;
}
