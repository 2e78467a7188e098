/** Defines explanations of scores: a score as a tree of named numbers. */

export interface Explanation {
  readonly name: string;
  readonly value: number;
  readonly formula?: string;
  readonly parts?: readonly Explanation[];
}
