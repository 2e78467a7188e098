/** Finds the heads of Word's tables, which seldom say that they have any. */

/** A part of a document as the library reads it. */
interface Part {
  readonly type: string;
  readonly value?: string;
  readonly isBold?: boolean;
  isHeader?: boolean;
  readonly children?: readonly Part[];
}

/** Marks first rows of tables that are set bold where the others are not. */
export function withHeads(part: Part): Part {
  if (part.type === 'table') markHeads(part.children ?? []);
  for (const child of part.children ?? []) withHeads(child);
  return part;
}

function markHeads(rows: readonly Part[]): void {
  if (rows.some(({ isHeader }) => isHeader)) return;
  const first = rows.findIndex(row => !(row.children ?? []).every(isBold));
  if (first === 1) rows[0]!.isHeader = true;
}

/** Tells whether a cell has text, all of it bold. */
function isBold(cell: Part): boolean {
  const runs = runsOf(cell).filter(run => textOf(run).trim() !== '');
  return runs.length > 0 && runs.every(run => run.isBold);
}

const runsOf = (part: Part): readonly Part[] =>
  part.type === 'run' ? [part] : (part.children ?? []).flatMap(runsOf);
const textOf = ({ value = '', children = [] }: Part): string =>
  value + children.map(textOf).join('');
