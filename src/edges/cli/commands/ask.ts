/** `multihop ask`: a question becomes an answer with its evidence, hop by hop, within a budget. */
import { DEFAULTS } from '../../../ask.ts';
import { retrieverFor, updaterOf } from '../../../asking/query-updaters.ts';
import type { Filter } from '../../../corpus/filter.ts';
import { parseFilter } from '../../../corpus/filter-expression.ts';
import type { TokenClassifiers } from '../../../models/efficient-rag/token-classifiers.ts';
import type { LanguageModel } from '../../../models/language-model.ts';
import type { QueryUpdater } from '../../../models/query-updater.ts';
import { readers } from '../../../reading/readers.ts';
import type { SearchEngine } from '../../../retrieval/engine.ts';
import { checkFilterValues } from '../../../retrieval/filter-values.ts';
import type { Retriever } from '../../../retrieval/retriever.ts';
import { retrievers } from '../../../retrieval/retrievers.ts';
import { strategies } from '../../../strategies/strategies.ts';
import type { Strategy } from '../../../strategies/strategy.ts';
import { freeCall } from '../../../trace/call.ts';
import type { Trace, TraceEvent } from '../../../trace/trace.ts';
import type { Budget } from '../../../trace/usage.ts';
import { thisPackage } from '../../package-root.ts';
import { openQueryUpdaters } from '../../query-updater-files.ts';
import { modelManifest, type NamedModel } from '../../runs/evaluation-manifest.ts';
import {
  aboutDocument,
  answerCitations,
  documentsOf,
  showEvidence,
} from '../../serving/evidence-view.ts';
import { openLanguageModel } from '../../serving/language-model.ts';
import { modelPrice } from '../../serving/model-price.ts';
import { runResult } from '../../serving/run-result.ts';
import { type SearchedStore, withSearchedStore } from '../../serving/searched-store.ts';
import type { Store } from '../../storage/store.ts';
import { openTokenClassifiers } from '../../token-classifier-files.ts';
import {
  answerLines,
  costLine,
  degradedLines,
  evidenceLines,
  hopLines,
  stoppedWords,
} from '../answer-text.ts';
import { exitCodeOfStop } from '../ask-exit.ts';
import { parseBudget } from '../budget-option.ts';
import { type Command, type CommandContext, STORE_OPTION } from '../command.ts';
import { DRY_RUN_NOTE, DRY_RUN_OPTION, printDryRun } from '../dry-run.ts';
import {
  CASSETTE_NOTE,
  LANGUAGE_MODEL_OPTIONS,
  languageModelOptions,
} from '../language-model-options.ts';
import {
  DENSE_NOTE,
  EMBEDDER_OPTION,
  QUERY_UPDATER_NOTE,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
  TOKEN_CLASSIFIERS_OPTION,
} from '../model-options.ts';
import { searchedStoreOptions } from '../open-store.ts';
import type { Output } from '../output.ts';
import { parsePrice } from '../price-option.ts';
import { readStdin } from '../read-stdin.ts';
import { TraceLines } from '../trace-lines.ts';
import { watchRun } from '../watch-run.ts';

export const command: Command = {
  positionals: [{ name: 'QUESTION', summary: 'the question in words, or - to read it from stdin' }],
  options: [
    STORE_OPTION,
    {
      name: 'strategy',
      value: 'NAME',
      default: DEFAULTS.strategy,
      summary: 'how to search; see multihop list strategies',
    },
    {
      name: 'retriever',
      value: 'NAME',
      default: DEFAULTS.retriever,
      summary: 'what one search is; see multihop list retrievers',
    },
    {
      name: 'context',
      value: 'NAME',
      default: DEFAULTS.context,
      summary: 'what is passed on of a document; see multihop list contexts',
    },
    {
      name: 'reader',
      value: 'NAME',
      default: DEFAULTS.reader,
      summary: 'who answers; see multihop list readers',
    },
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    QUERY_UPDATER_OPTION,
    TOKEN_CLASSIFIERS_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    { name: 'filter', value: 'EXPR', summary: 'search only documents with such metadata' },
    {
      name: 'budget',
      value: 'LIMITS',
      summary: 'what may be used, as hops=3,documents=6,model-calls=8,usd=0.05,ms=2000',
    },
    DRY_RUN_OPTION,
    {
      name: 'trace',
      value: 'FILE',
      summary: 'write the record of the run, one JSON line an event, chained and sealed',
    },
    { name: 'jsonl', summary: 'print the lines of that record as they come, and nothing else' },
  ],
  examples: [
    {
      line: 'multihop ask "Who owns the firm that built the ferry?" --store notes.store',
      says: 'an answer with its evidence',
    },
    {
      line: 'multihop ask "Who owns the firm that built the ferry?" --store notes.store --strategy "iterative(rounds=3)" --budget documents=6',
      says: 'another strategy, within a budget',
    },
    {
      line: `multihop ask - --store news.store --filter 'source = "The Verge" and published_at >= 2023-10-01' < question.txt`,
      says: 'the question from stdin, only from some documents',
    },
    {
      line: 'multihop ask "..." --store notes.store --trace run.jsonl && multihop verify-trace run.jsonl',
      says: 'a record that can be checked',
    },
  ],
  notes: [
    DENSE_NOTE,
    QUERY_UPDATER_NOTE,
    CASSETTE_NOTE,
    DRY_RUN_NOTE,
    'An abstention is an answer: it says why and exits with 0. When a limit of the budget ended the run, what there is is printed and the exit code is 3. Ctrl-C ends the run with its trace sealed; a second Ctrl-C quits at once.',
    '--json prints { question, answer: { kind, text | reason, support, unsupported, unread }, citations: [{ id, documentId, title, source, date, url, start, end, text }], evidence: [{ id, documentId, title, source, date, url, hop, score, spans, passage, cited, quotes }], stopped, spent, ms, strategy, retriever, context, reader, budget, predictedType, hops, trace: { lines, content, line, file } }. Offsets count UTF-16 units of the document; passage is there for single sentences; stopped is missing when the run ended by itself; content and line are the heads of the trace. unsupported holds the sentences that the cited passages do not hold, unread how many passages had no room in the reader’s prompt; both are missing when there are none.',
  ],
  run: ask,
};

async function ask(context: CommandContext): Promise<number> {
  const { options, signal } = context;
  const text =
    context.positionals[0] === '-'
      ? await readStdin(context.stdin, signal)
      : context.positionals[0]!;
  const budget = parseBudget(options.text('budget'));
  if (options.flag('dry-run')) return dryRun(context, budget);
  const filter =
    options.text('filter') === undefined ? undefined : parseFilter(options.text('filter')!);
  const queryUpdaters = await openQueryUpdaters(
    options.texts('query-updater'),
    options.texts('strategy'),
  );
  const tokenClassifiers = await openTokenClassifiers(options.texts('token-classifiers'));
  const strategy = strategies.create(options.text('strategy') ?? DEFAULTS.strategy);
  const updater = updaterOf(
    strategy,
    queryUpdaters.map(({ model }) => model),
  );
  const retriever =
    options.text('retriever') ?? (updater ? retrieverFor(updater) : DEFAULTS.retriever);
  return withSearchedStore(
    searchedStoreOptions(context, { retriever, strategy }),
    async searched => {
      const { decorated, close } = await openLanguageModel(languageModelOptions(context));
      try {
        return await askIn(
          searched,
          { text, budget, filter, queryUpdaters, tokenClassifiers, model: decorated?.model },
          context,
        );
      } finally {
        await close();
      }
    },
  );
}

/** Opens nothing: names alone say what is asked of a model. */
function dryRun({ options, output }: CommandContext, budget: Budget): number {
  const strategy = strategies.create(options.text('strategy') ?? DEFAULTS.strategy);
  const reader = readers.create(options.text('reader') ?? DEFAULTS.reader);
  const model = options.text('model');
  const price = modelPrice(parsePrice(options.text('price')), model === undefined ? [] : [model]);
  const row = { id: `${strategy.name}, read by ${reader.name}`, strategy, reader, budget };
  printDryRun({ rows: [row], questions: 1, model, price, total: {} }, output);
  return 0;
}

interface Request {
  readonly text: string;
  readonly budget: Budget;
  readonly filter: Filter | undefined;
  readonly queryUpdaters: readonly NamedModel<QueryUpdater>[];
  readonly tokenClassifiers: readonly NamedModel<TokenClassifiers>[];
  readonly model: LanguageModel | undefined;
}

async function askIn(
  { store, rerankers, identities, retriever }: SearchedStore,
  { text, budget, filter, queryUpdaters, tokenClassifiers, model }: Request,
  context: CommandContext,
): Promise<number> {
  const { options, output, signal } = context;
  if (store.manifest.documents === 0) output.warn(`The store "${store.folder}" holds no documents`);
  const engine = await store.snapshot();
  if (filter) await checkFilterValues(filter, engine, freeCall(signal));
  const { units } = strategies.create(options.text('strategy') ?? DEFAULTS.strategy);
  await openIndex(retrievers.create(retriever).bind(engine, { rerankers }), filter, units);

  const lines = new TraceLines(
    options.text('trace'),
    options.flag('jsonl') ? line => output.line(line) : undefined,
  );
  const names = Object.fromEntries(
    ['strategy', 'context', 'reader'].flatMap(name => given(name, options.text(name))),
  );
  const models = {
    rerankers,
    queryUpdaters: queryUpdaters.map(one => one.model),
    tokenClassifiers: tokenClassifiers.map(one => one.model),
    ...(model ? { model } : {}),
  };
  const manifest = {
    ...manifestOf(store, identities, { queryUpdaters, tokenClassifiers }),
    ...modelManifest(model),
  };
  const run = {
    engine,
    ...names,
    retriever,
    ...models,
    budget,
    ...(filter ? { filter } : {}),
    signal,
    manifest,
  };
  const trace = await watchRun(text, run, async event => {
    lines.add(event);
    await tellHop(event, text, engine, output);
  });
  const heads = lines.seal();
  const documents = await documentsOf(
    [...trace.evidence, ...answerCitations(trace)].map(({ documentId }) => documentId),
    engine,
  );
  if (options.flag('json') && !options.flag('jsonl'))
    output.object(runResult(trace, documents, heads, options.text('trace')));
  else if (!options.flag('jsonl')) printAnswer(trace, documents, output);
  if (trace.stopped) output.note(output.noteStyle.yellow(stoppedWords(trace.stopped)));
  return exitCodeOfStop(trace.stopped);
}

function given(option: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[option, value]];
}

/**
 * The indexes are loaded before the clock of the run starts, and a filter on a field that no
 * document has is wrong before the first hop.
 */
async function openIndex(
  retriever: Retriever,
  filter: Filter | undefined,
  units: Strategy['units'] = [],
): Promise<void> {
  const nothing = [{ text: '' }];
  await retriever.retrieve(nothing, 0, freeCall(), filter ? { filter } : {});
  for (const unit of units)
    for (const part of retriever.parts ?? [retriever])
      if (part.space === undefined) await part.retrieve(nothing, 0, freeCall(), { unit });
}

/** What the run read, and by which models: no times, no paths of this machine. */
function manifestOf(
  store: Store,
  { embedders: asked, rerankers }: SearchedStore['identities'],
  given: Pick<Request, 'queryUpdaters' | 'tokenClassifiers'>,
): Record<string, unknown> {
  const { documents, chunker, segments, spaces = [] } = store.manifest;
  const embedders = { ...Object.fromEntries(spaces.map(({ name, id }) => [name, id])), ...asked };
  const corpus = { documents, chunker, files: segments.map(({ sha256 }) => sha256) };
  const named = (models: readonly NamedModel<{ readonly id: string }>[]): Record<string, string> =>
    Object.fromEntries(models.map(({ model, identity }) => [model.id, identity]));
  const [queryUpdaters, tokenClassifiers] = [
    named(given.queryUpdaters),
    named(given.tokenClassifiers),
  ];
  const models = Object.entries({ embedders, rerankers, queryUpdaters, tokenClassifiers }).filter(
    ([, ids]) => Object.keys(ids).length > 0,
  );
  return { multihop: thisPackage().version, corpus, ...Object.fromEntries(models) };
}

async function tellHop(
  event: TraceEvent,
  question: string,
  engine: SearchEngine,
  output: Output,
): Promise<void> {
  if (event.type !== 'hop' || !(output.verbose || (output.watched && !output.json))) return;
  for (const line of await describeHop(event, question, engine, output)) output.detail(line);
}

type HopEvent = Extract<TraceEvent, { type: 'hop' }>;

async function describeHop(
  { index, hop }: HopEvent,
  question: string,
  engine: SearchEngine,
  output: Output,
): Promise<string[]> {
  const documents = await documentsOf(
    hop.kept.map(({ documentId }) => documentId),
    engine,
  );
  return hopLines(
    index,
    hop,
    id => aboutDocument(documents.get(id)!),
    { style: output.noteStyle, width: output.width },
    question,
  );
}

function printAnswer(
  trace: Trace,
  documents: Awaited<ReturnType<typeof documentsOf>>,
  output: Output,
): void {
  const { style } = output;
  for (const line of [...answerLines(trace.answer, output), ...degradedLines(trace.hops, output)])
    output.line(line);
  if (trace.evidence.length > 0) {
    output.line();
    output.line(`${style.bold('Evidence')}  ${style.faint(`found by ${trace.strategy}`)}`);
    for (const line of evidenceLines(showEvidence(trace, documents), output)) output.line(line);
  }
  output.line();
  output.line(style.faint(costLine(trace)));
}
