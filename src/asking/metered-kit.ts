/**
 * The kit as a strategy gets it: every port metered, every finished search noted, every failure
 * typed.
 */
import { type AnalysisCache, analysisOf } from '../corpus/analysis-cache.ts';
import type { Document, Passage } from '../corpus/document.ts';
import type { Filter } from '../corpus/filter.ts';
import { InputError, PortError } from '../errors.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { reservedModel } from '../models/reserved-model.ts';
import type { Unit } from '../ranking/ranking.ts';
import { type SearchEngine, wrapEngine } from '../retrieval/engine.ts';
import type { PortCall } from '../retrieval/ports.ts';
import {
  bothFilters,
  type Retriever,
  type StrategyQuery,
  searchOf,
} from '../retrieval/retriever.ts';
import { BudgetReached, type Call } from '../trace/call.ts';
import type { Ledger } from '../trace/ledger.ts';
import type { EvidenceItem, ModelOutput, Search } from '../trace/trace.ts';
import type { Usage } from '../trace/usage.ts';
import { AnswerPieces } from './answer-pieces.ts';

/**
 * What has happened inside the hop that is under way, from which `ask` closes it when the run is
 * cut.
 */
export class HopProgress {
  searches: Search[] = [];
  kept: EvidenceItem[] = [];
  withdrawn: string[] = [];
  said: ModelOutput[] = [];

  /** Whether anything has begun that a trace should show. */
  get any(): boolean {
    return [this.searches, this.kept, this.withdrawn, this.said].some(({ length }) => length > 0);
  }

  clear(): void {
    this.searches = [];
    this.kept = [];
    this.withdrawn = [];
    this.said = [];
  }
}

/** The ledger as a strategy's call: what is kept is noted too. */
export function meteredCall(ledger: Ledger, notes: HopProgress): Call {
  return {
    signal: ledger.signal,
    left: () => ledger.left(),
    begin: (port, role, atMost) => ledger.begin(port, role, atMost),
    keep(item, tokens) {
      const kept = ledger.keep(item, tokens);
      if (kept) notes.kept.push(item);
      return kept;
    },
    withdraw(id) {
      ledger.withdraw(id);
      notes.withdrawn.push(id);
    },
    refuse: limit => ledger.refuse(limit),
  };
}

/** Calls a port: it cannot outlast an abort, and what it throws becomes a `PortError`. */
export async function guarded<T>(
  signal: AbortSignal,
  port: string,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  try {
    return await orAbort(signal, work());
  } catch (error) {
    throw asPortError(port, error, signal);
  }
}

/** Reserves, calls, settles. A call that fails has still been made, so it is charged in full. */
export async function metered<T>(
  call: Call,
  port: string,
  role: string,
  atMost: Usage,
  work: () => Promise<T>,
): Promise<T> {
  const settle = call.begin(port, role, atMost);
  try {
    return await guarded(call.signal, port, work);
  } finally {
    settle(atMost);
  }
}

/** A port that ignores its signal must not hold up an abort. */
async function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

function asPortError(port: string, error: unknown, signal: AbortSignal): unknown {
  // Ports that heed the signal throw errors of their own when it fires; what ended the call is the
  // abort all the same.
  if (signal.aborted) return signal.reason;
  if (error instanceof BudgetReached || InputError.is(error) || PortError.is(error)) return error;
  return new PortError(
    port,
    'failed',
    `The ${port} failed: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
}

/**
 * Guards every port of the engine, reserves the calls whose port states a cost, and remembers in
 * `known` the documents that were read, so that evidence can be shown although the engine fails or
 * the run is aborted.
 */
export function meteredEngine(
  engine: SearchEngine,
  signal: AbortSignal,
  known: Map<string, Document>,
  analysis: AnalysisCache = analysisOf(engine),
): SearchEngine {
  const around = ({ definition, method, args, call, next }: PortCall): Promise<unknown> =>
    definition.usage
      ? metered(call, 'engine', method, definition.usage(...args), next)
      : guarded(signal, 'engine', next);
  const guardedEngine = wrapEngine(engine, around);
  const read = async (
    unit: Unit,
    ids: readonly string[],
    call: Call,
  ): Promise<(Document | Passage)[]> => {
    if (unit !== 'document') return guardedEngine.read(unit, ids, call);
    if (!ids.every(id => known.has(id)))
      for (const document of await guardedEngine.read('document', ids, call))
        known.set(document.id, document);
    return ids.map(id => known.get(id)!);
  };
  return { ...guardedEngine, analysis, read: read as SearchEngine['read'] };
}

/**
 * A retriever that reserves one retrieval a query, applies the filter of the whole run, and notes
 * what came back.
 */
export function meteredRetriever(
  retriever: Retriever,
  runCall: Call,
  notes: HopProgress,
  runFilter: Filter | undefined,
): Retriever {
  return {
    name: retriever.name,
    unit: retriever.unit,
    ...(retriever.space === undefined ? {} : { space: retriever.space }),
    ...(retriever.parts
      ? { parts: retriever.parts.map(part => meteredRetriever(part, runCall, notes, runFilter)) }
      : {}),
    async retrieve(queries, k, _call, within) {
      const filter = bothFilters(runFilter, within?.filter);
      const scope = { unit: within?.unit ?? retriever.unit, ...(filter ? { filter } : {}) };
      const rankings = await metered(
        runCall,
        'retriever',
        'search',
        { retrievals: queries.length },
        () => retriever.retrieve(queries, k, runCall, scope),
      );
      const place = { retriever: retriever.name, unit: scope.unit, within: within?.filter };
      for (const [index, hits] of rankings.entries())
        notes.searches.push(searchOf(queries[index] as StrategyQuery, hits, place));
      return rankings;
    },
  };
}

/**
 * A model whose calls are reserved and settled in the run's ledger, and whose texts are noted, in
 * case that the run is cut inside the hop. A model that ignores its signal does not hold up an
 * abort, and says nothing more once it is over.
 */
export function meteredModel(
  model: LanguageModel,
  runCall: Call,
  notes: HopProgress,
): LanguageModel {
  // What the model does is reserved once, here.
  const call: Call = { ...runCall, begin: () => () => {} };
  const reserved = reservedModel(
    {
      id: model.id,
      ...(model.price ? { price: model.price } : {}),
      async generate(prompt, _call, onText) {
        let listening = true;
        const tell = onText && ((piece: string) => (listening ? onText(piece) : undefined));
        try {
          return await guarded(runCall.signal, 'model', () => model.generate(prompt, call, tell));
        } finally {
          listening = false;
        }
      },
    },
    runCall,
  );
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    async generate(prompt, _call, onText) {
      const completion = await reserved.generate(prompt, call, onText);
      notes.said.push({ role: prompt.role, text: completion.text, parsed: true });
      return completion;
    },
  };
}

/**
 * The model as it is asked when the hops are over. What reads them may go on when their time is up,
 * but a model may not: it would go on for as long as it likes. `signal` fires with the run's time
 * too; `own` is the user's.
 */
export function timedModel(
  model: LanguageModel,
  signal: AbortSignal,
  own: AbortSignal,
): LanguageModel {
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    async generate(prompt, call, onText) {
      try {
        return await model.generate(prompt, call, onText);
      } catch (error) {
        // Who reads does not know of this signal: to it a limit is what a limit always is.
        if (signal.aborted && !own.aborted && error === signal.reason)
          throw new BudgetReached('ms');
        throw error;
      }
    },
  };
}

/**
 * A model that is heard while it writes. Of a reply that is to be JSON the words of its field
 * `answer` are told, of any other all; a call that repairs another begins anew.
 */
export function heardModel(model: LanguageModel, onText: (piece: string) => void): LanguageModel {
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    generate(prompt, call, own) {
      const words = prompt.schema ? new AnswerPieces() : undefined;
      return model.generate(prompt, call, piece => {
        own?.(piece);
        const told = words ? words.push(piece) : piece;
        if (told !== '') onText(told);
      });
    },
  };
}
