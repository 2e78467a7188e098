/** The models of a command: made when a retriever or an ingest asks for them, with a cache on the disk before each, and put away at the end. */
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { cachedEmbedder } from '../../models/cached-embedder.ts';
import { cachedReranker } from '../../models/cached-reranker.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { Reranker } from '../../models/reranker.ts';
import { didYouMean } from '../../naming/nearest.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { canonicalSpace, isFittedSpace } from '../../retrieval/space-names.ts';
import { modelsOf } from '../retriever-models.ts';
import type { NamedModel } from '../runs/evaluation-run.ts';
import { sha256 } from '../sha256.ts';
import type { SpaceRecord, StoreEmbedder } from '../storage/index.ts';
import { VectorCacheFolder } from '../storage/vector-cache.ts';
import type { CommandContext, Option } from './command.ts';

export const EMBEDDER_OPTION: Option = {
  name: 'embedder',
  value: 'NAME',
  repeatable: true,
  summary: 'bge-small-en-v1.5 (a folder in MULTIHOP_MODELS), hub:ORG/NAME, or openai-compatible:MODEL; its space is dense(NAME)',
};
export const BASE_URL_OPTION: Option = {
  name: 'base-url',
  value: 'URL',
  summary: 'where an openai-compatible embedder is asked; its key comes from MULTIHOP_API_KEY',
};
export const RERANKER_URL_OPTION: Option = {
  name: 'reranker-url',
  value: 'URL',
  summary: 'where a reranker tei:MODEL, cohere:MODEL or jina:MODEL is asked',
};

/** What a model may have beside its port. */
interface Closing {
  close?(): Promise<void>;
  readonly truncated?: { readonly texts: number };
}

/** Models of one command. */
export class Models {
  private readonly context: CommandContext;
  private readonly cache: VectorCacheFolder | undefined;
  private readonly queries: boolean;
  private readonly quiet: boolean;
  private readonly made: Closing[] = [];

  /** Without a folder nothing is remembered. `queries`: those are remembered too. `quiet`: an evaluation has no ingest, and shows its progress. */
  constructor(
    context: CommandContext,
    folder: string | undefined,
    { queries = false, quiet = queries }: { readonly queries?: boolean; readonly quiet?: boolean } = {},
  ) {
    this.queries = queries;
    this.quiet = quiet;
    this.context = context;
    this.cache = folder === undefined ? undefined : new VectorCacheFolder(folder);
  }

  /** Those that `--embedder` names, for an ingest. Passages go through the cache. */
  async forIngest(units: readonly Unit[]): Promise<StoreEmbedder[]> {
    const names = this.given();
    const embedders: StoreEmbedder[] = [];
    for (const name of names) embedders.push(await this.embedder(name, this.context.options.text('base-url'), units));
    return embedders;
  }

  /** Those that the retrievers search by: of the store's own, and of `--embedder`. Throws `InputError('unknown-space')`. */
  async forSearch(retrievers: readonly string[], recorded: readonly SpaceRecord[] = []): Promise<StoreEmbedder[]> {
    const given = this.given();
    const embedders: StoreEmbedder[] = [];
    for (const space of modelsOf(retrievers).spaces) {
      const record = recorded.find(({ name }) => name === space);
      if (!record && !given.includes(space)) throw unknownSpace(space, [...recorded.map(({ name }) => name), ...given]);
      const one = await this.embedder(space, this.context.options.text('base-url') ?? record?.baseUrl, record?.units ?? []);
      embedders.push({ ...one, embedder: this.told(one) });
    }
    return embedders;
  }

  /** Those that the retrievers name. */
  async rerankers(retrievers: readonly string[]): Promise<NamedModel<Reranker>[]> {
    const { resolveReranker } = await import('../providers/resolve-model.ts');
    const rerankers: NamedModel<Reranker>[] = [];
    for (const name of modelsOf(retrievers).rerankers) {
      const reranker = await resolveReranker(name, { env: this.context.env, baseUrl: this.context.options.text('reranker-url') });
      this.made.push(reranker as Reranker & Closing);
      const scored = this.cache ? cachedReranker(reranker, this.cache, { hash: sha256 }) : reranker;
      const model: Reranker = { id: name, score: (query, texts, call) => scored.score(query, texts, call) };
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
    await this.cache?.close();
  }

  async close(): Promise<void> {
    for (const model of this.made) await model.close?.();
    await this.cache?.close();
  }

  /** Says so when a search has to embed documents: what is searched was not embedded at ingest. */
  private told({ name, embedder }: StoreEmbedder): Embedder {
    const { id, dimensions } = embedder;
    const { output } = this.context;
    const { quiet } = this;
    let told = false;
    return {
      id,
      dimensions,
      embed(texts, as, call) {
        if (as === 'passage' && !told && !quiet) {
          told = true;
          output.note(`Embedding what is searched by ${name}; see --unit of multihop ingest, which embeds it once`);
        }
        return embedder.embed(texts, as, call);
      },
    };
  }

  private given(): string[] {
    const names = this.context.options.texts('embedder').map(canonicalSpace);
    const fitted = names.find(isFittedSpace);
    if (fitted !== undefined)
      throw new InputError('fitted-space', `"${fitted}" needs no --embedder`, {
        expected: 'a model',
        hint: 'It is fitted on the documents themselves: search with dense(lsa).',
      });
    return [...new Set(names)];
  }

  private async embedder(name: string, baseUrl: string | undefined, units: readonly Unit[]): Promise<StoreEmbedder> {
    const { resolveEmbedder } = await import('../providers/resolve-model.ts');
    const { embeddingTraits } = await import('../providers/known-models.ts');
    const asked = name.startsWith('openai-compatible:') ? baseUrl : undefined;
    const embedder = await resolveEmbedder(name, { env: this.context.env, baseUrl: asked });
    this.made.push(embedder as Embedder & Closing);
    const prefixes = embeddingTraits(name.replace(/^[\w-]+:/, ''))?.prefixes;
    return {
      name,
      embedder: this.cache ? cachedBehind(embedder, this.cache, this.queries) : embedder,
      ...(prefixes ? { prefixes } : {}),
      ...(asked === undefined ? {} : { baseUrl: withoutSecrets(asked) }),
      units,
    };
  }
}

/** A user's question is rarely asked twice, and asking it should not write. */
function cachedBehind(embedder: Embedder, cache: VectorCacheFolder, queries: boolean): Embedder {
  const cached = cachedEmbedder(embedder, cache, { hash: sha256 });
  const { id, dimensions } = embedder;
  return { id, dimensions, embed: (texts, as, call) => (as === 'passage' || queries ? cached : embedder).embed(texts, as, call) };
}

function withoutSecrets(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

function unknownSpace(space: string, known: readonly string[]): InputError {
  return new InputError('unknown-space', `Nothing is known of the vector space "${space}"`, {
    expected: `one of ${['lsa', ...new Set(known)].join(', ')}`,
    hint: didYouMean(space, ['lsa', ...known]) || `Embed the documents by it: multihop ingest PATH... --store DIR --embedder ${space}`,
  });
}

/** Beside the documents of the store, whose text is the truth: it may be deleted. */
export const cacheOf = (store: string): string => join(store, 'cache');
