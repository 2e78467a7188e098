/** The object that every call of a port carries: its signal, and the budget that it draws on. */
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
  /**
   * Drops evidence: its context tokens, and its document if no other item of it is kept, are free
   * again at once. The item may be kept again. Where a run is cut inside a hop that has withdrawn
   * something, its evidence is again what the last complete hop left.
   */
  withdraw(id: string): void;
  /**
   * Ends the run in the name of this limit, for a strategy that asked `left` and did not begin what
   * has no room: throws `BudgetReached`, which only `ask` catches.
   */
  refuse(limit: LimitName): never;
}

/** Ends a run whose next step would exceed a limit. A signal, not an error. */
export class BudgetReached extends Error {
  readonly limit: LimitName;

  constructor(limit: LimitName) {
    super(`The budget's limit was reached: ${limit}`);
    this.name = 'BudgetReached';
    this.limit = limit;
  }
}

/** Returns a call without limits, for ingest, tests and tools. */
export function freeCall(signal: AbortSignal = new AbortController().signal): Call {
  return {
    signal,
    left: () => ({}),
    begin: () => () => {},
    keep: () => true,
    withdraw: () => {},
    refuse(limit) {
      throw new BudgetReached(limit);
    },
  };
}
