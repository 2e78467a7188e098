/** The text inside a block without its marks, and where its links lead as the file states them. */
export interface Inline {
  readonly text: string;
  readonly links: readonly string[];
}
