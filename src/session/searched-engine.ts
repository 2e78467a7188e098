/** Opens an engine on a server with the models that a retriever and other members of a run need. */
import type { Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { retrievers } from '../search/retrievers.ts';
import { named } from '../stores/disk/store-embedders.ts';
import { openEngine } from '../stores/servers/open-engine.ts';
import type { RemoteEngine, RemoteState } from '../stores/servers/remote-engine.ts';
import { retrieverInStore } from '../stores/stored-units.ts';
import { Models, openedEmbedder } from './models.ts';
import { retrieverNeeds } from './retriever-needs.ts';
import type { Needing, SearchedStore, SearchedStoreOptions } from './searched-store.ts';

export interface SearchedEngineOptions
  extends Pick<
    SearchedStoreOptions,
    'retriever' | 'members' | 'env' | 'embedders' | 'resources' | 'baseUrl' | 'rerankerUrl'
  > {
  /** Address of the engine. */
  readonly engine: string;
}

export interface SearchedEngine extends Pick<SearchedStore, 'resources' | 'retriever'> {
  readonly store: RemoteEngine;
  readonly state: RemoteState;
}

/** Opens the engine and the models of one run, and closes them after `work`. */
export async function withSearchedEngine<T>(
  options: SearchedEngineOptions,
  work: (searched: SearchedEngine) => Promise<T>,
): Promise<T> {
  const { engine: url, env, members = [] } = options;
  const models = new Models(options);
  const opened: RemoteEngine[] = [];
  try {
    const plain = await openEngine(url, { env, create: false });
    opened.push(plain);
    const state = await plain.state(freeCall());
    const recorded = state.spaces.map(space => ({ ...space, id: space.name }));
    const retriever = retrieverInStore(options.retriever, { spaces: recorded });
    const embedders = await models.forSearch([retriever], recorded);
    if (embedders.length > 0)
      opened.push(
        await openEngine(url, {
          ...{ env, create: false, units: unitsOf(state) },
          embedders: embedders.map(named),
        }),
      );
    const needs = [...retrieverNeeds([retriever]), ...needsOf(members)];
    const provided = await models.forNeeds(needs);
    return await work({
      ...{ store: opened.at(-1)!, state },
      resources: [...embedders.map(openedEmbedder), ...provided],
      retriever: retrievers.create(retriever),
    });
  } finally {
    for (const engine of opened) await engine.close();
    await models.close();
  }
}

const needsOf = (members: readonly Needing[]) => members.flatMap(({ needs = [] }) => needs);

/** All spaces of an engine have the same units. */
const unitsOf = ({ spaces }: RemoteState): readonly Unit[] => spaces[0]?.units ?? ['passage'];
