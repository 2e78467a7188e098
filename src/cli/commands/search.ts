/** `multihop search`: searches once, and explains scores on request. */

import { printFilter } from '../../core/corpus/filter-expression.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { monotonicClock } from '../../platform/clock.ts';
import type { Explanation } from '../../search/indexes/explanation.ts';
import type { SearchHit } from '../../session/document-store.ts';
import { placesWords } from '../../session/shown-evidence.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  DENSE_NOTE,
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
} from '../model-options.ts';
import { openSession, SERVER_NOTE, warnOfEmpty } from '../open-session.ts';
import { BUDGET_OPTION, FILTER_OPTION, RETRIEVER_OPTION, STORE_OPTION } from '../options.ts';
import type { Output } from '../output.ts';
import { readStdin } from '../read-stdin.ts';
import { documentLines } from '../run-text.ts';
import { Waiting } from '../waiting.ts';
import { printable, shorten, wrapBehind } from '../wrap.ts';

export const command: Command = {
  positionals: [
    { name: 'QUERY', summary: 'the words to search for, or - to read them from stdin' },
  ],
  options: [
    STORE_OPTION,
    {
      name: 'k',
      short: 'k',
      value: 'N',
      type: 'integer',
      min: 1,
      default: '10',
      summary: 'largest number of hits',
    },
    FILTER_OPTION,
    RETRIEVER_OPTION,
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    { name: 'explain', summary: 'explain each score' },
    {
      ...BUDGET_OPTION,
      summary: 'limits of the search, such as ms=2000,retrievals=1,reranked-pairs=100',
    },
  ],
  examples: [
    {
      line: 'multihop search "harbour ferry" --store notes.store --retriever hybrid',
      says: 'by the whole question, by its clauses and by their sentences',
    },
    {
      line: 'multihop search "harbour ferry" --store notes.store -k 5',
      says: 'the best five documents',
    },
    {
      line: `multihop search '"harbour ferry" timetable' --store notes.store`,
      says: 'documents with the phrase first',
    },
    {
      line: 'multihop search --store notes.store -- --dry-run',
      says: 'a text that begins with a hyphen',
    },
    {
      line: 'multihop search "harbour ferry" --store notes.store --retriever "lexical(s1, unit=passage)"',
      says: 'another scorer, and passages',
    },
    {
      line: `multihop search "chips" --store news.store --filter 'category in (business, technology) and published_at < 2023-11-01'`,
      says: 'only some documents',
    },
  ],
  notes: [
    `A filter compares metadata fields: = != < <= > >=, in (a, b), not in (a, b), between a..b, joined by and, or, not and parentheses. Quote texts that contain spaces. A date equals every time of its day. A text that no document has is an error.`,
    DENSE_NOTE,
    SERVER_NOTE,
    '--json prints { query, retriever, unit, k, filter, absentPhrases, hits: [{ rank, id, documentId, title, source, date, url, score, start, end, quotes, places, others, explanation }] }. A text that several hits have is shown once, with the number of its places and the ids of the other hits.',
  ],
  run: search,
};

async function search(context: CommandContext): Promise<number> {
  const { options, output, signal, positionals, stdin } = context;
  const query = positionals[0] === '-' ? await readStdin(stdin, signal) : positionals[0]!;
  if (query.trim() === '')
    throw new InputError('empty-query', 'The query is empty', { expected: 'some words' });
  const filter = options.get(FILTER_OPTION);
  const k = options.integer('k', 10);
  const asking = {
    k,
    filter,
    signal,
    startedAt: monotonicClock(),
    explain: options.flag('explain'),
    retriever: options.text('retriever'),
    budget: options.get(BUDGET_OPTION),
  };
  const waiting = new Waiting(output);
  waiting.begin('searching');
  try {
    await using session = await openSession(context, { ahead: [] });
    const { retriever, hits, documents, absentPhrases } = await session.search(query, asking);
    waiting.end();
    warnOfEmpty(session, documents, output);
    if (documents > 0)
      for (const phrase of absentPhrases)
        output.note(`No ${retriever.unit} holds the phrase "${printable(phrase)}".`);
    const { name, unit } = retriever;
    const printed = filter && printFilter(filter);
    const absent = absentPhrases.length === 0 ? undefined : absentPhrases;
    const asked = { query, retriever: name, unit, k, filter: printed, absentPhrases: absent };
    if (output.json) output.object(defined({ ...asked, hits }));
    else printHits(hits, output);
    return 0;
  } finally {
    waiting.end();
  }
}

function printHits(hits: readonly SearchHit[], output: Output): void {
  const { style, width } = output;
  if (hits.length === 0) output.note('Nothing was found.');
  for (const hit of hits) {
    const first = `${String(hit.rank).padStart(3)}. ${style.cyan(hit.score.toFixed(3).padStart(8))}  `;
    const tail = hit.id === hit.documentId ? {} : { tail: hit.id };
    for (const line of documentLines(first, hit, output, { columns: 15, ...tail }))
      output.line(line);
    for (const { text } of hit.quotes)
      for (const line of wrapBehind(' '.repeat(15), shorten(printable(text), 3 * width), width))
        output.line(line);
    if (hit.others) output.line(style.faint(placesLine(hit)));
    if (hit.explanation)
      for (const line of explanationLines(hit.explanation, 15)) output.line(style.faint(line));
  }
}

/** Names the first of the other hits with the text of a hit. */
function placesLine({ places, others = [] }: SearchHit): string {
  const names = others.slice(0, 3).map(printable).join(', ');
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  return `${' '.repeat(15)}${placesWords(places)}: also ${names}${more}`;
}

function explanationLines({ name, value, formula, parts }: Explanation, indent: number): string[] {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(4);
  const line = `${' '.repeat(indent)}${number} ${name}${formula ? ` = ${formula}` : ''}`;
  return [line, ...(parts ?? []).flatMap(part => explanationLines(part, indent + 2))];
}
