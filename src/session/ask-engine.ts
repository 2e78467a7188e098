/** Composes one question over an engine on a server from plain options. */

import { freeCall } from '../core/trace/call.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { thisPackage } from '../platform/package-root.ts';
import { readers } from '../readers/readers.ts';
import { DEFAULTS, usualReader } from '../run/ask.ts';
import { checkQuestionText } from '../run/question-text.ts';
import { usualRetriever } from '../run/run-resources.ts';
import type { EngineSnapshot } from '../search/engine.ts';
import { checkFilterValues } from '../search/filter-values.ts';
import { addressOf } from '../stores/servers/remote-engine.ts';
import { strategies } from '../strategies/strategies.ts';
import { askingOf, type ComposedAskOptions } from './compose-ask.ts';
import { namesModel, openLanguageModel } from './language-model.ts';
import { givenOf, openedModel, priceManifest, resourceManifest } from './opened-resources.ts';
import { openResourceFiles } from './resource-files.ts';
import { withSearchedEngine } from './searched-engine.ts';
import { timedAsk } from './timed-ask.ts';

export interface AskedEngine {
  /** The snapshot that the run reads. */
  readonly engine: EngineSnapshot;
  readonly events: AsyncGenerator<TraceEvent, Trace, void>;
  /** Number of documents of the engine. */
  readonly documents: number;
  readonly label: string;
}

/** Opens what one question needs, passes its run to `work`, and closes everything after it. */
export async function withEngineAsk<T>(
  question: string,
  options: Omit<ComposedAskOptions, 'store'> & { readonly engine: string },
  work: (asked: AskedEngine) => Promise<T>,
): Promise<T> {
  const { strategy: name = DEFAULTS.strategy, files = {}, language } = options;
  checkQuestionText(question);
  const strategy = strategies.create(name);
  const opened = await openResourceFiles(files, strategy.needs);
  const retriever =
    options.retriever ?? usualRetriever(strategy, givenOf(opened)) ?? DEFAULTS.retriever;
  const reader = options.reader ?? usualReader(language ? namesModel(language) : false);
  const members = [strategy, readers.create(reader)];
  return withSearchedEngine({ ...options, retriever, members }, async searched => {
    const model = language ? await openLanguageModel(language) : undefined;
    try {
      const { store, state } = searched;
      const all = [...searched.resources, ...opened, ...openedModel(model?.decorated?.model)];
      await using engine = await store.snapshot();
      if (options.filter) await checkFilterValues(options.filter, engine, freeCall(options.signal));
      const { documents, chunker, generation } = state;
      const events = timedAsk(question, {
        ...askingOf({ ...options, reader, store: '' }),
        ...{ engine, strategy, retriever: searched.retriever, resources: givenOf(all) },
        manifest: {
          multihop: thisPackage().version,
          corpus: { documents, chunker, engine: addressOf(store), generation },
          ...resourceManifest(all),
          ...priceManifest(all),
        },
      });
      return await work({ engine, events, documents, label: addressOf(store) });
    } finally {
      await model?.close();
    }
  });
}
