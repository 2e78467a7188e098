/**
 * Defines a place that holds a corpus: memory, a folder, or a server. Every place is searched,
 * listed and written in the same way.
 */
import type { Document } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { InputError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { Manifest } from '../core/trace/trace.ts';
import type { ClaimGenerator } from '../models/claim-generator.ts';
import type { Embedder } from '../models/embedder.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import type { EngineSnapshot, Stored } from './engine.ts';

/** A vector space as a place records it. */
export interface PlaceSpace {
  readonly name: string;
  /** Identity of its embedder; servers record the name alone. */
  readonly id: string;
  readonly dimensions: number;
  /** Units that have vectors. */
  readonly units: readonly Unit[];
  /** Prefix of the texts of each role, if known. */
  readonly prefixes?: PlaceEmbedder['prefixes'];
  /** URL of an embedder that is called over HTTP, without secrets. */
  readonly baseUrl?: string;
  /** Name of the template of the texts that its embedder read. */
  readonly template?: string;
  /** True if some documents have no vectors yet. */
  readonly isPartial?: boolean;
}

/** The records of a place about its corpus. */
export interface PlaceState {
  readonly documents: number;
  readonly chunker: string;
  /** Id of the recogniser of the graph of sentences that it keeps, if any. */
  readonly graph?: string | undefined;
  /** Id of the generator of the claim base that it keeps, if any. */
  readonly claims?: string | undefined;
  readonly spaces: readonly PlaceSpace[];
}

/** An embedder under the name of its space. */
export interface PlaceEmbedder {
  readonly name: string;
  readonly embedder: Embedder;
  /** Units that it embeds when documents are written. */
  readonly units: readonly Unit[];
  readonly prefixes?: { readonly query: string; readonly passage: string };
  readonly baseUrl?: string;
  /** Template of a new server; the usual one if undefined. */
  readonly template?: string | undefined;
}

export interface PlaceModels {
  readonly embedders: readonly PlaceEmbedder[];
  /** Finds the entities of a graph; of a folder alone. */
  readonly recogniser?: { readonly name: string; readonly recogniser: EntityRecogniser };
  /** Generates the claims of a claim base; of a folder alone. */
  readonly claims?: { readonly name: string; readonly generator: ClaimGenerator };
}

export interface PageRequest {
  readonly filter?: Filter | undefined;
  /** Lists documents whose ids come after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export type CorpusManifest = Manifest & { readonly documents: number };

/** One state of a place, to read from until it is disposed of. */
export interface PlaceSnapshot extends AsyncDisposable {
  /** Searched by a run. */
  readonly engine: EngineSnapshot;
  /** Describes the corpus in the manifest of a run; names no folder and no secret. */
  readonly corpus: CorpusManifest;
  /** Returns documents ascending by id. Throws `InputError('bad-limit')`. */
  page(request: PageRequest, call: Call): Promise<readonly Document[]>;
  /** Returns the number of documents that pass the filter. */
  count(filter: Filter | undefined, call: Call): Promise<number>;
}

/** Reading a place that may be made makes nothing: it has no documents until the first write. */
export interface Place extends AsyncDisposable {
  /** Names the place in messages: a path, or an address without credentials. */
  readonly label: string;
  /** True if searches build indexes in this process, at their first use. */
  readonly buildsIndexes: boolean;
  /** Reads the newest state, whoever wrote it. Throws `PortError` for a place that is gone. */
  state(call: Call): Promise<PlaceState>;
  /** Searches and writes by these models from here on, beside those of earlier calls. */
  use(models: PlaceModels): Promise<void>;
  /** Opens the newest state, whoever wrote it. */
  snapshot(): Promise<PlaceSnapshot>;
  /** As of `Engine`. */
  put(documents: readonly Document[], call: Call): Promise<Stored>;
  /** As of `Engine`. */
  remove(ids: readonly string[], call: Call): Promise<Stored>;
  /** Gives documents the vectors that a `put` here leaves out, and writes their indexes. */
  complete(call: Call): Promise<void>;
}

/** Yields all documents that pass the filter, page by page. */
export async function* pagesOf(
  snapshot: PlaceSnapshot,
  { filter, limit }: PageRequest,
  call: Call,
): AsyncGenerator<readonly Document[], void, void> {
  for (let after: string | undefined; ; ) {
    const page = await snapshot.page({ filter, after, limit }, call);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!.id;
  }
}

/** Throws `InputError('bad-limit')`. */
export function checkPage({ limit }: PageRequest): void {
  if (Number.isInteger(limit) && limit >= 1) return;
  throw new InputError('bad-limit', 'The number of documents on a page', {
    expected: 'a whole number of at least 1',
    received: String(limit),
  });
}
