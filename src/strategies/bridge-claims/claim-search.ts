/** Searches the claims of a claim base, or the sentences of an engine that has none. */
import type { Call } from '../../core/trace/call.ts';
import type { Search } from '../../core/trace/trace.ts';
import type { Claim } from '../../models/claim-generator.ts';
import { CLAIMS, type Claims } from '../../search/ports/claims-port.ts';
import { type StrategyQuery, searchAll, searchOf } from '../../search/retriever.ts';
import type { Kit } from '../strategy.ts';

const UNIT = 'sentence';

export interface ClaimSearches {
  readonly searches: Search[];
  /** The claims of hits by sentence; empty without a claim base. */
  readonly claims: ReadonlyMap<string, Claim>;
}

export class ClaimSearch {
  private readonly kit: Kit;
  private readonly depth: number;
  private readonly base: Claims | undefined;

  constructor(kit: Kit, { depth, over }: { readonly depth: number; readonly over: string }) {
    [this.kit, this.depth] = [kit, depth];
    this.base = over === 'sentences' ? undefined : kit.engine.port(CLAIMS);
  }

  /** True if the claims were generated when the documents were ingested. */
  get hasBase(): boolean {
    return this.base !== undefined;
  }

  async search(queries: readonly StrategyQuery[], call: Call): Promise<ClaimSearches> {
    const { kit, depth: k, base } = this;
    const claims = new Map<string, Claim>();
    if (queries.length === 0) return { searches: [], claims };
    if (!base) {
      const searches = await searchAll(kit.retriever, queries, k, call, { unit: UNIT });
      return { searches, claims };
    }
    const found = await base.claims({ texts: queries.map(({ text }) => text), k }, call);
    const place = {
      retriever: `claims(${found.generator})`,
      unit: UNIT,
      within: undefined,
    } as const;
    const searches = found.lists.map((list, at) => {
      for (const { hit, claim } of list) claims.set(hit.id, claim);
      return searchOf(
        queries[at]!,
        list.map(({ hit }) => hit),
        place,
      );
    });
    return { searches, claims };
  }
}
