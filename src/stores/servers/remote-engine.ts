/** Declares engines on servers: what the two kinds share, and the options that both take. */
import type { Chunker } from '../../core/corpus/chunker.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { LoadLibrary } from '../../platform/optional-package.ts';
import type { Engine, EngineSnapshot } from '../../search/engine.ts';
import type { PlaceSnapshot } from '../../search/place.ts';
import type { TextTemplate } from '../../search/vectors/text-templates.ts';
import type { SpaceRecord } from './remote-spaces.ts';

export interface RemoteEngineOptions {
  /** Creates the tables or indices if they are missing; true if undefined. */
  readonly create?: boolean;
  /** Chunker of a new engine; one that exists keeps its own. */
  readonly chunker?: string | Chunker;
  /** A vector space each, named by the embedder's id; one that exists needs the same to write. */
  readonly embedders?: readonly Embedder[];
  readonly template?: string | TextTemplate;
  /** Units that get vectors; passages if missing. */
  readonly units?: readonly Unit[];
  /** `approximate` searches vectors by HNSW; `exact` if missing. */
  readonly vectorSearch?: 'exact' | 'approximate';
  /** Variants of `bm25` to serve, the first being the default. */
  readonly scorers?: readonly string[];
  /** Milliseconds that one request to the server may take; 30,000 if undefined. */
  readonly timeoutMs?: number;
  /** `MULTIHOP_ENGINE_USER` and `MULTIHOP_ENGINE_PASSWORD`; the process's if undefined. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Loads the client library; by default the installed package. */
  readonly load?: LoadLibrary;
}

/** Time limit of a request: that of a model server for the first line of its answer. */
export const TIMEOUT_MS = 30_000;

/** The newest state of a server. */
export interface RemoteState {
  readonly documents: number;
  readonly chunker: string;
  readonly spaces: readonly SpaceRecord[];
  /** Changes with every write. */
  readonly generation: string;
}

/** One state of a server, whose documents can be listed. */
export interface RemoteSnapshot extends EngineSnapshot, Pick<PlaceSnapshot, 'page' | 'count'> {
  /** The state that it shows. */
  readonly shows: RemoteState;
}

/** An engine on a server. */
export interface RemoteEngine extends Engine, AsyncDisposable {
  /** The address without credentials, in quotes. */
  readonly label: string;
  /** Requests to the server so far, for measurements. */
  readonly roundTrips: number;
  state(call: Call): Promise<RemoteState>;
  snapshot(): Promise<RemoteSnapshot>;
  close(): Promise<void>;
}

/** Opens an engine by its address. Throws `InputError` or `PortError`. */
export type OpenRemote = (url: string, options: RemoteEngineOptions) => Promise<RemoteEngine>;

/** Returns the address of an engine without quotes and credentials. */
export const addressOf = ({ label }: Pick<RemoteEngine, 'label'>): string => label.slice(1, -1);
