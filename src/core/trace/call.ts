/**
 * Defines the call that every use of a port carries: its signal and the budget that it draws on.
 */
import type { EvidenceItem } from './trace.ts';
import type { Budget, LimitName, Usage } from './usage.ts';

export interface Call {
  readonly signal: AbortSignal;
  /** Returns the rest of the budget. */
  left(): Budget;
  /**
   * Reserves `atMost` before a port is called; the returned function settles what was really used.
   * Throws `BudgetReached`, which only `ask` catches.
   */
  begin(port: string, role: string, atMost: Usage): (used: Usage) => void;
  /**
   * Reserves one document, unless one of its items is kept, and context tokens. Returns false if
   * there is no room: list the item as rejected, 'budget'.
   */
  keep(item: EvidenceItem, tokens: number): boolean;
  /**
   * Drops evidence and frees its context tokens, and its document if no other item of it is kept.
   * The item may be kept again. If the run is interrupted inside this hop, its evidence returns to
   * that of the last complete hop.
   */
  withdraw(id: string): void;
  /**
   * Ends the run at this limit, for a strategy that read `left` and skipped work that does not fit:
   * throws `BudgetReached`, which only `ask` catches.
   */
  refuse(limit: LimitName): never;
  /**
   * Lets the event loop run if it has waited, for long work between two calls of ports. Throws
   * `BudgetReached('ms')` at the time limit and the signal's reason after an abort.
   */
  pause?(): Promise<void>;
  /** Returns the document that a text of this call is from, for notes of a port. */
  documentOf?(text: string): string | undefined;
}

/** Returns a pause of a call for the steps of long work; an abort ends it too. */
export const pauseOf =
  (call: Call): (() => Promise<void>) =>
  async () => {
    await call.pause?.();
    call.signal.throwIfAborted();
  };

/** Returns the call with the documents of its texts. */
export const callOn = (call: Call, documentOf: (text: string) => string | undefined): Call => ({
  signal: call.signal,
  left: () => call.left(),
  begin: (port, role, atMost) => call.begin(port, role, atMost),
  keep: (item, tokens) => call.keep(item, tokens),
  withdraw: id => call.withdraw(id),
  refuse: limit => call.refuse(limit),
  pause: async () => call.pause?.(),
  documentOf,
});

/** Signals that the next step would exceed a limit; ends the run. */
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
