/** A run in words for people: each hop, the answer, the evidence, the cost. */
import type { Answer, Hop, Stopped, Trace } from '../../trace/trace.ts';
import type { Usage } from '../../trace/usage.ts';
import { limitOption } from './budget-option.ts';
import type { About, ShownEvidence } from './evidence-view.ts';
import { duration } from './progress.ts';
import type { Style } from './style.ts';
import { printable, shorten, wrapBehind } from './wrap.ts';

export interface Page {
  readonly style: Style;
  readonly width: number;
}

/** `Title (Source, 2025-10-30)`; source and date in faint, whatever is missing left out. */
export function documentLine({ title, documentId, source, date }: About, style: Style): string {
  const facts = [source, date].filter(fact => fact !== undefined).map(printable);
  const name = printable(title) || documentId;
  return facts.length > 0 ? `${name} ${style.faint(`(${facts.join(', ')})`)}` : name;
}

/** A hop: its queries, how many hits they had, what was kept and what came next to being kept. */
export function hopLines(index: number, hop: Hop, about: (documentId: string) => About, { style, width }: Page): string[] {
  const head = `hop ${index + 1}`;
  const lines: string[] = [];
  const reason = hop.reason === undefined ? '' : `  ${style.faint(printable(hop.reason))}`;
  lines.push(`${style.bold(style.cyan(head))}${reason}`);
  for (const search of hop.searches) {
    const query = shorten(printable(search.text ?? 'a vector'), 3 * width);
    lines.push(...wrapBehind('  asked  ', query, width));
    lines.push(
      style.faint(`  found  ${search.hits.length} ${search.hits.length === 1 ? search.unit : `${search.unit}s`} by ${search.retriever}`),
    );
  }
  for (const { documentId, score } of hop.kept)
    lines.push(`  ${style.green('kept ')}  ${documentLine(about(documentId), style)} ${style.faint(score.toFixed(2))}`);
  if (hop.kept.length === 0) lines.push(style.faint('  kept   nothing'));
  for (const said of hop.said ?? []) lines.push(...wrapBehind(`  ${said.role}: `, printable(said.text), width));
  const full = hop.rejected.filter(({ why }) => why === 'budget').length;
  if (full > 0) lines.push(style.yellow(`  ${full} more did not fit into the budget`));
  if (hop.incomplete !== undefined) lines.push(style.yellow(`  cut short: ${cutWords(hop.incomplete)}`));
  return lines;
}

function cutWords(incomplete: NonNullable<Hop['incomplete']>): string {
  if (incomplete === 'failure') return 'a port failed';
  return incomplete === 'abort' ? 'interrupted' : `the limit on ${limitOption(incomplete)}`;
}

export function answerLines(answer: Answer, { style, width }: Page): string[] {
  if (answer.kind === 'abstained') return wrapBehind(style.yellow('No answer: '), printable(answer.reason), width, 'No answer: '.length);
  return answer.text.split('\n').flatMap(line => wrapBehind('', printable(line), width, 0).map(part => style.bold(part)));
}

/** The evidence in order, each with the sentence that it is there for. */
export function evidenceLines(evidence: readonly ShownEvidence[], { style, width }: Page): string[] {
  return evidence.flatMap((item, index) => {
    const number = `${String(index + 1).padStart(2)}. `;
    const mark = item.cited ? style.green('*') : ' ';
    const head = `${mark}${number}${documentLine(item, style)} ${style.faint(`hop ${item.hop}`)}`;
    return [head, ...item.quotes.flatMap(({ text }) => wrapBehind('       ', `“${shorten(printable(text), 4 * width)}”`, width))];
  });
}

/** `3 hops, 3 searches, 6 documents, 512 context tokens, 4.1 ms`. */
export function costLine(trace: Pick<Trace, 'spent' | 'ms'>): string {
  return `${[...usageWords(trace.spent), duration(trace.ms)].join(', ')}`;
}

const NOUNS: Readonly<Record<keyof Usage, readonly [one: string, many: string]>> = {
  hops: ['hop', 'hops'],
  retrievals: ['search', 'searches'],
  documents: ['document', 'documents'],
  contextTokens: ['context token', 'context tokens'],
  modelCalls: ['model call', 'model calls'],
  modelTokens: ['model token', 'model tokens'],
  usd: ['USD', 'USD'],
};

function usageWords(spent: Usage): string[] {
  return Object.entries(NOUNS).flatMap(([key, [one, many]]) => {
    const amount = spent[key as keyof Usage];
    return amount === undefined ? [] : [`${amount.toLocaleString('en')} ${amount === 1 ? one : many}`];
  });
}

export function stoppedWords(stopped: Stopped): string {
  if (stopped.by === 'limit') return `Stopped by the limit on ${limitOption(stopped.limit)}`;
  return stopped.by === 'abort' ? 'Interrupted' : `Stopped: ${stopped.message}`;
}
