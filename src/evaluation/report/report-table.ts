/**
 * Declares the tables of a report: headed rows of texts with notes, rendered as plain text,
 * Markdown or HTML.
 */

export interface ReportTable {
  /** A word for anchors. */
  readonly id: string;
  readonly heading: string;
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  /** The first column is text, flush left; so are those named here. */
  readonly leftColumns?: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Long detail: folded away in HTML. */
  readonly folded?: boolean;
}

export const isLeft = (table: ReportTable, index: number): boolean =>
  index === 0 || (table.leftColumns ?? []).includes(table.columns[index]!);

/** Places where a long measure name may break: before a capital and before a bracket. */
export const breakable = (name: string): string[] =>
  name.split(/(?<=[a-z])(?=[A-Z])|(?=\()|(?<=, )/);
