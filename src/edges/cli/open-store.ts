/** Opens the store of `--store` and prints its warnings on stderr. */
import type { SearchedStoreOptions } from '../serving/searched-store.ts';
import { Store, type StoreOptions } from '../storage/store.ts';
import type { CommandContext } from './command.ts';
import { embedCommand } from './embed-store.ts';
import { modelSources } from './model-options.ts';

export function openStore(
  { options, output }: CommandContext,
  more: StoreOptions = {},
): Promise<Store> {
  return Store.open(options.required('store'), {
    ...more,
    onWarning: ({ message }) => output.warn(message),
  });
}

/** Returns the store of `--store` with the models of the options, for `withSearchedStore`. */
export function searchedStoreOptions(
  context: CommandContext,
  searching: Pick<SearchedStoreOptions, 'retriever' | 'strategy'>,
): SearchedStoreOptions {
  const { options, output } = context;
  const store = options.required('store');
  return {
    ...modelSources(context),
    ...searching,
    store,
    notices: output,
    onFitting: (unit, space) =>
      output.note(`Fitting ${space} on the ${unit}s; ${embedCommand(store, space, unit)} keeps it`),
    onSearchEmbeds: space =>
      output.note(
        `Embedding what is searched by ${space}; see --unit of multihop ingest, which embeds it once`,
      ),
  };
}
