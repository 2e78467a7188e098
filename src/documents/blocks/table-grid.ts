/**
 * Places the cells of a table on its grid, where a cell may cover several rows and columns, and
 * prints each row with the heads that its cells stand under.
 */
import { oneLine } from './block-writer.ts';

export interface TableCell {
  readonly text: string;
  readonly links?: readonly string[];
  readonly isHead?: boolean;
  /** Number of columns and rows that it covers, 1 if missing; 0 rows reach to the next section. */
  readonly columns?: number;
  readonly rows?: number;
}

/** A row as it is printed. */
export interface TableRow {
  readonly text: string;
  /** A row of a term and its text is a definition; a head over the whole table is a caption. */
  readonly kind: 'table-row' | 'definition' | 'caption';
  readonly line: number;
  readonly links: readonly string[];
}

type Pair = readonly [head: string, cell: string];

/** A row on the grid: the cell in each column, and what of it the row itself states. */
interface Placed {
  readonly slots: readonly (TableCell | undefined)[];
  readonly line: number;
  readonly links: readonly string[];
}

/** Most columns that one cell may span: the limit of HTML's own rules. */
const MOST_COLUMNS = 1000;
/** Longer heads are no names of columns; they are printed once, as a row. */
const HEAD_CHARACTERS = 200;
/**
 * Spans repeat at most this many times the characters that the cells of the table hold so far; then
 * cells stand in their first place alone. So a table grows linearly, whatever spans it states.
 */
const MOST_REPEATS = 32;

export class TableGrid {
  /** Cells that go on in the next row, by column, with the number of rows left. */
  private spans: ({ readonly cell: TableCell; readonly left: number } | undefined)[] = [];
  private heads: readonly string[] = [];
  /** Names that no cell stands under so far. */
  private unused = new Set<string>();
  private headRows: Placed[] = [];
  private rows = 0;
  private line = 1;
  private budget = 0;

  /** Ends cells that span rows: none reaches from one section of a table into another. */
  section(): void {
    this.spans = [];
  }

  /** Adds a row, and returns what can be printed now. `inHead`: the file says that it has heads. */
  row(cells: readonly TableCell[], line: number, inHead = false): TableRow[] {
    for (const { text } of cells) this.budget += (text.length + 1) * MOST_REPEATS;
    const placed: Placed = {
      slots: this.place(cells),
      line,
      links: cells.flatMap(({ links }) => links ?? []),
    };
    if (cells.every(({ text }) => text.trim() === '')) return [];
    if (this.isHeadRow(cells, placed, inHead)) {
      this.headRows.push(placed);
      return [];
    }
    const above = this.takeHeads();
    this.rows++;
    this.line = line;
    return [...above, this.printed(placed)];
  }

  /** Ends the table; heads without rows are printed as rows. */
  end(): TableRow[] {
    const left = this.headRows.splice(0);
    const line = left[0]?.line ?? this.line;
    return [...this.endHeads(line), ...left.map(row => this.printed(row))];
  }

  /** Ends the names of columns; those of empty columns are printed. */
  private endHeads(line: number): TableRow[] {
    const text = rowOf([...this.unused].map(name => ['', name]));
    this.heads = [];
    this.unused.clear();
    return text === '' ? [] : [{ text, kind: 'table-row', line, links: [] }];
  }

  /** Returns the texts that were not printed yet. */
  waiting(): string[] {
    const heads = this.headRows
      .splice(0)
      .flatMap(({ slots }) => [...new Set(slots)].flatMap(cell => cell?.text ?? []));
    return [...this.endHeads(0).map(({ text }) => text), ...heads];
  }

  private place(cells: readonly TableCell[]): (TableCell | undefined)[] {
    const slots: (TableCell | undefined)[] = [];
    const spans: typeof this.spans = [];
    const goOn = (): boolean => {
      const span = this.spans[slots.length];
      if (span === undefined || !this.spend(span.cell.text.length + 1)) return false;
      if (span.left > 1) spans[slots.length] = { cell: span.cell, left: span.left - 1 };
      slots.push(span.cell);
      return true;
    };
    for (const cell of cells) {
      while (goOn());
      const [columns, left] = extentOf(cell);
      for (let column = 0; column < columns; column++) {
        const isFree = this.spans[slots.length] === undefined;
        if (column > 0 && !(isFree && slots.length < MOST_COLUMNS && this.spend(1))) break;
        if (left > 0) spans[slots.length] = { cell, left };
        slots.push(cell);
      }
    }
    while (slots.length < this.spans.length) if (!goOn()) slots.push(undefined);
    this.spans = spans;
    return slots;
  }

  private spend(cost: number): boolean {
    this.budget -= cost;
    return this.budget >= 0;
  }

  /** Tells whether a row names columns: the first rows of a table, or a row of heads as wide. */
  private isHeadRow(cells: readonly TableCell[], { slots }: Placed, inHead: boolean): boolean {
    // A cross table has an empty cell above the names of its rows.
    const [corner] = slots;
    const named = corner?.text.trim() === '' ? slots.slice(1) : slots;
    const isHead = inHead || (named.length > 0 && named.every(cell => cell?.isHead ?? false));
    if (!isHead || this.rows === 0) return isHead;
    return cells.length > 1 && slots.length >= this.heads.length;
  }

  /** Makes names of columns of the rows of heads so far; returns what no name holds. */
  private takeHeads(): TableRow[] {
    const rows = this.headRows.splice(0);
    if (rows.length === 0) return [];
    const width = rows.reduce((most, { slots }) => Math.max(most, slots.length), 0);
    const named = rows.filter(row => !isWhole(row, width));
    const heads = Array.from({ length: width }, (_, column) => headOf(named, column));
    const isShort = (head: string): boolean => head.length <= HEAD_CHARACTERS;
    const ended = this.endHeads(rows[0]!.line);
    const said = heads.every(isShort) ? rows.filter(row => isWhole(row, width)) : rows;
    const printed = said.map(row => this.printed(row, true));
    this.heads = heads.map(head => (isShort(head) ? head : ''));
    this.unused = new Set(this.heads);
    return [...ended, ...printed];
  }

  private printed(row: Placed, isInHead = false): TableRow {
    const { slots, line, links } = row;
    const [term, said] = slots;
    const isTerm = slots.length === 2 && this.heads.length === 0 && term!.isHead && !said?.isHead;
    if (isTerm && term !== said && term!.text.trim() !== '' && (said?.text ?? '').trim() !== '')
      return { text: rowOf([[term!.text, said!.text]]), kind: 'definition', line, links };
    const whole = isWhole(row, this.heads.length);
    return {
      text: rowOf(this.pairs(slots, whole ? [] : this.heads)),
      kind: whole && isInHead ? 'caption' : 'table-row',
      line,
      links,
    };
  }

  /** Returns each cell once below each name of the columns that it covers. */
  private pairs(slots: Placed['slots'], heads: readonly string[]): Pair[] {
    const seen = new Map<TableCell, Set<string>>();
    for (const [column, cell] of slots.entries()) {
      if (cell === undefined) continue;
      const under = seen.get(cell) ?? new Set();
      seen.set(cell, under.add(heads[column] ?? ''));
    }
    return [...seen].flatMap(([{ text }, under]) => {
      const named = [...under].filter(Boolean);
      return (named.length > 0 ? named : [''])
        .filter((head, at) => at === 0 || this.spend(head.length + text.length))
        .map(head => {
          if (text.trim() !== '') this.unused.delete(head);
          return [head, text] as const;
        });
    });
  }
}

/** Returns the columns that a cell covers, and the rows below its first. */
function extentOf({ columns = 1, rows = 1 }: TableCell): [columns: number, below: number] {
  return [
    Math.min(MOST_COLUMNS, Math.max(1, Math.trunc(columns) || 1)),
    rows === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.trunc(rows) || 1) - 1,
  ];
}

/** Tells whether one cell covers a row of several columns, so that it stands under none of them. */
function isWhole({ slots }: Placed, width: number): boolean {
  return slots.length > 1 && slots.length >= width && slots.every(cell => cell === slots[0]);
}

/** Returns the name of a column: the heads above it, from the outermost. */
function headOf(rows: readonly Placed[], column: number): string {
  const cells = new Set(rows.map(({ slots }) => slots[column]));
  const texts = new Set([...cells].map(cell => cell?.text.trim() ?? ''));
  return [...texts].filter(Boolean).join(' ');
}

/**
 * Prints cells with their heads as "Option: bodyLimit | Default: 1048576"; empty cells are left
 * out, and heads where a table has none.
 */
export function rowOf(pairs: readonly Pair[]): string {
  return pairs
    .flatMap(([stated, cell]) => {
      const text = oneLine(cell);
      const head = oneLine(stated).replace(/:$/, '');
      if (text === '') return [];
      return [head === '' || head === text ? text : `${head}: ${text}`];
    })
    .join(' | ');
}
