/** Opens the store that `--store` names, with its warnings on stderr, and the models by which it is searched. */
import type { Reranker } from '../../models/reranker.ts';
import { nodeDisk } from '../storage/disk.ts';
import { readManifest } from '../storage/generation.ts';
import { Store, type StoreOptions } from '../storage/store.ts';
import type { CommandContext } from './command.ts';
import { cacheOf, Models } from './open-models.ts';

export async function openStore({ options, output }: CommandContext, more: StoreOptions = {}): Promise<Store> {
  return Store.open(options.required('store'), { ...more, onWarning: ({ message }) => output.warn(message) });
}

export interface SearchedStore {
  readonly store: Store;
  readonly models: Models;
  readonly rerankers: readonly Reranker[];
}

/** With the models that this retriever calls for, and no other. */
export async function openSearchedStore(context: CommandContext, retriever: string): Promise<SearchedStore> {
  const folder = context.options.required('store');
  const manifest = await readManifest(nodeDisk, folder);
  // What is no store is told as such before any model is loaded.
  if (!manifest) await openStore(context);
  const models = new Models(context, cacheOf(folder));
  const embedders = await models.forSearch([retriever], manifest?.spaces);
  const rerankers = (await models.rerankers([retriever])).map(({ model }) => model);
  return { store: await openStore(context, { embedders }), models, rerankers };
}
