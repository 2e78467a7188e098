/** Defines the options of `ask` and the members that it uses by default. */
import type { UnboundContext } from '../context/context.ts';
import type { ContextName } from '../context/context-names.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { InputError } from '../core/errors.ts';
import type { SomeSpec } from '../core/naming/spec.ts';
import type { Manifest } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { Turn } from '../language/follow-ups/turn.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { Resources } from '../models/resources.ts';
import type { StandardSchema } from '../models/standard-schema.ts';
import type { Reader } from '../readers/reader.ts';
import type { ReaderName } from '../readers/reader-names.ts';
import { readers } from '../readers/readers.ts';
import { typedReader } from '../readers/typed-answer.ts';
import type { Engine, SearchEngine } from '../search/engine.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import type { RetrieverName } from '../search/retriever-names.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { StrategyName } from '../strategies/strategy-names.ts';

/** Names the members of a run whose options name none. */
export const DEFAULTS = {
  strategy: 'fact-lanes',
  retriever: 'lexical',
  context: 'sentences',
  reader: 'combined-reader',
  answerAt: 0.7,
} as const;

/** Returns the reader of a run: that of the schema, or that of the options, or the usual one. */
export function readerFor(
  { schema, reader }: Pick<AskOptions, 'schema' | 'reader'>,
  hasModel: boolean,
): Reader {
  if (schema === undefined)
    return typeof reader === 'object' ? reader : readers.create(reader ?? usualReader(hasModel));
  if (reader === undefined) return typedReader(schema);
  throw new InputError('bad-schema', 'A schema is given with a reader', {
    expected: 'a schema or a reader: a language model reads the answer of a schema',
  });
}

/** Returns the reader of a run that names none: a language model that is given is used. */
export const usualReader = (hasModel: boolean): string => (hasModel ? 'cascade' : DEFAULTS.reader);

/**
 * Options of `ask`. Only `engine` is required.
 *
 * @example
 * ```ts
 * import { type AskOptions, ask, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const options: AskOptions = {
 *   engine,
 *   strategy: 'iterative(rounds=2)',
 *   retriever: 'hybrid',
 *   context: 'lead',
 *   reader: 'extractive',
 *   signal: AbortSignal.timeout(5000),
 * };
 * console.log((await ask('Who built the engine?', options)).retriever);
 * ```
 */
export interface AskOptions {
  readonly engine: SearchEngine | Engine;
  /** Names, which editors complete, or values of your own. */
  readonly strategy?: SomeSpec<StrategyName> | Strategy;
  /**
   * If missing and the strategy needs a resource of one vector space, such as a query updater:
   * `dense(SPACE)`.
   */
  readonly retriever?: SomeSpec<RetrieverName> | UnboundRetriever;
  readonly context?: SomeSpec<ContextName> | UnboundContext;
  /** If missing: `cascade` with a language model, else `combined-reader`. */
  readonly reader?: SomeSpec<ReaderName> | Reader;
  /**
   * A schema of the answer of zod, valibot, arktype or another library of Standard Schema, which
   * must describe itself as JSON Schema too. The language model answers in its form, `value` of the
   * trace is the validated answer, and each field has its citations (`fields` of the answer). A
   * reply that the schema refuses is repaired once; then the run abstains and says what was wrong.
   */
  readonly schema?: StandardSchema | undefined;
  /**
   * The turns of the conversation before this question, the oldest first. A question that refers to
   * them becomes one that stands alone, by the model where there is one, else by rules; the trace
   * keeps both (`followUp`).
   */
  readonly earlier?: readonly Turn[] | undefined;
  /** The language model of members that ask one; the same as `resources: { model }`. */
  readonly model?: LanguageModel | undefined;
  /**
   * True if the default reader, which asks no model, reads the evidence where a port fails that the
   * reader needs; the answer names it (`readBy`) and the trace the failure (`stopped`). False if
   * missing; `ask` of the package passes true.
   */
  readonly fallback?: boolean;
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
  /**
   * Least probability of being right, from 0 to 1, of an answer that is given; the others are
   * withheld. Readers that state no probability are not concerned. 0 if missing; `ask` of the
   * package passes `DEFAULTS.answerAt`.
   */
  readonly answerAt?: number;
  /** Restricts every search of the run. */
  readonly filter?: Filter;
  readonly signal?: AbortSignal;
  /** The question's id in the trace; `question` when missing. */
  readonly id?: string;
  /**
   * Reports the run as spans of OpenTelemetry: `true` without texts, `'content'` with the question,
   * queries, hits, evidence, prompts and answer. `ask` of the package and of a store does so with
   * `@opentelemetry/api`, under the active span; no SDK receives them if the program sets up none.
   */
  readonly telemetry?: boolean | 'content';
  /**
   * Goes into the trace: versions, hashes, seeds; no times, no secrets. `resources` of it holds
   * identities by port and id; `ask` adds the resources that the run uses.
   */
  readonly manifest?: Manifest;
}

/** Milliseconds on a monotonic clock. */
export type Clock = () => number;

/** The time of a run on its machine: the core has no timers. */
export interface RunTime {
  /**
   * Fires with a `TimeoutError` when `budget.ms` is over and stops a search under way; evidence
   * found until then is still read.
   */
  readonly over?: AbortSignal | undefined;
  /** The beginning of the run on its clock; the first event if missing. */
  readonly startedAt?: number;
  /**
   * Lets the event loop run between two steps, so that aborts and time limits fire while a run
   * computes.
   */
  readonly turn?: () => Promise<void>;
}
