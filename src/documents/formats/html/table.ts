/** A table of HTML while it is read: its rows on a grid, and the row that is open. */
import { type TableCell, TableGrid, type TableRow } from '../../blocks/table-grid.ts';

export class HtmlTable {
  /** The table places blocks on the page; its cells are no cells of data. */
  layout = false;
  private readonly grid = new TableGrid();
  private cells: TableCell[] = [];
  private inHead = false;
  private line = 1;
  private cell: Omit<TableCell, 'text' | 'links'> | undefined;

  get inCell(): boolean {
    return this.cell !== undefined;
  }

  openSection(isHead: boolean): void {
    this.grid.section();
    this.inHead = isHead;
  }

  closeHead(): void {
    this.inHead = false;
  }

  openRow(line: number): void {
    this.line = line;
  }

  openCell(cell: Omit<TableCell, 'text' | 'links'>): void {
    this.cell = cell;
  }

  closeCell(text: string, links: readonly string[]): void {
    this.cells.push({ ...this.cell, text, links });
    this.cell = undefined;
  }

  /** Ends a row, and returns what can be said now. `last`: the table ends. */
  closeRow(last: boolean): TableRow[] {
    const cells = this.cells.splice(0);
    const rows = cells.length === 0 ? [] : this.grid.row(cells, this.line, this.inHead);
    return last ? [...rows, ...this.grid.end()] : rows;
  }

  /** Marks the table as layout and returns the cells that are complete. */
  becomeLayout(): readonly string[] {
    this.layout = true;
    this.cell = undefined;
    return [...this.grid.waiting(), ...this.cells.splice(0).map(({ text }) => text)];
  }
}
