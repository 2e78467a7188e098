/** The types of `openStore`: its options, its methods and what they return. */

import type { Document, Ingestible } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { Run } from '../core/trace/run.ts';
import type { ContextText, Evidence, Trace, TraceEvent } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { SkippedEvent } from '../documents/format.ts';
import type { OfSchema } from '../models/standard-schema.ts';
import type { AskOptions } from '../run/ask.ts';
import type { IngestEvent, ReadEvent } from '../run/ingest.ts';
import type { Explanation } from '../search/indexes/explanation.ts';
import type { ClaimsSpending } from './claims.ts';
import type { About, Quote } from './evidence-view.ts';
import type { GivenModel } from './given-model.ts';
import type { GivenPrice } from './model-price.ts';
import type { ModelSources } from './models.ts';
import type { Environment, Notices } from './notices.ts';
import type { GraphSpending } from './recognisers.ts';

export interface OpenStoreOptions extends Omit<ModelSources, 'env' | 'language'> {
  /** Creates the store if its folder is missing or empty; true if undefined. */
  readonly create?: boolean;
  /** Chunker of a new store, such as `tokens(size=300, overlap=60)`. */
  readonly chunker?: string;
  /** Units that `embedders` embed at ingest; passages if undefined. */
  readonly units?: readonly Unit[];
  /**
   * Keeps a graph of sentences in the store at each ingest, by an entity recogniser: `names`, which
   * goes by spelling and needs no model; `ner(MODEL)`, a model of token classification in a folder
   * of `MULTIHOP_MODELS` or `hub:ORG/NAME`; `triples(MODEL)`, whose language model is `model` if it
   * has this id, else opened by its name, and reads each passage once; or one of `resources` by its
   * id. With `embedders` it holds the nearest sentences too, for which all sentences are embedded.
   * A store that keeps a graph by `names` goes on without this option.
   */
  readonly graph?: string;
  /**
   * Keeps a claim base in the store at each ingest, which `bridge-claims` searches: by `rules`,
   * or by a language model, which is `model` if it has this id, else opened by its name, and reads
   * each sentence that states a fact once. A store that keeps claims by rules goes on without this
   * option.
   */
  readonly claims?: string;
  /** Milliseconds that a write waits for another writer; 5,000 if undefined. */
  readonly waitMs?: number;
  /** Milliseconds that an embedder or reranker behind a server may take; 90,000 if undefined. */
  readonly embedderTimeoutMs?: number;
  /**
   * The language model of strategies and readers: a name of the command line, a model, or a model
   * of the AI SDK.
   */
  readonly model?: string | GivenModel;
  /** Address of an `openai-compatible` model. */
  readonly modelUrl?: string;
  /** Milliseconds that a model behind a server may take over one answer. */
  readonly modelTimeoutMs?: number;
  /** Least limit on the tokens of an answer of the model; each prompt has its own if undefined. */
  readonly modelOutputTokens?: number | undefined;
  /**
   * Tokens that a reply of the model may have for thoughts, beyond those of its answer; 8,192 if
   * undefined and the model thinks.
   */
  readonly modelThinkingTokens?: number | undefined;
  /**
   * Further fields of each request to the model, such as `{ reasoning_effort: 'low' }`, as the
   * provider names them; `null` leaves one out.
   */
  readonly modelOptions?: Readonly<Record<string, unknown>>;
  readonly price?: GivenPrice;
  /** File that records completions, or replays them without a model. */
  readonly cassette?: string;
  /** Limits what all questions together may use of the language model. */
  readonly totalBudget?: Budget;
  /** `MULTIHOP_MODELS` and the API keys; the environment of this process if undefined. */
  readonly env?: Environment;
  /** Receives notes and warnings; they are dropped if undefined. */
  readonly notices?: Notices;
}

/** Files and folders to read; the format of each file is recognised unless `format` says it. */
export interface IngestedPaths {
  readonly paths: readonly string[];
  readonly format?: string | undefined;
  /** Throws at the first file or line that is malformed, instead of skipping it. */
  readonly strict?: boolean;
  /** Reads what `.gitignore` and `node_modules` leave out, too. */
  readonly all?: boolean;
  /** Removes the documents of files that vanished from these paths or are left out now. */
  readonly sync?: boolean;
}

export type IngestSource =
  | Iterable<Ingestible | ReadEvent>
  | AsyncIterable<Ingestible | ReadEvent>
  | IngestedPaths;

export interface StoreIngestOptions {
  /** Documents a write; every document of a finished batch is stored. */
  readonly batch?: number;
  readonly signal?: AbortSignal;
}

/** Number of texts of a unit that have vectors of a space. */
export interface EmbeddedEvent {
  readonly type: 'embedded';
  readonly space: string;
  readonly unit: Unit;
  readonly done: number;
  readonly total: number;
  /** Number of texts that a model embedded so far; the other vectors came from the cache. */
  readonly computed: number;
}

/** A phase of an ingest begins; the documents are stored by then. */
export interface PhaseEvent {
  readonly type: 'phase';
  readonly phase: 'embedding' | 'indexing' | 'graph';
}

/** Documents were added to an index of the graph of sentences, or to the claim base. */
export interface GraphEvent {
  readonly type: 'graph';
  /** Kind and settings: `entities(names)`, `nearest(bge-small-en-v1.5)`, `claims(rules)`. */
  readonly index: string;
  /** Number of documents that were added, of `total` that the index lacked. */
  readonly done: number;
  readonly total: number;
}

/** Reports vectors, indexes and graphs that a store makes after a write. */
export type VectorEvent = PhaseEvent | EmbeddedEvent | GraphEvent;

export type StoreIngestEvent = IngestEvent | SkippedEvent | VectorEvent;

export interface IngestSummary {
  /** Number of documents that were read. */
  readonly read: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Number of documents of vanished files that `sync` removed. */
  readonly removed: number;
  /** Number of documents of vanished files that stay, without `sync`. */
  readonly vanished: number;
  readonly skipped: readonly Omit<SkippedEvent, 'type'>[];
  /** Number of documents in the store. */
  readonly documents: number;
  /** Number of texts with vectors, by space. */
  readonly embedded: Readonly<Record<string, number>>;
  /** Number of documents that were added to each index of the graph, and to the claim base. */
  readonly graph: Readonly<Record<string, number>>;
  /** Work of the language model that read documents into the graph, if any. */
  readonly graphModel?: GraphSpending;
  /** Work of the language model that generated claims, if any. */
  readonly claimsModel?: ClaimsSpending;
}

export interface SearchHit extends About {
  /** From 1, best first. */
  readonly rank: number;
  /** Id of the document, passage or sentence. */
  readonly id: string;
  readonly score: number;
  /** UTF-16 offsets in the document's text. */
  readonly start: number;
  readonly end: number;
  /** The sentence of the hit that best supports the query. */
  readonly quotes: readonly Quote[];
  /** Number of hits with this text, white space aside; missing for a single hit. */
  readonly places?: number;
  /** Ids of the first 20 of the other hits with this text. */
  readonly others?: readonly string[];
  readonly explanation?: Explanation;
}

export interface DocumentPage {
  /** Ascending by id. */
  readonly documents: readonly Document[];
  /** Number of documents that pass the filter, on all pages. */
  readonly total: number;
  /** `after` of the next page; undefined on the last. */
  readonly next?: string;
}

/** A filter, or its expression, such as `source = "The Verge" and published_at >= 2023-10-01`. */
export type GivenFilter = Filter | string;

/** The options of `ask` without an engine, and with filters as expressions. */
export interface StoreAskOptions
  extends Omit<AskOptions, 'engine' | 'filter' | 'manifest' | 'model'> {
  /** The language model of this question, in place of that of the store. */
  readonly model?: GivenModel | undefined;
  readonly filter?: GivenFilter;
}

export type StoreRetrieveOptions = Omit<StoreAskOptions, 'reader' | 'schema' | 'onText'>;

export interface StoreSearchOptions {
  readonly retriever?: AskOptions['retriever'];
  /** Largest number of hits; 10 if undefined. */
  readonly k?: number;
  readonly filter?: GivenFilter;
  /** Adds to each hit how its score comes about; for `lexical` retrievers alone. */
  readonly explain?: boolean;
  readonly signal?: AbortSignal;
  /** `ms`, `retrievals` and `rerankedPairs`: `PortError("budget-reached")` at a limit. */
  readonly budget?: Budget;
}

export interface StorePageOptions {
  readonly filter?: GivenFilter | undefined;
  /** Lists documents whose ids come after this one: the `next` of the page before. */
  readonly after?: string | undefined;
  /** Largest number of documents on the page; 100 if undefined. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Evidence without an answer. */
export interface Retrieved {
  readonly evidence: readonly Evidence[];
  /** The evidence in words, as a reader would get it. */
  readonly context: ContextText;
  /** Ids of the documents that the strategy would hand over: the evidence first, best first. */
  readonly ranking: readonly string[];
  readonly trace: Trace;
}

/**
 * A durable store with its models. After `close` every method throws `InputError('store-closed')`.
 *
 * @example
 * ```ts
 * import { type DocumentStore, openStore } from 'multihop';
 *
 * const store: DocumentStore = await openStore('ships.store');
 * await store.ingest([{ id: 'linnet', text: 'The Linnet lost its engines.' }]);
 * console.log((await store.document('linnet'))?.text);
 * await store.close(); // or open it by `await using`
 * ```
 */
export interface DocumentStore extends AsyncDisposable {
  /** The path of a folder, or the address of a server without credentials. */
  readonly place: string;
  /**
   * Stores documents, or the documents of files, and gives them vectors. `await` returns the
   * summary, `for await` the events. A document that is stored already is left as it is; one with a
   * known id and other text replaces the old one.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('ingest.store');
   * for await (const event of store.ingest(['The Linnet lost its engines.']))
   *   if (event.type === 'stored') console.log(event.documents, event.added);
   * ```
   */
  ingest(source: IngestSource, options?: StoreIngestOptions): Run<StoreIngestEvent, IngestSummary>;
  /**
   * Answers a question. `await` returns the trace, `for await` its events.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('ask.store');
   * await store.ingest(['The Linnet lost its engines.']);
   * const trace = await store.ask('Which ship lost its engines?', { reader: 'extractive' });
   * if (trace.answer.kind === 'answered') console.log(trace.answer.text, trace.answer.citations);
   * ```
   */
  ask<T = unknown>(
    question: string,
    options?: StoreAskOptions & OfSchema<T>,
  ): Run<TraceEvent, Trace<T>>;
  /**
   * Runs the strategy of `ask` and returns its evidence; no reader answers.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('retrieve.store');
   * await store.ingest(['The Linnet lost its engines.']);
   * const { evidence, context } = await store.retrieve('Which ship lost its engines?', {
   *   budget: { contextTokens: 200 },
   * });
   * console.log(evidence.length, context.text);
   * ```
   */
  retrieve(question: string, options?: StoreRetrieveOptions): Run<TraceEvent, Retrieved>;
  /**
   * Searches once.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('search.store');
   * await store.ingest([{ text: 'The Linnet sails.', source: 'Harbour Ledger' }]);
   * const hits = await store.search('Linnet', { k: 3, filter: 'source = "Harbour Ledger"' });
   * for (const { rank, id, score } of hits) console.log(rank, id, score);
   * ```
   */
  search(query: string, options?: StoreSearchOptions): Promise<SearchHit[]>;
  /**
   * Lists documents, ascending by id.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('documents.store');
   * await store.ingest(['One ship.', 'Two ships.', 'Three ships.']);
   * let page = await store.documents({ limit: 2 });
   * while (page.next !== undefined) page = await store.documents({ limit: 2, after: page.next });
   * console.log(page.total);
   * ```
   */
  documents(options?: StorePageOptions): Promise<DocumentPage>;
  /** Reads one document; undefined if the store does not hold it. */
  document(id: string): Promise<Document | undefined>;
  /**
   * Removes documents, from the disk too. Throws `InputError('unknown-id')` before removing any.
   * Returns the number of removed documents.
   *
   * @example
   * ```ts
   * import { openStore } from 'multihop';
   *
   * await using store = await openStore('remove.store');
   * await store.ingest([{ id: 'linnet', text: 'The Linnet sails.' }]);
   * console.log(await store.remove(['linnet']));
   * ```
   */
  remove(ids: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Aborts what is under way, writes the indexes and closes the models. */
  close(): Promise<void>;
}
