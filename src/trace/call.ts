/** Who asks, may it go on, what did it cost: the one object that every call of a port carries. */
import type { EvidenceItem } from './trace.ts';
import type { Budget, LimitName, Usage } from './usage.ts';

export interface Call {
  readonly signal: AbortSignal;
  /** What is left of the budget now. */
  left(): Budget;
  /**
   * Reserves `atMost` before a port is called; the returned function settles what was really used.
   * Throws `BudgetReached`, which only `ask` catches.
   */
  begin(port: string, role: string, atMost: Usage): (used: Usage) => void;
  /**
   * Reserves one document (unless it is kept already) and its context tokens. False: list it as
   * rejected, 'budget'.
   */
  keep(item: EvidenceItem, tokens: number): boolean;
}

/** A signal, not an error: a reservation would have exceeded this limit. */
export class BudgetReached extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(`The budget's limit was reached: ${limit}`);
    this.name = 'BudgetReached';
    this.limit = limit;
  }
}

/** A call without limits, for ingest, tests and tools. */
export function freeCall(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, left: () => ({}), begin: () => () => {}, keep: () => true };
}
