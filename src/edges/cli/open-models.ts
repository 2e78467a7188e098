/**
 * The models of a command: made when a retriever or an ingest asks for them, with a cache on the
 * disk before each, and put away at the end.
 *
 * An embedder behind HTTP is asked where `--base-url` says, else where the store's record says. The
 * record was written by whoever made the store: its address gets a key of the environment only
 * where `recordedKey` allows it; where it does not, the command is refused before any request.
 */
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { cachedEmbedder } from '../../models/cached-embedder.ts';
import { cachedReranker } from '../../models/cached-reranker.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { VectorCache } from '../../models/vector-cache.ts';
import { didYouMean } from '../../naming/nearest.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { canonicalSpace, isFittedSpace } from '../../retrieval/space-names.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import { recordedKey } from '../providers/environment-key.ts';
import { recordedAddress } from '../providers/recorded-address.ts';
import { modelsOf } from '../retriever-models.ts';
import { countedEmbedder } from '../runs/embedding-progress.ts';
import type { NamedModel } from '../runs/evaluation-run.ts';
import { sha256 } from '../sha256.ts';
import type { FittedRecord, SpaceRecord, StoreEmbedder } from '../storage/index.ts';
import { VectorCacheFolder } from '../storage/vector-cache.ts';
import type { CommandContext, Option } from './command.ts';
import { optionalCache } from './optional-cache.ts';

/** What differs between commands. */
export interface ModelsOptions {
  /** Queries are remembered too. */
  readonly queries?: boolean;
  /** An evaluation has no ingest, and shows its progress. */
  readonly quiet?: boolean;
  /** Where the cache cannot be written, the command goes on without, and says so once. */
  readonly optionalCache?: boolean;
  /** Told of texts that a model really embedded, as they come. */
  readonly onEmbedded?: (texts: number) => void;
}

export const EMBEDDER_OPTION: Option = {
  name: 'embedder',
  value: 'NAME',
  repeatable: true,
  summary:
    'bge-small-en-v1.5 (a folder in MULTIHOP_MODELS), hub:ORG/NAME, or openai-compatible:MODEL; its space is dense(NAME)',
};
export const BASE_URL_OPTION: Option = {
  name: 'base-url',
  value: 'URL',
  summary: 'where an openai-compatible embedder is asked; its key comes from MULTIHOP_API_KEY',
};
/** Of commands that know an address from the store. */
export const STORED_URL_OPTION: Option = {
  ...BASE_URL_OPTION,
  summary:
    'where an openai-compatible embedder is asked, with the key in MULTIHOP_API_KEY; without it the address in the store’s record, which gets the key on this machine only',
};
export const RERANKER_URL_OPTION: Option = {
  name: 'reranker-url',
  value: 'URL',
  summary: 'where a reranker tei:MODEL, cohere:MODEL or jina:MODEL is asked',
};

export const QUERY_UPDATER_OPTION: Option = {
  name: 'query-updater',
  value: 'FILE',
  repeatable: true,
  summary: 'a checkpoint for the strategy tree-hop; NAME=FILE for tree-hop(model=NAME)',
};

export const TOKEN_CLASSIFIERS_OPTION: Option = {
  name: 'token-classifiers',
  value: 'FILE',
  repeatable: true,
  summary:
    'a checkpoint of multihop efficient-rag train, in the place of the one that ships; NAME=FILE for efficient-rag(model=NAME)',
};

/** In the help of commands that ask. */
export const QUERY_UPDATER_NOTE =
  'tree-hop(k=5, hops=2) takes the checkpoint that ships with multihop, for vectors of bge-small-en-v1.5, or that of --query-updater FILE, as multihop treehop train and import write it. The checkpoint names its embedder: without --retriever that space is searched, dense(EMBEDDER), and another is refused.';

/** In the help of commands that search a store. */
export const DENSE_NOTE =
  'dense(NAME) searches by the vectors that multihop ingest --embedder NAME made, with the same model for the query. Where it names no unit, and the store has vectors of passages alone, it searches passages, and lexical parts beside it too; fact-lanes searches sentences whatever the unit is. Other units, dense(NAME, unit=sentence), are embedded when they are first searched, and lsa is fitted.';

/** What a model may have beside its port. */
interface Closing {
  close?(): Promise<void>;
  readonly truncated?: { readonly texts: number };
}

/** Models of one command. */
export class Models {
  private readonly context: CommandContext;
  private readonly folder: VectorCacheFolder | undefined;
  private readonly cache: VectorCache | undefined;
  private readonly options: ModelsOptions;
  private readonly made: Closing[] = [];

  /** Without a folder nothing is remembered. */
  constructor(context: CommandContext, folder: string | undefined, options: ModelsOptions = {}) {
    this.options = options;
    this.context = context;
    this.folder = folder === undefined ? undefined : new VectorCacheFolder(folder);
    const note = (problem: string): void =>
      context.output.note(`${problem}; what models compute is not kept`);
    this.cache =
      this.folder && options.optionalCache ? optionalCache(this.folder, note) : this.folder;
  }

  /**
   * Those that `--embedder` names, for an ingest: models, whose passages go through the cache, and
   * spaces that are fitted on the documents.
   */
  async forIngest(
    units: readonly Unit[],
  ): Promise<{ embedders: StoreEmbedder[]; fitted: FittedRecord[] }> {
    const names = this.given();
    const embedders: StoreEmbedder[] = [];
    const models = names.filter(name => !isFittedSpace(name));
    for (const name of models) embedders.push(await this.embedder(name, undefined, units));
    return { embedders, fitted: names.filter(isFittedSpace).map(space => ({ space, units })) };
  }

  /** One that a store was embedded by. */
  async recorded({ name, baseUrl, units }: SpaceRecord): Promise<StoreEmbedder> {
    return this.embedder(name, baseUrl, units);
  }

  /**
   * Throws `InputError('recorded-address')` where one of these would have to be asked at an address
   * that may not have the user's key. Asks nothing.
   */
  checkRecorded(records: readonly SpaceRecord[]): void {
    if (this.context.options.text('base-url') !== undefined) return;
    for (const { name, baseUrl } of records)
      if (isRemote(name) && baseUrl !== undefined) recordedKey(baseUrl, this.context.env);
  }

  /**
   * Those that the retrievers search by: of the store's own, where there is one, and of
   * `--embedder`. Throws `InputError('unknown-space')`.
   */
  async forSearch(
    retrievers: readonly string[],
    recorded?: readonly SpaceRecord[],
  ): Promise<StoreEmbedder[]> {
    const given = this.given();
    const fitted = given.find(isFittedSpace);
    if (fitted !== undefined)
      throw new InputError('fitted-space', `"${fitted}" needs no --embedder here`, {
        expected: 'a model',
        hint: `It is fitted on the documents themselves: search with dense(${fitted}).`,
      });
    const { spaces } = modelsOf(retrievers);
    this.checkRecorded((recorded ?? []).filter(({ name }) => spaces.includes(name)));
    const embedders: StoreEmbedder[] = [];
    for (const space of spaces) {
      const record = recorded?.find(({ name }) => name === space);
      if (!record && !given.includes(space)) throw unknownSpace(space, recorded, given);
      const one = await this.embedder(space, record?.baseUrl, record?.units ?? []);
      embedders.push({ ...one, embedder: this.told(one) });
    }
    return embedders;
  }

  /** Those that the retrievers and the strategies name, each once. */
  async rerankers(
    retrievers: readonly string[],
    strategies: readonly Pick<Strategy, 'reranker'>[] = [],
  ): Promise<NamedModel<Reranker>[]> {
    const { resolveReranker } = await import('../providers/resolve-model.ts');
    const rerankers: NamedModel<Reranker>[] = [];
    const ofStrategies = strategies.flatMap(({ reranker }) =>
      reranker === undefined ? [] : [reranker],
    );
    for (const name of new Set([...modelsOf(retrievers).rerankers, ...ofStrategies])) {
      const reranker = await resolveReranker(name, {
        env: this.context.env,
        baseUrl: this.context.options.text('reranker-url'),
      });
      this.made.push(reranker as Reranker & Closing);
      const scored = this.cache ? cachedReranker(reranker, this.cache, { hash: sha256 }) : reranker;
      const model: Reranker = {
        id: name,
        score: (query, texts, call) => scored.score(query, texts, call),
      };
      rerankers.push({ model, identity: reranker.id });
    }
    return rerankers;
  }

  /** Texts that were longer than their model reads. */
  get truncated(): number {
    return this.made.reduce((sum, { truncated }) => sum + (truncated?.texts ?? 0), 0);
  }

  /** Lets go of what is known of the cache; the next use reads it again. */
  async releaseCache(): Promise<void> {
    await this.folder?.close();
  }

  async close(): Promise<void> {
    for (const model of this.made) await model.close?.();
    await this.folder?.close();
  }

  /** Says so when a search has to embed documents: what is searched was not embedded at ingest. */
  private told({ name, embedder }: StoreEmbedder): Embedder {
    const { id, dimensions } = embedder;
    const { output } = this.context;
    const { queries = false, quiet = queries } = this.options;
    let told = false;
    return {
      id,
      dimensions,
      embed(texts, as, call) {
        if (as === 'passage' && !told && !quiet) {
          told = true;
          output.note(
            `Embedding what is searched by ${name}; see --unit of multihop ingest, which embeds it once`,
          );
        }
        return embedder.embed(texts, as, call);
      },
    };
  }

  private given(): string[] {
    return [...new Set(this.context.options.texts('embedder').map(canonicalSpace))];
  }

  private async embedder(
    name: string,
    recorded: string | undefined,
    units: readonly Unit[],
  ): Promise<StoreEmbedder> {
    const { resolveEmbedder } = await import('../providers/resolve-model.ts');
    const { embeddingTraits } = await import('../providers/known-models.ts');
    const remote = isRemote(name);
    const given = this.context.options.text('base-url');
    const asked = remote ? (given ?? recorded) : undefined;
    const embedder = await resolveEmbedder(name, {
      env: this.context.env,
      baseUrl: asked,
      recorded: given === undefined,
    });
    this.made.push(embedder as Embedder & Closing);
    const counted = countedEmbedder(embedder, this.options.onEmbedded ?? (() => {}));
    const prefixes = embeddingTraits(name.replace(/^[\w-]+:/, ''))?.prefixes;
    return {
      name,
      embedder: this.cache
        ? cachedBehind(
            counted,
            this.cache,
            this.options.queries ?? false,
            remote ? undefined : LOCAL_BATCH,
          )
        : counted,
      ...(prefixes ? { prefixes } : {}),
      ...(asked === undefined ? {} : { baseUrl: recordedAddress(asked) }),
      units,
    };
  }
}

/**
 * A long passage takes a small machine half a second: no more than some seconds' work is lost by a
 * kill.
 */
const LOCAL_BATCH = 16;

/** A user's question is rarely asked twice, and asking it should not write. */
function cachedBehind(
  embedder: Embedder,
  cache: VectorCache,
  queries: boolean,
  batch: number | undefined,
): Embedder {
  const cached = cachedEmbedder(embedder, cache, {
    hash: sha256,
    ...(batch === undefined ? {} : { batch }),
  });
  const { id, dimensions } = embedder;
  return {
    id,
    dimensions,
    embed: (texts, as, call) =>
      (as === 'passage' || queries ? cached : embedder).embed(texts, as, call),
  };
}

const isRemote = (name: string): boolean => name.startsWith('openai-compatible:');

/**
 * A store that has no vectors can be given some; one that has keeps to its first model, so that
 * another can only be asked at the search.
 */
function unknownSpace(
  space: string,
  recorded: readonly SpaceRecord[] | undefined,
  given: readonly string[],
): InputError {
  const known = ['lsa', ...new Set([...(recorded ?? []).map(({ name }) => name), ...given])];
  const way =
    recorded?.length === 0
      ? `Embed the documents by it: multihop ingest PATH... --store DIR --embedder ${space}`
      : `Name its model too: --embedder ${space}`;
  return new InputError('unknown-space', `Nothing is known of the vector space "${space}"`, {
    expected: `one of ${known.join(', ')}`,
    hint: didYouMean(space, known) || way,
  });
}

/** Beside the documents of the store, whose text is the truth: it may be deleted. */
export const cacheOf = (store: string): string => join(store, 'cache');
