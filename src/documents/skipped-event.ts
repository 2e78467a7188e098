/** Declares what a reading says of a file or line that it skips. */

export interface SkippedEvent {
  readonly type: 'skipped';
  readonly path: string;
  /** From 1, where the format has lines. */
  readonly line?: number;
  readonly reason: string;
}
