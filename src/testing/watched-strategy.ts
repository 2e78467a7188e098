/**
 * Records how a strategy changes its evidence: the most that it held, withdrawals of the current
 * hop, and hits that the budget refused and no hop rejects.
 */

import type { Call } from '../core/trace/call.ts';
import type { OpenHop, Strategy } from '../strategies/strategy.ts';

interface Kept {
  readonly documentId: string;
  readonly tokens: number;
}

export class WatchedStrategy {
  /** The most that was kept at once. */
  readonly most = { documents: 0, contextTokens: 0 };
  /** True if the current hop has withdrawn an item. */
  withdrew = false;
  /** Ids that the budget refused in a hop which neither kept nor rejected them. */
  readonly lost: string[] = [];
  private readonly refused = new Set<string>();
  private readonly kept = new Map<string, Kept>();
  private readonly inner: Strategy;

  constructor(inner: Strategy) {
    this.inner = inner;
  }

  /** Returns the strategy for one run, with its calls recorded. */
  get strategy(): Strategy {
    const { inner } = this;
    const begin = (): void => {
      this.withdrew = false;
      this.refused.clear();
    };
    const end = ({ rejected }: OpenHop): void => {
      for (const { id } of rejected) this.refused.delete(id);
      this.lost.push(...this.refused);
    };
    const recorded = (call: Call): Call => this.recorded(call);
    return {
      ...inner,
      ranking: hops => inner.ranking(hops),
      async *hops(question, kit, call) {
        const source = inner.hops(question, kit, recorded(call));
        try {
          for (;;) {
            begin();
            const step = await source.next();
            if (step.done) return step.value;
            end(step.value);
            yield step.value;
          }
        } finally {
          await source.return(undefined as never);
        }
      },
    };
  }

  private recorded(call: Call): Call {
    return {
      ...call,
      keep: (item, tokens) => {
        const kept = call.keep(item, tokens);
        if (kept) this.kept.set(item.id, { documentId: item.documentId, tokens });
        this.refused[kept ? 'delete' : 'add'](item.id);
        this.measure();
        return kept;
      },
      withdraw: id => {
        call.withdraw(id);
        this.withdrew = true;
        this.kept.delete(id);
      },
    };
  }

  private measure(): void {
    const kept = [...this.kept.values()];
    const documents = new Set(kept.map(({ documentId }) => documentId)).size;
    const contextTokens = kept.reduce((sum, { tokens }) => sum + tokens, 0);
    this.most.documents = Math.max(this.most.documents, documents);
    this.most.contextTokens = Math.max(this.most.contextTokens, contextTokens);
  }
}
