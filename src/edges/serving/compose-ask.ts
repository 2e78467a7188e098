/** Composes one question over a store from plain options: models, files, budget, filter. */
import { DEFAULTS } from '../../ask.ts';
import { retrieverFor, updaterOf } from '../../asking/query-updaters.ts';
import { strategies } from '../../strategies/strategies.ts';
import { openQueryUpdaters } from '../query-updater-files.ts';
import { openTokenClassifiers } from '../token-classifier-files.ts';
import { type AskedStore, type AskStoreOptions, askStore } from './ask-store.ts';
import { type LanguageModelOptions, openLanguageModel } from './language-model.ts';
import { type SearchedStoreOptions, withSearchedStore } from './searched-store.ts';

type Searching = Omit<SearchedStoreOptions, 'retriever' | 'strategy'>;
type Asking = Omit<
  AskStoreOptions,
  'strategy' | 'model' | 'queryUpdaters' | 'tokenClassifiers' | 'context' | 'reader'
>;

export interface ComposedAskOptions extends Searching, Asking {
  /** Names; those of `DEFAULTS` if undefined. */
  readonly strategy?: string | undefined;
  readonly retriever?: string | undefined;
  readonly context?: string | undefined;
  readonly reader?: string | undefined;
  /** Checkpoints of query updaters: `FILE` or `NAME=FILE`. */
  readonly queryUpdaterFiles?: readonly string[];
  /** Checkpoints of token classifiers: `FILE` or `NAME=FILE`. */
  readonly tokenClassifierFiles?: readonly string[];
  readonly language?: LanguageModelOptions;
}

/** Opens what one question needs, passes its run to `work`, and closes everything after it. */
export async function withAsk<T>(
  question: string,
  options: ComposedAskOptions,
  work: (asked: AskedStore) => Promise<T>,
): Promise<T> {
  const { strategy: name = DEFAULTS.strategy, queryUpdaterFiles = [], language } = options;
  const queryUpdaters = await openQueryUpdaters(queryUpdaterFiles, [name]);
  const tokenClassifiers = await openTokenClassifiers(options.tokenClassifierFiles ?? []);
  const strategy = strategies.create(name);
  const updater = updaterOf(
    strategy,
    queryUpdaters.map(({ model }) => model),
  );
  const retriever = options.retriever ?? (updater ? retrieverFor(updater) : DEFAULTS.retriever);
  return withSearchedStore({ ...options, retriever, strategy }, async searched => {
    const opened = language ? await openLanguageModel(language) : undefined;
    try {
      const model = opened?.decorated?.model;
      const asked = await askStore(searched, question, {
        ...askingOf(options),
        ...{ queryUpdaters, tokenClassifiers, strategy },
        ...(model ? { model } : {}),
      });
      await using _ = asked.engine;
      return await work(asked);
    } finally {
      await opened?.close();
    }
  });
}

/** Picks the options of the run, without those that are undefined. */
function askingOf(options: ComposedAskOptions): Omit<AskStoreOptions, 'strategy' | 'model'> {
  const { context, reader, budget, filter, signal, onText, id } = options;
  return {
    ...(context === undefined ? {} : { context }),
    ...(reader === undefined ? {} : { reader }),
    ...(budget ? { budget } : {}),
    ...(filter ? { filter } : {}),
    ...(signal ? { signal } : {}),
    ...(onText ? { onText } : {}),
    ...(id === undefined ? {} : { id }),
  };
}
