/** Resolves the members of a run from the options of `ask`. */
import type { UnboundContext } from '../context/context.ts';
import { contexts } from '../context/contexts.ts';
import { languageModel } from '../models/ports.ts';
import { resourcesOf } from '../models/resources.ts';
import type { Reader } from '../readers/reader.ts';
import { readers } from '../readers/readers.ts';
import type { UnboundRetriever } from '../search/retriever.ts';
import { retrievers } from '../search/retrievers.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type AskOptions, DEFAULTS, readerFor } from './ask-options.ts';
import { type FoundResource, findResources, needyOf, retrieverFor } from './run-resources.ts';

/** The members of a run and the resources that they need. */
export interface Members {
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly retriever: UnboundRetriever;
  readonly context: UnboundContext;
  readonly found: readonly FoundResource[];
}

/** Resolves the members that the options name and the resources that they need. */
export async function membersOf(options: AskOptions): Promise<Members> {
  const { model, resources: others = {} } = options;
  const resources = model ? { ...others, [languageModel.name]: model } : others;
  const hasModel = resourcesOf(resources, languageModel.name).length > 0;
  const strategy = resolve(options.strategy, DEFAULTS.strategy, strategies);
  const reader = readerFor(options, hasModel);
  const context = resolve(options.context, DEFAULTS.context, contexts);
  const ofStrategy = await findResources([needyOf('strategy', strategy)], resources);
  const fallback = retrieverFor(ofStrategy) ?? DEFAULTS.retriever;
  const retriever = resolve(options.retriever, fallback, retrievers);
  const found = await findResources(
    [
      needyOf('strategy', strategy),
      needyOf('retriever', retriever),
      needyOf('context', context),
      needyOf('reader', reader),
    ],
    resources,
  );
  return { strategy, reader, retriever, context, found };
}

export interface MemberNames {
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
  readonly reader: string;
}

/** Returns the canonical names of the members of a run. Throws `InputError` for an unknown one. */
export const canonicalMembers = (names: MemberNames): MemberNames => ({
  strategy: strategies.canonical(names.strategy),
  retriever: retrievers.canonical(names.retriever),
  context: contexts.canonical(names.context),
  reader: readers.canonical(names.reader),
});

function resolve<T extends object>(
  chosen: string | NoInfer<T> | undefined,
  fallback: string,
  members: { create(name: string): T },
): T {
  return typeof chosen === 'object' ? chosen : members.create(chosen ?? fallback);
}
