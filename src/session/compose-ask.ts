/** Composes one question over a store from plain options: models, files, budget, filter. */

import { readers } from '../readers/readers.ts';
import { DEFAULTS, usualReader } from '../run/ask.ts';
import { usualRetriever } from '../run/run-resources.ts';
import { STORED_INDEXES } from '../stores/disk/manifest.ts';
import { strategies } from '../strategies/strategies.ts';
import { type AskedStore, type AskStoreOptions, askStore } from './ask-store.ts';
import { type LanguageModelOptions, namesModel, openLanguageModel } from './language-model.ts';
import { givenOf, openedModel } from './opened-resources.ts';
import { openResourceFiles, type ResourceFiles } from './resource-files.ts';
import { type SearchedStoreOptions, withSearchedStore } from './searched-store.ts';

type Searching = Omit<SearchedStoreOptions, 'retriever' | 'members' | 'indexes'>;
type Asking = Omit<AskStoreOptions, 'strategy' | 'opened' | 'context' | 'reader'>;

/** Indexes that a strategy reads which searches more units than the retriever's. */
const PLAIN_INDEXES = STORED_INDEXES.filter(key => key.endsWith('.plain'));

export interface ComposedAskOptions extends Searching, Asking {
  /** Names; those of `DEFAULTS` if undefined, and the reader of `usualReader`. */
  readonly strategy?: string | undefined;
  readonly retriever?: string | undefined;
  readonly context?: string | undefined;
  readonly reader?: string | undefined;
  /** Files of resources by port: `FILE` or `NAME=FILE`. */
  readonly files?: ResourceFiles;
  readonly language?: LanguageModelOptions;
}

/** Opens what one question needs, passes its run to `work`, and closes everything after it. */
export async function withAsk<T>(
  question: string,
  options: ComposedAskOptions,
  work: (asked: AskedStore) => Promise<T>,
): Promise<T> {
  const { strategy: name = DEFAULTS.strategy, files = {}, language } = options;
  const strategy = strategies.create(name);
  const opened = await openResourceFiles(files, strategy.needs);
  const retriever =
    options.retriever ?? usualRetriever(strategy, givenOf(opened)) ?? DEFAULTS.retriever;
  const reader = options.reader ?? usualReader(language ? namesModel(language) : false);
  const members = [strategy, readers.create(reader)];
  const indexes = (strategy.units ?? []).length > 0 ? PLAIN_INDEXES : [];
  return withSearchedStore({ ...options, retriever, members, indexes }, async searched => {
    const model = language ? await openLanguageModel(language) : undefined;
    try {
      const asked = await askStore(searched, question, {
        ...askingOf({ ...options, reader }),
        strategy,
        opened: [...opened, ...openedModel(model?.decorated?.model)],
      });
      await using _ = asked.engine;
      return await work(asked);
    } finally {
      await model?.close();
    }
  });
}

/** Picks the options of the run, without those that are undefined. */
export function askingOf(
  options: ComposedAskOptions,
): Omit<AskStoreOptions, 'strategy' | 'opened'> {
  const { context, reader, budget, filter, signal, onText, answerAt, startedAt, id } = options;
  return {
    ...(context === undefined ? {} : { context }),
    ...(reader === undefined ? {} : { reader }),
    ...(budget ? { budget } : {}),
    ...(filter ? { filter } : {}),
    ...(signal ? { signal } : {}),
    ...(onText ? { onText } : {}),
    ...(answerAt === undefined ? {} : { answerAt }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(id === undefined ? {} : { id }),
  };
}
