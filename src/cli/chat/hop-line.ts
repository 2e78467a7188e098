/** Words a hop on one line: what was searched, what was found, and what is left of the budget. */
import type { Document } from '../../core/corpus/document.ts';
import { hitCount } from '../../core/trace/recorder.ts';
import type { Hop } from '../../core/trace/trace.ts';
import type { Budget, LimitName, Usage } from '../../core/trace/usage.ts';
import { duration } from '../progress.ts';
import { cutWords, type Page, queryWords, usageWords } from '../run-text.ts';
import { printable, shorten } from '../wrap.ts';
import type { HopEvent } from './chat-run.ts';

/** Least columns of a query, and of the titles that it found. */
const LEAST = 24;

export interface HopView {
  readonly question: string;
  readonly budget: Budget;
  /** Spent by the run before this hop. */
  readonly before: Usage;
  readonly documents: ReadonlyMap<string, Document>;
}

/** Returns a line of about `width` columns. */
export function hopLine({ index, hop, ms }: HopEvent, view: HopView, page: Page): string {
  const head = `hop ${index + 1}`;
  const left = leftWords(view.budget, added(view.before, hop.spent), ms);
  const { words, more } = searchedWords(hop, view.question, index);
  const found = foundWords(hop, view.documents);
  const cut = hop.incomplete === undefined ? '' : `; cut short: ${cutWords(hop.incomplete)}`;
  const around = [head, more, left, cut, '  “” -> ; '].join('').length;
  const room = page.width - around;
  const most = Math.max(LEAST, Math.floor(room / 2), room - found.length);
  const query = words === undefined ? 'no words' : `“${shorten(words, most)}”`;
  const titles = shorten(found, Math.max(LEAST, room - query.length));
  const { style } = page;
  const rest = `${style.yellow(cut)}${style.faint(`; ${left}`)}`;
  return `${style.bold(style.cyan(head))}  ${query}${more} ${style.faint('->')} ${titles}${rest}`;
}

/** Returns the first query, without words if it is a vector, and the number of the others. */
function searchedWords(
  { searches }: Hop,
  question: string,
  index: number,
): { readonly words: string | undefined; readonly more: string } {
  const [first, ...others] = new Set(searches.map(({ text }) => text));
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return { words: first === undefined ? first : queryWords(first, question, index), more };
}

function foundWords({ searches, kept }: Hop, documents: ReadonlyMap<string, Document>): string {
  const hits = searches.reduce((sum, search) => sum + hitCount(search), 0);
  const ids = [...new Set(kept.map(({ documentId }) => documentId))];
  const titles = ids.map(id => printable(documents.get(id)?.title ?? '') || printable(id));
  return titles.length === 0
    ? `nothing kept of ${hits}`
    : `${titles.length} of ${hits}: ${titles.join(', ')}`;
}

/** Returns the sum of two usages. */
export function added(usage: Usage, other: Usage): Usage {
  const names = new Set([...Object.keys(usage), ...Object.keys(other)]) as Set<keyof Usage>;
  return Object.fromEntries(
    [...names].map(name => [name, (usage[name] ?? 0) + (other[name] ?? 0)]),
  );
}

/** `3 searches, 1.2 s left`; without a limit what was spent. */
function leftWords(budget: Budget, spent: Usage, ms: number): string {
  const { ms: time, ...limits } = budget;
  const names = Object.keys(limits) as Exclude<LimitName, 'ms'>[];
  if (names.length === 0 && time === undefined)
    return [...usageWords({ retrievals: spent.retrievals ?? 0 }), duration(ms)].join(', ');
  const left = names.map(name => [name, Math.max(0, limits[name]! - (spent[name] ?? 0))]);
  const words = usageWords(Object.fromEntries(left) as Usage);
  return [...words, ...(time === undefined ? [] : [duration(Math.max(0, time - ms))])]
    .join(', ')
    .concat(' left');
}
