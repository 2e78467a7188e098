/** Links questions of a report to pages that show their traces. */

/** Pages of traces beside a report. */
export interface TracePages {
  /** Addresses of the pages, relative to the report. */
  readonly pages: readonly string[];
  /** Index of the page of each question, in their order. */
  readonly pageOf: readonly number[];
  /** Ids of the rows whose traces are there. */
  readonly rows: readonly string[];
}

/** Names a run in the address of its page. `row`: its index in `rows`; `question`: from 0. */
export const traceKey = (row: number, question: number): string => `${row}-${question}`;
