/**
 * Accounts for one run: reserves before each call, settles after it, and never exceeds the budget.
 */
import { BudgetReached, type Call } from './call.ts';
import type { EvidenceItem } from './trace.ts';
import { addAmounts, addUsage, type Budget, type LimitName, type Usage } from './usage.ts';

export interface LedgerOptions {
  readonly budget: Budget;
  readonly signal: AbortSignal;
  /** Milliseconds on a monotonic clock. */
  readonly clock: () => number;
  /** Time on the clock at which the run began; now if missing. */
  readonly startedAt?: number | undefined;
}

interface KeptTokens {
  readonly documentId: string;
  readonly tokens: number;
}

export class Ledger implements Call {
  readonly budget: Budget;
  readonly signal: AbortSignal;
  /** Settled usage. */
  spent: Usage = {};
  /**
   * The first limit for which `keep` refused an item, if any.
   */
  refused: LimitName | undefined;

  private reserved: Usage = {};
  private aside: Usage = {};
  private closed: LimitName | undefined;
  /** The evidence by id, and its number of items by document. */
  private kept = new Map<string, KeptTokens>();
  private documents = new Map<string, number>();
  private readonly clock: () => number;
  private readonly started: number;

  constructor(options: LedgerOptions) {
    this.budget = options.budget;
    this.signal = options.signal;
    this.clock = options.clock;
    this.started = options.startedAt ?? options.clock();
  }

  /** Milliseconds since the run began, to the thousandth: digits beyond it are noise. */
  elapsed(): number {
    return Math.round((this.clock() - this.started) * 1000) / 1000;
  }

  /** Refuses every further reservation, naming this limit. */
  close(limit: LimitName): void {
    this.closed ??= limit;
  }

  /**
   * Sets part of the budget aside for the reading: until `reopen` it counts as spent. Returns
   * false, and sets nothing aside, if it does not fit.
   */
  setAside(usage: Usage): boolean {
    const fits = Object.entries(usage).every(
      ([key, amount]) => amount <= (this.budget[key as LimitName] ?? Number.POSITIVE_INFINITY),
    );
    if (!fits) return false;
    this.reserved = addUsage(this.reserved, usage);
    this.aside = addUsage(this.aside, usage);
    return true;
  }

  /**
   * Lifts `close` and frees what was set aside: the hops are over, and the reading may begin its
   * calls.
   */
  reopen(): void {
    this.closed = undefined;
    this.reserved = addUsage(this.reserved, negated(this.aside));
    this.aside = {};
  }

  /** Records a finished hop. */
  hop(): void {
    this.spent = addUsage(this.spent, { hops: 1 });
  }

  /** Returns the limit that forbids a further hop, if any. */
  over(): LimitName | undefined {
    if ((this.spent.hops ?? 0) >= (this.budget.hops ?? Number.POSITIVE_INFINITY)) return 'hops';
    return this.late() ? 'ms' : this.overspent();
  }

  left(): Budget {
    const left: Record<string, number> = {};
    for (const [key, limit] of Object.entries(this.budget) as [LimitName, number][]) {
      left[key] = Math.max(
        0,
        addAmounts(key, limit, -(key === 'ms' ? this.elapsed() : this.committed(key))),
      );
    }
    return left;
  }

  /**
   * A port that used more than it reserved is charged for its use. If that exceeds a limit, nothing
   * is begun or kept until the hops are over (`reopen`), and then nothing that uses more of the
   * same.
   */
  begin(_port: string, _role: string, atMost: Usage): (used: Usage) => void {
    this.signal.throwIfAborted();
    this.check();
    for (const [key, amount] of Object.entries(atMost) as [Exclude<LimitName, 'ms'>, number][]) {
      if (
        addAmounts(key, this.committed(key), amount) >
        (this.budget[key] ?? Number.POSITIVE_INFINITY)
      )
        throw new BudgetReached(key);
    }
    this.reserved = addUsage(this.reserved, atMost);
    let open = true;
    return used => {
      if (!open) return;
      open = false;
      this.reserved = addUsage(this.reserved, negated(atMost));
      this.spent = addUsage(this.spent, used);
      const over = this.overspent();
      if (over) this.close(over);
    };
  }

  keep(item: EvidenceItem, tokens: number): boolean {
    this.signal.throwIfAborted();
    this.check();
    const documents = this.documents.has(item.documentId) ? 0 : 1;
    const limit = this.exceeded({ documents, contextTokens: tokens });
    if (limit) {
      this.refused ??= limit;
      return false;
    }
    const known = this.kept.get(item.id);
    this.kept.set(item.id, { documentId: item.documentId, tokens: (known?.tokens ?? 0) + tokens });
    if (!known) this.documents.set(item.documentId, this.itemsOf(item.documentId) + 1);
    this.spend(documents, tokens);
    return true;
  }

  /** Throws `RangeError` if the item is not kept. */
  withdraw(id: string): void {
    this.signal.throwIfAborted();
    this.check();
    const item = this.kept.get(id);
    if (!item) throw new RangeError(`Cannot withdraw "${id}": it is not evidence of this run`);
    this.kept.delete(id);
    const items = this.itemsOf(item.documentId) - 1;
    if (items > 0) this.documents.set(item.documentId, items);
    else this.documents.delete(item.documentId);
    this.spend(items > 0 ? 0 : -1, -item.tokens);
  }

  refuse(limit: LimitName): never {
    this.signal.throwIfAborted();
    this.check();
    throw new BudgetReached(limit);
  }

  /** Returns a function that restores the current evidence and its cost. */
  checkpoint(): () => void {
    const [kept, documents] = [new Map(this.kept), new Map(this.documents)];
    const { spent } = this;
    return () => {
      [this.kept, this.documents] = [kept, documents];
      const now = this.spent;
      this.spend(
        (spent.documents ?? 0) - (now.documents ?? 0),
        (spent.contextTokens ?? 0) - (now.contextTokens ?? 0),
      );
    };
  }

  private itemsOf(documentId: string): number {
    return this.documents.get(documentId) ?? 0;
  }

  private spend(documents: number, contextTokens: number): void {
    this.spent = addUsage(this.spent, documents ? { documents, contextTokens } : { contextTokens });
  }

  private check(): void {
    if (this.closed) throw new BudgetReached(this.closed);
    if (this.late()) throw new BudgetReached('ms');
  }

  private late(): boolean {
    return this.budget.ms !== undefined && this.elapsed() >= this.budget.ms;
  }

  private committed(key: Exclude<LimitName, 'ms'>): number {
    return addAmounts(key, this.spent[key] ?? 0, this.reserved[key] ?? 0);
  }

  /** Returns an exceeded limit, which only a port that exceeds its reservation causes. */
  private overspent(): Exclude<LimitName, 'ms'> | undefined {
    const keys = Object.keys(this.spent) as Exclude<LimitName, 'ms'>[];
    return keys.find(
      key => (this.spent[key] ?? 0) > (this.budget[key] ?? Number.POSITIVE_INFINITY),
    );
  }

  private exceeded(more: Usage): LimitName | undefined {
    for (const [key, amount] of Object.entries(more) as [Exclude<LimitName, 'ms'>, number][]) {
      if (
        amount > 0 &&
        this.committed(key) + amount > (this.budget[key] ?? Number.POSITIVE_INFINITY)
      )
        return key;
    }
    return undefined;
  }
}

function negated(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).map(([key, value]) => [key, -value]));
}
