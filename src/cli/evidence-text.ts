/**
 * Lays out evidence for people: each article with what was kept of it, whole or folded; a gutter
 * marks the sentences that the answer cites or that support the question best.
 */
import {
  type ArticleText,
  areApart,
  partsOf,
  placesWords,
  type ShownArticle,
  type TextPart,
} from '../session/shown-evidence.ts';
import { documentLines, type Page, placeLines } from './run-text.ts';
import { printable, printablePart, wrapBehind } from './wrap.ts';

/** Lines of a text that a folded page shows; the marked ones come first. */
const FOLDED_LINES = 12;
const INDENT = ' '.repeat(6);
const GUTTER = '    » ';
/** Deepest indentation of code that is kept. */
const MOST_INDENTED = 16;

interface TextLine {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Lays out articles; a star marks those that the answer cites. `fold`: the name of what shows the
 * lines that are left out of long texts; nothing is left out if missing.
 */
export function evidenceLines(
  articles: readonly ShownArticle[],
  page: Page,
  fold?: string,
): string[] {
  const { style } = page;
  return articles.flatMap(article => {
    const { number, hops, cited } = article;
    const first = `${cited ? style.green('*') : ' '}${String(number).padStart(3)}. `;
    const tail = `${hops.length === 1 ? 'hop' : 'hops'} ${hops.join(', ')}`;
    return [
      ...documentLines(first, article, page, { columns: INDENT.length, tail }),
      ...articleTextLines(article, page, fold),
    ];
  });
}

/** Names the place of a text where it is another than that before, else shows the gap. */
function articleTextLines(
  { texts, ...article }: ShownArticle,
  page: Page,
  fold: string | undefined,
): string[] {
  return texts.flatMap((text, index) => {
    const before = texts[index - 1];
    const place = placeLines(article, text, page);
    const isNew = before === undefined || place.join() !== placeLines(article, before, page).join();
    const gap = before && areApart(before, text) ? [INDENT + page.style.faint('[...]')] : [];
    const after = texts[index + 1];
    const places = placesWords(text.places);
    const isLast = !after || after.places !== text.places || areApart(text, after);
    return [
      ...(isNew && place.length > 0 ? place : gap),
      ...textLines(text, page, fold),
      ...(places !== '' && isLast ? [INDENT + page.style.faint(places)] : []),
    ];
  });
}

/** Leaves out no single line: its note would take as much room. */
function textLines(text: ArticleText, page: Page, fold: string | undefined): string[] {
  const lines = partsOf(text).flatMap((part, index) => partLines(part, index, page));
  const shown = ({ text: line, marked }: TextLine): string =>
    marked ? page.style.bold(line) : line;
  const kept = fold === undefined ? undefined : nearestToMarks(lines);
  const laid: string[] = [];
  let left: TextLine[] = [];
  const endGap = (): void => {
    if (left.length === 1) laid.push(shown(left[0]!));
    else if (left.length > 1)
      laid.push(INDENT + page.style.faint(`… ${left.length} more lines (${fold})`));
    left = [];
  };
  for (const [index, line] of lines.entries()) {
    if (kept && !kept.has(index)) left.push(line);
    else {
      endGap();
      laid.push(shown(line));
    }
  }
  endGap();
  return laid;
}

/** Wraps each line of a part; a part that begins inside a line begins another. */
function partLines({ text, marked }: TextPart, index: number, { width }: Page): TextLine[] {
  const whole = index === 0 ? text : text.replace(/^ +/, '');
  return whole.split(/\r\n|[\n\r\u2028\u2029]/).flatMap(line => {
    const words = printable(line);
    if (words === '') return [];
    const indented = Math.min(printablePart(line).search(/\S/), MOST_INDENTED);
    const first = (marked ? GUTTER : INDENT) + ' '.repeat(indented);
    return wrapBehind(first, words, width).map((row, at) => ({
      text: marked && at > 0 ? GUTTER + row.slice(GUTTER.length) : row,
      marked,
    }));
  });
}

/** Returns the indexes of the lines that a folded text shows. */
function nearestToMarks(lines: readonly TextLine[]): ReadonlySet<number> {
  const marked = [...lines.keys()].filter(index => lines[index]!.marked);
  const distance = (index: number): number =>
    Math.min(...(marked.length > 0 ? marked : [0]).map(mark => Math.abs(mark - index)));
  const nearest = [...lines.keys()].sort((a, b) => distance(a) - distance(b));
  return new Set(nearest.slice(0, FOLDED_LINES));
}
