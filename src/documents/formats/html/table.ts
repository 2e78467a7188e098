/** A table of HTML while it is read: its heads, and the row that is open. */
import { rowText } from '../../blocks/table-rows.ts';

/** A row that is complete. */
interface Row {
  readonly text: string;
  /** A row of a term and its text is a definition. */
  readonly kind: 'table-row' | 'definition';
  readonly line: number;
  readonly links: readonly string[];
}

/** Most columns that one cell may span. */
const MAX_SPAN = 20;

export class HtmlTable {
  /** The table places blocks on the page; its cells are no cells of data. */
  layout = false;
  private heads: string[] | undefined;
  private cells: string[] = [];
  private links: string[] = [];
  /** Tells for each cell if it is a head. */
  private isHead: boolean[] = [];
  private inHead = false;
  private line = 1;
  private rows = 0;
  private cell: { readonly isHead: boolean; readonly span: number } | undefined;

  get inCell(): boolean {
    return this.cell !== undefined;
  }

  openHead(): void {
    this.inHead = true;
  }

  closeHead(): void {
    this.inHead = false;
  }

  openRow(line: number): void {
    this.line = line;
  }

  openCell(isHead: boolean, span: number): void {
    this.cell = { isHead, span: Math.min(MAX_SPAN, Math.max(1, span || 1)) };
  }

  closeCell(text: string, links: readonly string[]): void {
    const { isHead, span } = this.cell!;
    this.cell = undefined;
    this.isHead.push(...new Array<boolean>(span).fill(isHead));
    for (const link of links) this.links.push(link);
    this.cells.push(text, ...new Array<string>(span - 1).fill(''));
  }

  /** Ends a row, and returns what can be said now. `last`: the table ends. */
  closeRow(last: boolean): Row[] {
    const { cells, links, line } = this;
    const allHeads = this.isHead.every(Boolean);
    const isTerm = !allHeads && cells.length === 2 && this.isHead[0] === true;
    const isHead = cells.length > 0 && (allHeads || this.inHead);
    this.cells = [];
    this.links = [];
    this.isHead = [];
    if (cells.length === 0 || (isHead && this.rows === 0 && !last)) {
      // A second row of heads says more than the first about its columns.
      if (cells.length > 0) this.heads = merged(this.heads, cells);
      return last && this.rows === 0 && this.heads !== undefined
        ? [{ text: rowText([], this.heads), kind: 'table-row', line, links }]
        : [];
    }
    this.rows++;
    if (isTerm && this.heads === undefined && cells.every(cell => cell.trim() !== '')) {
      const text = rowText(cells.slice(0, 1), cells.slice(1));
      return [{ text, kind: 'definition', line, links }];
    }
    return [{ text: rowText(this.heads ?? [], cells), kind: 'table-row', line, links }];
  }

  /** Marks the table as layout and returns the cells that are complete. */
  becomeLayout(): readonly string[] {
    this.layout = true;
    this.cell = undefined;
    return [...(this.heads ?? []), ...this.cells.splice(0)];
  }
}

function merged(above: readonly string[] | undefined, below: readonly string[]): string[] {
  return below.map((text, column) => text.trim() || (above?.[column] ?? ''));
}
