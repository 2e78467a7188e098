/** Walks over the graph of entities from names, for the strategies of HippoRAG. */
import type { Unit } from '../core/ranking/ranking.ts';
import type { Call } from '../core/trace/call.ts';
import type { Search, SearchRef } from '../core/trace/trace.ts';
import { requirePort } from '../search/capabilities.ts';
import { ENTITY_WALKS, type EntityWalkRequest } from '../search/ports/entity-walks-port.ts';
import type { Kit } from './strategy.ts';

/** An entity where a walk starts. */
export type StartEntity = readonly [name: string, weight: number];

/** Passages of a search and of a walk. */
export const WALK_DEPTH = 100;

export class EntityWalker {
  private readonly kit: Kit;
  private readonly call: Call;
  private readonly strategy: string;

  constructor(kit: Kit, call: Call, strategy: string) {
    [this.kit, this.call, this.strategy] = [kit, call, strategy];
  }

  /** Returns the entities that names mean, each with its specificity. */
  async entities(unit: Unit, names: readonly string[]): Promise<StartEntity[]> {
    const linked = await this.port().entities(unit, names, this.call);
    return linked.flatMap(entity => (entity ? [[entity.name, 1 / entity.items] as const] : []));
  }

  /** Returns the walk as a search that depends on that at `from`, at least as deep as a search. */
  async walk(text: string, from: SearchRef, request: EntityWalkRequest): Promise<Search> {
    const { unit, damping } = request;
    const k = Math.max(WALK_DEPTH, request.k);
    const hits = await this.port().walk({ ...request, k }, this.call);
    return { text, retriever: `entity-walks(damping=${damping})`, unit, hits, from };
  }

  private port() {
    return requirePort(this.kit.engine, ENTITY_WALKS, this.strategy);
  }
}
