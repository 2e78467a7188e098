/**
 * Opens the store that `--store` names, with its warnings on stderr, and the models by which it is
 * searched.
 */
import type { Reranker } from '../../models/reranker.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import { nodeDisk } from '../storage/disk.ts';
import { readManifest } from '../storage/generation.ts';
import { Store, type StoreOptions } from '../storage/store.ts';
import { retrieverInStore } from '../stored-units.ts';
import type { CommandContext } from './command.ts';
import { embedCommand } from './embed-store.ts';
import { cacheOf, Models } from './open-models.ts';

export async function openStore(
  { options, output }: CommandContext,
  more: StoreOptions = {},
): Promise<Store> {
  return Store.open(options.required('store'), {
    ...more,
    onWarning: ({ message }) => output.warn(message),
  });
}

/** What a store is searched by, as the user named it. */
export interface Searching {
  readonly retriever: string;
  readonly strategy?: Pick<Strategy, 'reranker'>;
}

export interface SearchedStore {
  readonly store: Store;
  readonly rerankers: readonly Reranker[];
  /**
   * What each model is behind the name by which retriever and strategy call it: its identity, for
   * the record of a run.
   */
  readonly identities: Readonly<
    Record<'embedders' | 'rerankers', Readonly<Record<string, string>>>
  >;
  /** What the retriever's name means in this store; see `retrieverInStore`. */
  readonly retriever: string;
}

/**
 * With the models that this retriever and this strategy call for, and no other; they are put away
 * however the work ends. What cannot be written is searched all the same.
 */
export async function withSearchedStore<T>(
  context: CommandContext,
  searching: Searching,
  work: (searched: SearchedStore) => Promise<T>,
): Promise<T> {
  const folder = context.options.required('store');
  const models = new Models(context, cacheOf(folder), { optionalCache: true });
  try {
    return await work(await openSearchedStore(context, searching, models));
  } finally {
    await models.close();
  }
}

async function openSearchedStore(
  context: CommandContext,
  { retriever: given, strategy }: Searching,
  models: Models,
): Promise<SearchedStore> {
  const folder = context.options.required('store');
  const manifest = await readManifest(nodeDisk, folder);
  // What is no store is told as such before any model is loaded.
  if (!manifest) await openStore(context);
  const retriever = retrieverInStore(given, manifest ?? {});
  const embedders = await models.forSearch([retriever], manifest?.spaces ?? []);
  const rerankers = await models.rerankers([retriever], strategy ? [strategy] : []);
  const onFitting = (unit: Unit, space: string): void =>
    context.output.note(
      `Fitting ${space} on the ${unit}s; ${embedCommand(folder, space, unit)} keeps it`,
    );
  const identities = {
    embedders: Object.fromEntries(embedders.map(({ name, embedder }) => [name, embedder.id])),
    rerankers: Object.fromEntries(rerankers.map(({ model, identity }) => [model.id, identity])),
  };
  return {
    store: await openStore(context, { embedders, onFitting }),
    rerankers: rerankers.map(({ model }) => model),
    identities,
    retriever,
  };
}
