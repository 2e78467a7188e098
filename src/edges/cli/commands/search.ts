/** `multihop search`: one search, its hits, and why they score what they score. */
import { DEFAULTS } from '../../../ask.ts';
import type { Filter } from '../../../corpus/filter.ts';
import { parseFilter, printFilter } from '../../../corpus/filter-expression.ts';
import { InputError } from '../../../errors.ts';
import type { Explanation } from '../../../indexes/explanation.ts';
import { parseName, printValue } from '../../../naming/name.ts';
import { requirePort } from '../../../retrieval/capabilities.ts';
import type { SearchEngine } from '../../../retrieval/engine.ts';
import { EXPLAIN } from '../../../retrieval/explain-port.ts';
import { checkFilterValues } from '../../../retrieval/filter-values.ts';
import type { Retriever } from '../../../retrieval/retriever.ts';
import { retrievers } from '../../../retrieval/retrievers.ts';
import { freeCall } from '../../../trace/call.ts';
import {
  type About,
  aboutDocument,
  bestQuote,
  documentsOf,
  type Quote,
} from '../../serving/evidence-view.ts';
import { type SearchedStore, withSearchedStore } from '../../serving/searched-store.ts';
import { staleNote } from '../../serving/stale-text.ts';
import { documentLines } from '../answer-text.ts';
import { type Command, type CommandContext, STORE_OPTION } from '../command.ts';
import {
  DENSE_NOTE,
  EMBEDDER_OPTION,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
} from '../model-options.ts';
import { searchingOptions } from '../open-store.ts';
import type { Output } from '../output.ts';
import { readStdin } from '../read-stdin.ts';
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
      summary: 'how many hits at most',
    },
    { name: 'filter', value: 'EXPR', summary: 'only documents with such metadata' },
    {
      name: 'retriever',
      value: 'NAME',
      default: DEFAULTS.retriever,
      summary: 'see multihop list retrievers',
    },
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    { name: 'explain', summary: 'show how each score comes about' },
  ],
  examples: [
    {
      line: 'multihop search "harbour ferry" --store notes.store --retriever "fused(lexical, dense(lsa))"',
      says: 'words and vectors together; the vectors of lsa need no model',
    },
    {
      line: 'multihop search "harbour ferry" --store notes.store -k 5',
      says: 'the best five documents',
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
    `A filter compares metadata fields: = != < <= > >=, in (a, b), not in (a, b), between a..b, joined by and, or, not and parentheses. Texts with spaces stand in quotes. A date equals every time of its day. A text that no document has is an error.`,
    DENSE_NOTE,
    '--json prints { query, retriever, unit, k, filter, hits: [{ rank, id, documentId, title, source, date, url, score, start, end, quotes, explanation }] }.',
  ],
  run: search,
};

interface ShownHit extends About {
  readonly rank: number;
  readonly id: string;
  readonly score: number;
  readonly start: number;
  readonly end: number;
  readonly quotes: readonly Quote[];
  readonly explanation?: Explanation;
}

async function search(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  const query =
    context.positionals[0] === '-'
      ? await readStdin(context.stdin, signal)
      : context.positionals[0]!;
  if (query.trim() === '')
    throw new InputError('empty-query', 'The query is empty', { expected: 'some words' });
  const filter =
    options.text('filter') === undefined ? undefined : parseFilter(options.text('filter')!);
  const request: Request = {
    query,
    k: options.integer('k', 10),
    filter,
    explain: options.flag('explain'),
  };
  const named = options.text('retriever') ?? DEFAULTS.retriever;
  return withSearchedStore({ ...searchingOptions(context), retriever: named }, searched =>
    searchIn(searched, request, output, signal),
  );
}

interface Request {
  readonly query: string;
  readonly k: number;
  readonly filter: Filter | undefined;
  readonly explain: boolean;
}

async function searchIn(
  { store, ...searched }: SearchedStore,
  request: Request,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const { query, k, filter, explain } = request;
  if (store.manifest.documents === 0) output.warn(`The store "${store.folder}" holds no documents`);
  await using engine = await store.snapshot();
  const retriever = retrievers
    .create(searched.retriever)
    .bind(engine, { rerankers: searched.rerankers });
  if (filter) await checkFilterValues(filter, engine, freeCall(signal));
  const [ranking] = await retriever.retrieve(
    [{ text: query }],
    k,
    freeCall(signal),
    filter ? { filter } : {},
  );
  for (const stale of engine.stale()) output.note(staleNote(stale, store.folder));
  const hits = await shown(query, ranking!, retriever, engine, explain);
  if (output.json) {
    const printed = filter ? { filter: printFilter(filter) } : {};
    output.object({ query, retriever: retriever.name, unit: retriever.unit, k, ...printed, hits });
  } else printHits(hits, output);
  return 0;
}

async function shown(
  query: string,
  ranking: Awaited<ReturnType<Retriever['retrieve']>>[number],
  retriever: Retriever,
  engine: SearchEngine,
  explain: boolean,
): Promise<ShownHit[]> {
  const documents = await documentsOf(
    ranking.map(({ documentId }) => documentId),
    engine,
  );
  const scorer = explain ? scorerOf(retriever.name) : '';
  return Promise.all(
    ranking.map(async ({ id, documentId, start, end, score }, index) => {
      const document = documents.get(documentId)!;
      const about = {
        rank: index + 1,
        id,
        ...aboutDocument(document),
        score,
        start,
        end,
        quotes: bestQuote(query, document, [[start, end]]),
      };
      if (!explain) return about;
      return {
        ...about,
        explanation: await requirePort(engine, EXPLAIN, '--explain').explain(
          { unit: retriever.unit, query, id, scorer },
          freeCall(),
        ),
      };
    }),
  );
}

/**
 * Only the inverted index can say how a score comes about; its scorer stands in the retriever's
 * name.
 */
function scorerOf(retriever: string): string {
  const { name, args } = parseName(retriever);
  if (name !== 'lexical')
    throw new InputError(
      'no-explanation',
      `The retriever "${retriever}" cannot explain its scores`,
      { expected: 'lexical(...)' },
    );
  const scorer = args.find(({ key }) => key === undefined || key === 'scorer');
  return scorer ? printValue(scorer.value) : 'bm25';
}

function printHits(hits: readonly ShownHit[], output: Output): void {
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
    if (hit.explanation)
      for (const line of explanationLines(hit.explanation, 15)) output.line(style.faint(line));
  }
}

function explanationLines({ name, value, formula, parts }: Explanation, indent: number): string[] {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(4);
  const line = `${' '.repeat(indent)}${number} ${name}${formula ? ` = ${formula}` : ''}`;
  return [line, ...(parts ?? []).flatMap(part => explanationLines(part, indent + 2))];
}
