/** Lays out a run for people: each hop, documents and places, the cost. */
import { pathToFileURL } from 'node:url';
import { printFilter } from '../core/corpus/filter-expression.ts';
import { hitCount, refusalCount } from '../core/trace/recorder.ts';
import type { Cut, EvidenceItem, Hop, Search, Stopped, Trace } from '../core/trace/trace.ts';
import type { Usage } from '../core/trace/usage.ts';
import { wordsOfCut } from '../models/cut-words.ts';
import type { About, PlaceOfQuote } from '../session/evidence-view.ts';
import { limitOption } from './budget.ts';
import { inCommandWords } from './command-hints.ts';
import { duration } from './progress.ts';
import type { Style } from './style.ts';
import { printable, shorten, wrapBehind } from './wrap.ts';

export interface Page {
  readonly style: Style;
  /** Columns of running text. */
  readonly width: number;
  /** Columns of the terminal; missing if it is none. */
  readonly columns?: number | undefined;
}

/**
 * Lays out a document behind `first`, which takes up `columns`: title and facts on one line if they
 * fit, else the facts below the title.
 */
export function documentLines(
  first: string,
  about: About,
  page: Page,
  more: { readonly columns?: number; readonly tail?: string } = {},
): string[] {
  const { style, width } = page;
  const columns = more.columns ?? first.length;
  const facts = [about.source, about.date, more.tail]
    .filter(fact => fact !== undefined)
    .map(printable)
    .join(', ');
  const title = printable(about.title) || about.documentId;
  if (facts === '') return wrapBehind(first, title, width, columns);
  if (columns + title.length + facts.length + 3 <= width)
    return [`${first}${title} ${style.faint(`(${facts})`)}`];
  return [...wrapBehind(first, title, width, columns), ' '.repeat(columns) + style.faint(facts)];
}

/** Lays out a hop: its queries, the number of their hits, what was kept, and what did not fit. */
export function hopLines(
  index: number,
  hop: Hop,
  about: (documentId: string) => About,
  page: Page,
  question = '',
): string[] {
  const { style, width } = page;
  const head = `hop ${index + 1}`;
  const lines: string[] = [];
  const reason = hop.reason === undefined ? '' : `  ${style.faint(printable(hop.reason))}`;
  lines.push(`${style.bold(style.cyan(head))}${reason}`);
  let asked: string | undefined;
  for (const search of hop.searches) {
    const words = queryWords(search.text ?? vectorWords(search), question, index);
    if (words !== asked) lines.push(...wrapBehind('  asked  ', shorten(words, 3 * width), width));
    asked = words;
    lines.push(...foundLines(search, page));
  }
  for (const kept of Map.groupBy(hop.kept, ({ documentId }) => documentId).values())
    lines.push(...keptLines(kept, about, page));
  if (hop.kept.length === 0) lines.push(style.faint('  kept   nothing'));
  const dropped = hop.withdrawn?.length ?? 0;
  if (dropped > 0) lines.push(style.faint(`  dropped ${dropped} of what was kept before`));
  for (const outputs of hop.outputs ?? [])
    lines.push(...wrapBehind(`  ${outputs.role}: `, printable(outputs.text), width));
  const full = refusalCount(hop, 'budget');
  if (full > 0) lines.push(style.yellow(`  ${full} more did not fit into the budget`));
  if (hop.incomplete !== undefined)
    lines.push(style.yellow(`  cut short: ${cutWords(hop.incomplete)}`));
  return lines;
}

/** Names the filter of a search, since several searches may repeat the same words. */
function foundLines(search: Search, { style, width }: Page): string[] {
  const { unit, retriever, filter } = search;
  const count = hitCount(search);
  const within = filter === undefined ? '' : ` where ${printable(printFilter(filter))}`;
  const text = `${count} ${count === 1 ? unit : `${unit}s`} by ${retriever}${within}`;
  return wrapBehind('  found  ', shorten(text, 3 * width), width).map(line => style.faint(line));
}

/** Lays out what was kept of one document, with the highest score. */
function keptLines(
  kept: readonly EvidenceItem[],
  about: (documentId: string) => About,
  page: Page,
): string[] {
  const score = Math.max(...kept.map(item => item.score)).toFixed(2);
  const tail = kept.length === 1 ? score : `${kept.length} times, ${score} at most`;
  return documentLines(`  ${page.style.green('kept')}   `, about(kept[0]!.documentId), page, {
    columns: 9,
    tail,
  });
}

/** Describes a query by vector, which has no words. */
const vectorWords = ({ vector, from }: Search): string =>
  `a vector${vector === undefined ? '' : ` of ${vector.from}`}${from?.id === undefined ? '' : `, from ${from.id}`}`;

export function cutWords(incomplete: NonNullable<Hop['incomplete']>): string {
  if (incomplete === 'failure') return 'a port failed';
  return incomplete === 'abort' ? 'interrupted' : `the limit on ${limitOption(incomplete)}`;
}

/** Shortens a later query that repeats the question to what it adds. */
export function queryWords(query: string, question: string, index: number): string {
  const words = printable(query);
  const start = printable(question);
  return index > 0 && start !== '' && words.startsWith(`${start} `)
    ? `the question, with: ${words.slice(start.length + 1)}`
    : words;
}

/** Lays out file, line or page and headings of a quote; empty where none is known. */
export function placeLines(
  { documentId, path }: { readonly documentId: string; readonly path?: string | undefined },
  place: PlaceOfQuote,
  { style, width }: Page,
): string[] {
  const at = fileWords(path ?? documentId, place);
  const where = placeWords(at, place);
  if (where === '') return [];
  const linked = (row: string): string =>
    path === undefined || at === ''
      ? row
      : row.replace(at, () => style.link(at, pathToFileURL(path).href));
  return wrapBehind('      ', where, width, 6).map(row => style.faint(linked(row)));
}

/** Names the file of a quote as terminals link it, "path:line"; a DOCX has headings alone. */
function fileWords(file: string, { heading, line, page }: PlaceOfQuote): string {
  if (line !== undefined) return `${printable(file)}:${line}`;
  if (page !== undefined) return `${printable(file)}, p. ${page}`;
  return heading === undefined ? '' : printable(file);
}

/** Names the place of a quote and the headings above it. */
const placeWords = (at: string, { heading = [] }: PlaceOfQuote): string =>
  [at, printable(heading.join(' > '))].filter(part => part !== '').join(' | ');

/** `3 hops, 3 searches, 6 documents, 512 context tokens, 4.1 ms`. */
export function costLine(trace: Pick<Trace, 'spent' | 'ms'>): string {
  return `${[...usageWords(trace.spent), duration(trace.ms)].join(', ')}`;
}

const NOUNS: Readonly<Record<keyof Usage, readonly [single: string, many: string]>> = {
  hops: ['hop', 'hops'],
  retrievals: ['search', 'searches'],
  rerankedPairs: ['reranked pair', 'reranked pairs'],
  documents: ['document', 'documents'],
  contextTokens: ['context token', 'context tokens'],
  modelCalls: ['model call', 'model calls'],
  modelTokens: ['model token', 'model tokens'],
  usd: ['USD', 'USD'],
};

export function usageWords(spent: Usage): string[] {
  return Object.entries(NOUNS).flatMap(([key, [single, many]]) => {
    const amount = spent[key as keyof Usage];
    return amount === undefined ? [] : [`${grouped(amount)} ${amount === 1 ? single : many}`];
  });
}

/**
 * Returns an amount with commas between thousands and at most six decimals. The first call of
 * `toLocaleString` takes 20 ms.
 */
export function grouped(amount: number): string {
  const [whole, decimals] = String(Number(amount.toFixed(6))).split('.');
  const thousands = whole!.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? thousands : `${thousands}.${decimals}`;
}

/**
 * Lists what a run did without, each once, so that a model that failed does not pass for one that
 * answered.
 */
export function degradedLines(hops: readonly Hop[], { style, width }: Page): string[] {
  const texts = new Set(
    hops.flatMap(({ outputs = [] }) =>
      outputs.filter(({ role }) => role === 'degraded').map(({ text }) => text),
    ),
  );
  return [...texts].flatMap(text =>
    wrapBehind(style.yellow('Degraded: '), printable(text), width, 'Degraded: '.length),
  );
}

/** Says that the answer was read without the model, and why. */
export function fallbackLines(
  { answer, stopped }: Pick<Trace, 'answer' | 'stopped'>,
  { style, width }: Page,
): string[] {
  if (answer.readBy === undefined) return [];
  const text = printable(`${answer.readBy} ${whyWithout(stopped)}`);
  return wrapBehind(style.yellow('Without the model: '), text, width, 19);
}

function whyWithout(stopped: Stopped | undefined): string {
  if (stopped?.by === 'failure')
    return `read the evidence, as the model failed: ${inCommandWords(stopped.message, stopped)}`;
  if (stopped?.by === 'limit') return 'read the evidence, as the budget has no room for the model';
  return 'is sure of this answer, or surer than the model of its own';
}

/** Says which replies of the model were cut, and which options leave more room. */
export function cutLines({ cut = [] }: Pick<Trace, 'cut'>, { style, width }: Page): string[] {
  if (cut.length === 0) return [];
  const said = cut.map(({ role, ...limit }) => `${role}, ${wordsOfCut(limit)}`);
  const rest = said.length > 1 ? `, and ${said.length - 1} more` : '';
  const text = `reply of the model to ${said[0]}${rest}; ${roomWords(cut)}`;
  return wrapBehind(style.yellow('Cut: '), text, width, 5);
}

/** Names the options that leave replies like these more room. */
export function roomWords(cut: readonly Cut[]): string {
  const names = [
    ...(cut.some(({ ms }) => ms !== undefined) ? ['--model-timeout SECONDS'] : []),
    ...(cut.some(({ tokens, thinking }) => tokens !== undefined && thinking)
      ? ['--thinking-tokens N']
      : []),
    ...(cut.some(({ tokens, thinking }) => tokens !== undefined && !thinking)
      ? ['--output-tokens N']
      : []),
  ];
  return `${names.join(' and ')} ${names.length === 1 ? 'leaves' : 'leave'} more room`;
}

export function stoppedWords(stopped: Stopped): string {
  if (stopped.by === 'limit') return `Stopped by the limit on ${limitOption(stopped.limit)}`;
  return stopped.by === 'abort'
    ? 'Interrupted'
    : `Stopped: ${inCommandWords(stopped.message, stopped)}`;
}
