/**
 * Reads rows of tables by their columns: "Option: bodyLimit | Default: 1048576". The cell that
 * answers stands below the head that the question names, in the row of another cell that it names.
 */
import type { AskedForm } from '../../language/english/question/asked-form.ts';
import { findNumbers } from '../../language/english/values/numbers.ts';
import { termsOf } from '../../language/english/words/terms.ts';
import { CLEAR, type Found, LIKELY, type Place, plain } from './candidate.ts';

interface Cell {
  readonly head: string;
  readonly text: string;
  /** Offsets of its text in the row. */
  readonly start: number;
  readonly end: number;
}

/** Returns the cells of a printed row; those of a column without a head have none. */
export function cellsOf(row: string): Cell[] {
  let start = 0;
  return row.split(' | ').map(cell => {
    const from = start;
    start += cell.length + 3;
    const head = /^([^:|]{1,60}):\s+(?=\S)/u.exec(cell);
    const at = from + (head?.[0].length ?? 0);
    return {
      head: head?.[1] ?? '',
      text: cell.slice(at - from),
      start: at,
      end: from + cell.length,
    };
  });
}

/**
 * Returns the cell whose head says more of the question than the others do; undefined if several
 * do, or if no other cell holds a word of the question, by which the row would be meant.
 */
export function askedCell(row: string, known: ReadonlySet<string>): Cell | undefined {
  const cells = cellsOf(row);
  if (cells.filter(({ head }) => head !== '').length < 2) return undefined;
  const matching = cells.filter(({ text }) => share(termsOf(text), known) > 0);
  const scored = cells
    // The cell that the question names says which row is meant.
    .filter(cell => !matching.includes(cell))
    .map(cell => ({ cell, score: headScore(termsOf(cell.head), known) }));
  const most = Math.max(...scored.map(({ score }) => score));
  const best = scored.filter(({ score }) => score === most);
  return matching.length === 0 || most <= 0 || best.length > 1 ? undefined : best[0]!.cell;
}

/** Scores heads; among those that the question holds to the same share, longer ones win. */
const headScore = (terms: ReadonlySet<string>, known: ReadonlySet<string>): number =>
  share(terms, known) * (1 + terms.size / 100);

const share = (terms: ReadonlySet<string>, known: ReadonlySet<string>): number =>
  terms.size === 0 ? 0 : [...terms].filter(term => known.has(term)).length / terms.size;

/** Factor of the form of texts in other columns than the asked one. */
const OTHER_COLUMN = 0.4;
/** Forms whose texts the words of a cell alone do not tell. */
const PLAIN: ReadonlySet<AskedForm> = new Set<AskedForm>(['value', 'place', 'person', 'list']);
/** Words that a whole cell may have as an answer. */
const MOST_WORDS = 8;

/** Prefers the texts of the asked column, and adds its cell where the form is any text. */
export function byColumn(found: readonly Found[], place: Place): readonly Found[] {
  const { unit, known, asked } = place;
  if (unit.kind !== 'table-row') return found;
  const cell = askedCell(unit.text, known);
  if (!cell) return found;
  const within = ({ start }: Found): boolean => cell.start <= start && start < cell.end;
  const ranked = found.map(each => ({
    ...each,
    form: within(each) ? Math.max(each.form, LIKELY) : each.form * OTHER_COLUMN,
  }));
  const whole = cell.text.trim();
  const isCounted = asked.form === 'count' || asked.form === 'number';
  const fits = PLAIN.has(asked.form) || (isCounted && findNumbers(whole)[0]?.text === whole);
  if (!fits || whole.split(/\s+/u).length > MOST_WORDS) return ranked;
  const others = ranked.filter(each => !within(each));
  return [plain(whole, cell.start, CLEAR), ...others];
}
