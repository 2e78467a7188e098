/** Opens the store of `--store` and prints its warnings on stderr. */
import type { SearchedStoreOptions } from '../session/searched-store.ts';
import { Store } from '../stores/disk/store.ts';
import type { StoreOptions } from '../stores/disk/store-options.ts';
import type { CommandContext } from './command.ts';
import { embedCommand, graphCommand } from './embed-store.ts';
import { modelSources } from './model-options.ts';
import { Waiting } from './waiting.ts';

export function openStore(
  { options, output }: CommandContext,
  more: StoreOptions = {},
): Promise<Store> {
  const waiting = new Waiting(output);
  waiting.begin('opening the store');
  return Store.open(options.required('store'), {
    ...more,
    onWarning: warning => output.warn(warning.message, warning),
  }).finally(() => waiting.end());
}

/** Returns the store and the models of the options, for what searches a store. */
export function searchingOptions(
  context: CommandContext,
): Omit<SearchedStoreOptions, 'retriever' | 'strategy'> {
  const { options, output } = context;
  const store = options.required('store');
  return {
    ...modelSources(context),
    store,
    notices: output,
    onFitting: (unit, space) =>
      output.note(
        `Fitting ${space} on the ${unit}s; store the fit: ${embedCommand(store, space, unit)}`,
      ),
    onGraph(key) {
      const index = key.slice(0, key.lastIndexOf(' '));
      const space = /^nearest\((.*)\)$/s.exec(index)?.[1];
      output.note(
        `Building ${index} of the graph of sentences; keep it: ${graphCommand(store, 'names', space)}`,
      );
    },
    onBuilding: () =>
      output.note(
        `Building the indexes that the store lacks; store them: multihop verify --repair --store "${store}"`,
      ),
    onSearchEmbeds: space =>
      output.note(
        `Embedding texts by ${space} for this search; multihop ingest --embedder --unit stores their vectors`,
      ),
  };
}
