/** Shows a hop of a trace in little room: lists are cut, rejections are counted. */

import { defined } from '../core/defined.ts';
import type { Hop, Search, Trace } from '../core/trace/trace.ts';
import type { Usage } from '../core/trace/usage.ts';
import { wholeCharacters } from './bounded-record.ts';
import { type Quoted, quotedPassages, quotedText } from './quoted-passages.ts';

const MOST_SEARCHES = 20;
const MOST_BEST = 5;
const MOST_KEPT = 40;
const MOST_OUTPUTS = 10;
const MOST_TEXT = 600;

export interface ExplainedSearch {
  readonly text?: string;
  readonly retriever: string;
  readonly unit: string;
  readonly from?: { readonly hop: number; readonly id?: string };
  readonly relaxed?: string;
  readonly hits: number;
  readonly best: readonly { readonly id: string; readonly score: number }[];
}

export interface ExplainedHop {
  readonly hop: number;
  readonly reason?: string;
  readonly searches: readonly ExplainedSearch[];
  readonly kept: readonly {
    readonly id: string;
    readonly documentId: string;
    readonly title?: string;
    readonly score: number;
  }[];
  readonly rejected: Readonly<Record<string, number>>;
  readonly withdrawn?: readonly { readonly id: string; readonly why: string }[];
  readonly outputs?: readonly { readonly role: string; readonly text: string }[];
  readonly incomplete?: string;
  readonly spent: Usage;
}

export function explainedHop(hop: Hop, number: number, { evidence }: Trace): ExplainedHop {
  const titles = new Map(evidence.map(({ documentId, title }) => [documentId, title]));
  const { reason, withdrawn = [], outputs = [], incomplete, spent } = hop;
  return defined({
    hop: number,
    reason: reason === undefined ? undefined : short(reason),
    searches: hop.searches.slice(0, MOST_SEARCHES).map(explainedSearch),
    kept: hop.kept.slice(0, MOST_KEPT).map(({ id, documentId, score }) => {
      const title = titles.get(documentId);
      return defined({
        id,
        documentId,
        title: title === undefined ? undefined : short(title),
        score,
      });
    }),
    rejected: rejections(hop),
    withdrawn:
      withdrawn.length === 0
        ? undefined
        : withdrawn.slice(0, MOST_KEPT).map(({ id, why }) => ({ id, why })),
    outputs:
      outputs.length === 0
        ? undefined
        : outputs.slice(0, MOST_OUTPUTS).map(({ role, text }) => ({ role, text: short(text) })),
    incomplete,
    spent,
  });
}

function explainedSearch(search: Search): ExplainedSearch {
  const { text, retriever, unit, from, relaxed, hits, found = hits.length } = search;
  return defined({
    text: text === undefined ? undefined : short(text),
    retriever,
    unit,
    from: from === undefined ? undefined : defined({ hop: from.hop + 1, id: from.id }),
    relaxed,
    hits: found,
    best: hits.slice(0, MOST_BEST).map(({ id, score }) => ({ id, score })),
  });
}

function rejections({ rejected, refused = {} }: Hop): Record<string, number> {
  const counts = new Map(Object.entries(refused));
  for (const { why } of rejected) counts.set(why, (counts.get(why) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const short = (text: string): string =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, wholeCharacters(text, MOST_TEXT))}…`;

interface ExplainedRun {
  readonly id: string;
  readonly question: { readonly text: string };
  readonly strategy: string;
  readonly retriever: string;
  readonly answer: { readonly kind: string; readonly text?: string; readonly reason?: string };
  readonly stopped?: { readonly by: string; readonly limit?: string };
  readonly hops: readonly ExplainedHop[];
  readonly hopCount: number;
  readonly next?: number;
  readonly ms: number;
}

/** Words a run with its hops; what stands in texts is quoted. */
export function explainText(fields: Readonly<Record<string, unknown>>): string {
  const run = fields as unknown as ExplainedRun;
  const { answer, stopped, next } = run;
  const result =
    answer.text === undefined
      ? `none (${quotedText(answer.reason ?? '')})`
      : quotedText(answer.text);
  const lines = [
    `Run ${run.id}: ${run.strategy} over ${run.retriever}, ${run.hopCount} hops, ${Math.round(run.ms)} ms.`,
    `Question: ${quotedText(run.question.text)}`,
    `Answer (${answer.kind}): ${result}`,
    ...(stopped ? [`Stopped by ${stopped.limit ?? stopped.by}.`] : []),
    ...run.hops.flatMap(hopLines),
    ...(next === undefined ? [] : [`Read on: explain_run with hop ${next}.`]),
    outputsOf(run),
  ];
  return lines.filter(line => line !== '').join('\n');
}

function hopLines(hop: ExplainedHop): string[] {
  const rejected = Object.entries(hop.rejected).map(([why, count]) => `${count} ${why}`);
  const withdrawn = hop.withdrawn ?? [];
  return [
    `Hop ${hop.hop}:${hop.reason === undefined ? '' : ` follows ${quotedText(hop.reason)}`}`,
    ...hop.searches.map(searchLine),
    ...hop.kept.map(
      ({ id, title = '', score }) =>
        `  kept ${JSON.stringify(id)} ${quotedText(title)}, score ${score.toFixed(3)}`,
    ),
    ...(rejected.length > 0 ? [`  rejected ${rejected.join(', ')}`] : []),
    ...withdrawn.map(({ id, why }) => `  withdrew ${JSON.stringify(id)}: ${why}`),
    ...(hop.incomplete === undefined ? [] : [`  ended inside: ${hop.incomplete}`]),
  ];
}

function searchLine({ text, retriever, unit, from, hits }: ExplainedSearch): string {
  const what = text === undefined ? 'a vector' : quotedText(text);
  const cause =
    from === undefined
      ? ''
      : `, from ${from.id ? JSON.stringify(from.id) : 'a hit'} of hop ${from.hop}`;
  return `  searched ${what} (${retriever}, ${unit}${cause}): ${hits} hits`;
}

/** Texts of models are quoted too: they may repeat what documents say. */
function outputsOf({ hops }: ExplainedRun): string {
  const outputs = hops.flatMap(({ hop, outputs = [] }) =>
    outputs.map(({ role, text }): Quoted => ({ title: `hop ${hop}, ${role}`, text })),
  );
  const quoted = quotedPassages(outputs);
  return quoted === '' ? '' : `What models wrote:\n${quoted}`;
}
