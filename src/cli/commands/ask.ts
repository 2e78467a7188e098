/** `multihop ask`: answers a question with its evidence, hop by hop, within a budget. */

import type { Budget } from '../../core/trace/usage.ts';
import { parseJson } from '../../documents/records/json-text.ts';
import { readBytes } from '../../platform/replace-file.ts';
import { readers } from '../../readers/readers.ts';
import { DEFAULTS, readerFor, usualReader } from '../../run/ask.ts';
import type { AskedRun } from '../../session/asked-run.ts';
import type { StoreAskOptions } from '../../session/document-store.ts';
import { shownIds } from '../../session/evidence-view.ts';
import { namesModel } from '../../session/language-model.ts';
import { modelPrice } from '../../session/model-price.ts';
import type { Session } from '../../session/session.ts';
import { watchRun } from '../../session/timed-run.ts';
import { TraceLines } from '../../session/trace-lines.ts';
import type { TraceSigner } from '../../session/trace-signing.ts';
import { STORED_INDEXES } from '../../stores/disk/manifest.ts';
import { strategies } from '../../strategies/strategies.ts';
import { AnswerStream } from '../answer-stream.ts';
import { exitCodeOfStop } from '../ask-exit.ts';
import { printHop, printRun } from '../ask-output.ts';
import type { Command, CommandContext } from '../command.ts';
import { DRY_RUN_NOTE, DRY_RUN_OPTION, printDryRun } from '../dry-run.ts';
import { costAhead, spentSince } from '../model-cost.ts';
import {
  CASSETTE_NOTE,
  DENSE_NOTE,
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  LANGUAGE_MODEL_OPTIONS,
  PRICE_OPTION,
  QUERY_UPDATER_NOTE,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
  TOKEN_CLASSIFIERS_OPTION,
} from '../model-options.ts';
import { openSession, SERVER_NOTE, warnOfEmpty } from '../open-session.ts';
import {
  ANSWER_AT_OPTION,
  BUDGET_OPTION,
  FILTER_OPTION,
  FULL_TRACE_OPTION,
  memberOptions,
  SIGN_OPTION,
  STORE_OPTION,
  signerOf,
} from '../options.ts';
import { readStdin } from '../read-stdin.ts';
import { stoppedWords } from '../run-text.ts';
import { type AskingMembers, warnOfUnaskedModel } from '../unasked-model.ts';
import { Waiting } from '../waiting.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [{ name: 'QUESTION', summary: 'the question in words, or - to read it from stdin' }],
  options: [
    STORE_OPTION,
    ...memberOptions('see multihop list strategies'),
    ANSWER_AT_OPTION,
    {
      name: 'schema',
      value: 'FILE',
      access: 'read',
      summary:
        'JSON Schema of the answer, which the language model then gives as JSON; with --json each field has its citations',
    },
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    QUERY_UPDATER_OPTION,
    TOKEN_CLASSIFIERS_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    FILTER_OPTION,
    BUDGET_OPTION,
    DRY_RUN_OPTION,
    {
      name: 'all',
      summary:
        'show all lines of long texts of the evidence; otherwise a terminal shows 12 of each',
    },
    {
      name: 'explain',
      summary: 'show each hop on stderr as it ends: its searches and the kept hits',
    },
    {
      name: 'trace',
      value: 'FILE',
      access: 'writes',
      summary: 'write the trace: a JSON line for each event, with chained hashes',
    },
    FULL_TRACE_OPTION,
    SIGN_OPTION,
    {
      name: 'jsonl',
      summary: 'print only the lines of the full trace, as they come',
    },
  ],
  // A busy machine takes longer to seal the trace and to print the partial result.
  graceMs: 1_000,
  common: 'store model strategy answer-at filter budget explain all trace json',
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
      says: 'a question from stdin, over some documents',
    },
    {
      line: 'multihop ask "..." --store notes.store --trace run.jsonl && multihop verify-trace run.jsonl',
      says: 'a trace that can be verified',
    },
    {
      line: 'multihop ask "..." --store notes.store --trace run.jsonl --sign key.pem && multihop verify-trace run.jsonl --key key.pub',
      says: 'a signed trace: the public key detects a rewritten trace',
    },
  ],
  notes: [
    DENSE_NOTE,
    SERVER_NOTE,
    QUERY_UPDATER_NOTE,
    CASSETTE_NOTE,
    DRY_RUN_NOTE,
    'An abstention is an answer: it names its reason and exits with 0. If a limit of the budget ends the run, its partial result is printed and the exit code is 3. Ctrl-C ends the command at once; with --trace, --json or --jsonl the trace is sealed first, and a second Ctrl-C does not wait for it.',
    '--json prints { question, answer: { kind, text, reason, probability, support, candidates, unsupported, fields, sides, unread }, citations: [{ id, documentId, title, source, date, url, path, start, end, text, heading, line, page }], evidence: [{ id, documentId, title, source, date, url, path, hop, score, spans, passage, cited, texts: [{ start, end, text, heading, line, page }], quotes: [{ start, end, text, heading, line, page }], side }], compared, stopped, spent, ms, strategy, retriever, context, reader, budget, predictedType, language, hops, trace: { lines, content, line, file }, model: { calls, failed, input, output, reused, estimated, ms, usd } }. answer is null where no answer is likely enough: reason, below (the probability that it had to reach), probability, candidates and the other fields of an answer then stand beside it. text is null of other abstentions: reason says why. probability is that of the answer being right, and candidates: [{ text, probability }] are the next best, or all of an answer that is withheld. Offsets count UTF-16 units of the document; passage is present for single sentences, stopped if a limit, a failure or an abort ended the run; content and line are the heads of the trace. unsupported lists the sentences that the cited passages do not support, fields: [{ path, citations, unsupported, unjudged }] are those of an answer with --schema (unjudged of true and false, which words cannot check), unread counts the passages that did not fit into the reader’s prompt; both are missing if there are none. model is what the language model of --model took, if it was asked: tokens that it read (reused: of a prompt that it had computed before) and wrote, milliseconds, US dollars. sides: [{ claim, citations }] holds what was found on each claim where yes or no is left undecided. compared names the two things that the question compares, if each has evidence; side is the one that an item is about, missing if it is about both or neither.',
  ],
  run: ask,
};

async function ask(context: CommandContext): Promise<number> {
  const { options, signal, positionals, stdin, output } = context;
  const question = positionals[0] === '-' ? await readStdin(stdin, signal) : positionals[0]!;
  const budget = options.get(BUDGET_OPTION) ?? {};
  if (options.flag('dry-run')) return dryRun(context, budget);
  const signer = signerOf(options, 'trace', 'jsonl');
  const members = await membersOf(options);
  warnOfUnaskedModel(options.text('model'), [members], output);
  const cost = costAhead(context, members, { budget, followUps: false });
  if (cost !== undefined && output.watched && !output.json) output.note(cost);
  const stream = streamOf(context);
  const waiting = new Waiting(output);
  const onText = (piece: string): void => {
    waiting.end();
    stream?.push(piece);
  };
  const asking: StoreAskOptions & { readonly startedAt: number } = {
    ...members,
    retriever: options.text('retriever'),
    context: options.text('context'),
    answerAt: options.get(ANSWER_AT_OPTION),
    filter: options.get(FILTER_OPTION),
    budget,
    signal,
    startedAt: context.startedAt,
    onText: stream && onText,
  };
  waiting.begin('opening');
  try {
    const ahead = (members.strategy.units ?? []).length > 0 ? PLAIN_INDEXES : [];
    await using session = await openSession(context, { ahead });
    await using asked = await session.ask(question, asking);
    warnOfEmpty(session, asked.snapshot.corpus.documents, output);
    return await printAsked({ asked, session, question, stream, waiting, signer }, context);
  } finally {
    waiting.end();
  }
}

/** Indexes that a strategy reads which searches more units than the retriever's. */
const PLAIN_INDEXES = STORED_INDEXES.filter(key => key.endsWith('.plain'));

const readerOf = (options: CommandContext['options']): string =>
  options.text('reader') ??
  usualReader(namesModel({ model: options.text('model'), cassette: options.text('cassette') }));

/** Shows sentences on a terminal as they are written; a short form, which has repairs, whole. */
function streamOf({ options, output }: CommandContext): AnswerStream | undefined {
  const isShort = readers.canonical(readerOf(options)).includes('form=short');
  const isWhole = isShort || options.flag('schema');
  return output.shown && !output.json && !isWhole ? new AnswerStream(output) : undefined;
}

async function membersOf(options: CommandContext['options']): Promise<AskingMembers> {
  const strategy = strategies.create(options.text('strategy') ?? DEFAULTS.strategy);
  const path = options.text('schema');
  if (path === undefined) return { strategy, reader: readers.create(readerOf(options)) };
  // The validator is loaded for a schema alone.
  const { typedBy } = await import('../../session/requests/checked-input.ts');
  const schema = typedBy(parseJson(new TextDecoder().decode(readBytes(path)), path));
  return { strategy, reader: readerFor({ schema, reader: options.text('reader') }, true) };
}

/** Prints the estimate from names alone; opens nothing. */
async function dryRun({ options, output }: CommandContext, budget: Budget): Promise<number> {
  const { strategy, reader } = await membersOf(options);
  const model = options.text('model');
  const price = modelPrice(options.get(PRICE_OPTION), model === undefined ? [] : [model]);
  const row = { id: `${strategy.name}, read by ${reader.name}`, strategy, reader, budget };
  printDryRun({ rows: [row], questions: 1, model, price, total: {} }, output);
  return 0;
}

interface Printing {
  readonly asked: AskedRun;
  readonly session: Session;
  readonly question: string;
  readonly stream: AnswerStream | undefined;
  readonly waiting: Waiting;
  readonly signer: TraceSigner | undefined;
}

/** Prints the run as it goes, writes its trace, and returns the exit code. */
async function printAsked(
  { asked: { snapshot, events }, session, question, stream, waiting, signer }: Printing,
  { options, output, listen: hearInterrupts }: CommandContext,
): Promise<number> {
  const { engine } = snapshot;
  const file = options.text('trace');
  const listen = options.flag('jsonl') ? (line: string) => output.verbatim(line) : undefined;
  const full = options.flag('full-trace') || listen !== undefined;
  // Packing and chaining events takes a tenth of a short run: only where lines or heads are shown.
  const isChained = file !== undefined || listen !== undefined || output.json;
  if (isChained) hearInterrupts();
  const unlinked = options.isDefault('trace');
  const lines = isChained ? new TraceLines(file, { full, listen, signer, unlinked }) : undefined;
  const explains = options.flag('explain') || output.verbose;
  const trace = await watchRun(events, async event => {
    lines?.add(event);
    waiting.end();
    if (event.type === 'hop' && explains) await printHop(event, question, engine, output);
    waiting.follow(event);
  });
  const heads = lines?.seal();
  const streamed = stream?.end() ?? '';
  if (!options.flag('jsonl')) {
    const ids = shownIds(trace);
    const onWarning = ({ message }: { readonly message: string }): void =>
      output.warn(`${message}. Until then no path is known of ${ids.map(printable).join(', ')}`);
    const paths = await session.paths(ids, onWarning);
    const fold = output.shown && !options.flag('all') ? '--all' : undefined;
    const model = spentSince(undefined, await session.modelSpent());
    await printRun(trace, { engine, heads, file, streamed, fold, paths, model }, output);
  }
  if (trace.stopped && (output.json || trace.stopped.by !== 'limit'))
    output.note(output.noteStyle.yellow(stoppedWords(trace.stopped)));
  return exitCodeOfStop(trace.stopped);
}
