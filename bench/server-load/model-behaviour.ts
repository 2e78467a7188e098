/** Settings and reports of the mock model: a file without effects, for both sides. */

export interface Behaviour {
  /** Milliseconds from a request to its answer, or to the first piece of it. */
  readonly latencyMs: number;
  /** Pieces of a streamed answer, and milliseconds between them. */
  readonly pieces: number;
  readonly everyMs: number;
  /** One of so many requests fails with status 500; 0: none. */
  readonly failEvery: number;
  /** Never answers, and reports requests that come and that are closed. */
  readonly holds: boolean;
}

export const QUICK: Behaviour = { latencyMs: 0, pieces: 1, everyMs: 0, failEvery: 0, holds: false };

/** Messages to the parent. `question`: the number in the question, of a run that is cut off. */
export type Reported =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'set' }
  | { readonly type: 'held' | 'closed'; readonly question: string };
