/** `multihop ingest`: files and folders go into a store; what is there already is left alone, what has changed is replaced. */

import { isAbsolute, relative } from 'node:path';
import type { Document } from '../../../corpus/document.ts';
import { InputError } from '../../../errors.ts';
import { type IngestEvent, ingestEvents } from '../../../ingest.ts';
import type { Unit } from '../../../ranking/ranking.ts';
import { freeCall } from '../../../trace/call.ts';
import { monotonicClock } from '../../clock.ts';
import { type LoadEvent, readDocuments, type SkippedEvent } from '../../formats/read-documents.ts';
import type { Store } from '../../storage/store.ts';
import { checkEmbedders } from '../../storage/store-embedders.ts';
import { type Command, type CommandContext, STORE_OPTION } from '../command.ts';
import { FileSizes } from '../file-sizes.ts';
import { BASE_URL_OPTION, cacheOf, EMBEDDER_OPTION, Models } from '../open-models.ts';
import { openStore } from '../open-store.ts';
import type { Output } from '../output.ts';
import { duration, Progress } from '../progress.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [{ name: 'PATH', repeatable: true, summary: 'files and folders to read' }],
  options: [
    { ...STORE_OPTION, summary: 'the folder of the store; made when it is not there' },
    { name: 'format', value: 'NAME', summary: 'read every file so; else extension and content decide (see multihop list formats)' },
    { name: 'chunker', value: 'NAME', default: 'tokens', summary: 'how a new store cuts documents; see multihop list chunkers' },
    EMBEDDER_OPTION,
    BASE_URL_OPTION,
    { name: 'unit', value: 'NAME', default: 'passage', repeatable: true, summary: 'what is embedded: passage, document, sentence' },
  ],
  examples: [
    {
      line: 'multihop ingest notes/ --store notes.store --embedder bge-small-en-v1.5',
      says: 'with vectors of its passages, for dense(bge-small-en-v1.5, unit=passage)',
    },
    { line: 'multihop ingest notes/ --store notes.store', says: 'all readable files of a folder' },
    {
      line: 'multihop ingest corpus.jsonl --store news.store --chunker "tokens(size=300, overlap=60)"',
      says: 'one document a line, and how to cut it',
    },
    { line: 'multihop ingest export.txt --store news.store --format csv', says: 'a file whose name does not tell its format' },
  ],
  notes: [
    'Every document is on the disk once it is counted. The same document again is a no-op, a changed one replaces the old one, one that is missing stays (see multihop remove). When it is interrupted, run it again: it goes on where it stopped.',
    'The first --embedder is the store’s for ever: another model, or the same with other vectors, is refused. What is unchanged is not embedded again: its vectors stand in the folder cache of the store.',
    '--json prints { store, read, added, changed, unchanged, skipped: [{ path, line, reason }], documents, embedded, ms }; embedded, where an embedder was given, is how many texts got vectors, by embedder; documents is how many the store holds.',
  ],
  run: ingest,
};

interface Reading {
  readonly skipped: SkippedEvent[];
  /** All documents, the first of which has been read already. */
  readonly documents: AsyncGenerator<Document, void, void>;
  /** Bytes of the files read so far. */
  readonly done: () => number;
  readonly total: number;
}

async function ingest(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const began = monotonicClock();
  checkApart(context.positionals, options.required('store'));
  const units = unitsOf(options.texts('unit'));
  const reading = await openReading(context);
  const models = new Models(context, cacheOf(options.required('store')));
  const embedders = await models.forIngest(units);
  const chunker = options.text('chunker');
  const store = await openStore(context, { create: true, embedders, ...(chunker === undefined ? {} : { chunker }) });
  checkEmbedders(store.folder, store.manifest, embedders, true);
  const stored = await storeAll(store, reading, context);
  const embedded = await embedAll(store, models, context);
  if (store.manifest.indexes.length === 0) output.detail('Writing the indexes');
  await store.close();
  const { type: _, removed: __, documents: read, ...counts } = stored;
  const inStore = store.manifest.documents;
  if (output.json)
    output.object({
      store: store.folder,
      read,
      ...counts,
      skipped: reading.skipped.map(({ type: _, ...rest }) => rest),
      documents: inStore,
      ...(embedders.length > 0 ? { embedded } : {}),
      ms: monotonicClock() - began,
    });
  else {
    reportSkipped(reading.skipped, output);
    const parts = [
      `${read} read`,
      ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
      `${reading.skipped.length} skipped`,
    ];
    output.line(`${parts.join(', ')}; ${inStore} in the store`);
  }
  return 0;
}

const UNITS: readonly string[] = ['document', 'passage', 'sentence'] satisfies Unit[];

function unitsOf(given: readonly string[]): readonly Unit[] {
  const wrong = given.find(unit => !UNITS.includes(unit));
  if (wrong !== undefined)
    throw new InputError('bad-value', 'The option --unit', { expected: `one of ${UNITS.join(', ')}`, received: `"${wrong}"` });
  return given.length > 0 ? ([...new Set(given)] as Unit[]) : ['passage'];
}

/** Texts with vectors, by embedder. On an error or Ctrl-C what was embedded stays in the cache. */
async function embedAll(store: Store, models: Models, { output, signal }: CommandContext): Promise<Record<string, number>> {
  const began = monotonicClock();
  const progress = new Progress(output, 'passages');
  const embedded: Record<string, number> = {};
  try {
    await store.embed(freeCall(signal), (done, total, space) => {
      embedded[space] = done;
      progress.update({ count: done, done, total });
    });
  } catch (error) {
    progress.end();
    output.note('The documents are stored, and what was embedded is kept; run the same command again to go on.');
    throw error;
  } finally {
    progress.end();
    await models.close();
  }
  const ms = monotonicClock() - began;
  for (const [space, count] of Object.entries(embedded))
    output.note(`${count} passages embedded by ${space} in ${duration(ms)} (${Math.round((count * 1000) / Math.max(1, ms))}/s)`);
  if (models.truncated > 0) output.warn(`${models.truncated} texts were longer than the model reads, and were cut`);
  for (const { name } of store.manifest.spaces ?? [])
    if (!store.manifest.vectors?.some(({ space }) => space === name))
      output.note(`The vectors of ${name} are of other documents; multihop ingest --embedder ${name} embeds the new ones`);
  return embedded;
}

/** A store inside a folder that is read would be read as documents itself. */
function checkApart(paths: readonly string[], store: string): void {
  const inside = paths.find(path => !relative(path, store).startsWith('..') && !isAbsolute(relative(path, store)));
  if (inside !== undefined)
    throw new InputError('store-inside', `The store "${store}" lies inside "${inside}", which is read`, {
      expected: 'a store beside it',
      hint: 'Give the store another folder, or name the files to read.',
    });
}

/** Reads up to the first document before a store is made or opened: a wrong path must leave nothing behind. */
async function openReading({ positionals, options, signal, output }: CommandContext): Promise<Reading> {
  const skipped: SkippedEvent[] = [];
  const events = readDocuments(positionals, { format: options.text('format'), signal });
  const nextDocument = async (): Promise<Extract<LoadEvent, { type: 'document' }> | undefined> => {
    for (let step = await events.next(); !step.done; step = await events.next()) {
      if (step.value.type === 'document') return step.value;
      skipped.push(step.value);
    }
    return undefined;
  };
  const first = await nextDocument();
  if (!first) {
    reportSkipped(skipped, output);
    const received = skipped.length === 0 ? 'nothing' : `${skipped.length} skipped: ${skipped[0]!.path}: ${skipped[0]!.reason}`;
    throw new InputError('empty-corpus', `There is no document in ${positionals.map(path => `"${path}"`).join(', ')}`, {
      expected: 'at least one',
      received,
    });
  }
  const sizes = await FileSizes.of(positionals);
  async function* all(): AsyncGenerator<Document, void, void> {
    for (let found: typeof first | undefined = first; found; found = await nextDocument()) {
      sizes.read(found.from, found.document);
      yield found.document;
    }
  }
  return { skipped, documents: all(), done: () => sizes.done, total: sizes.total };
}

/** On an error or Ctrl-C everything that was counted stays stored. */
async function storeAll(store: Store, reading: Reading, { output, signal }: CommandContext): Promise<IngestEvent> {
  const progress = new Progress(output, 'documents');
  let last: IngestEvent = { type: 'stored', documents: 0, added: 0, changed: 0, unchanged: 0, removed: 0 };
  try {
    for await (const event of ingestEvents(watched(reading, progress), { engine: store, signal })) last = event;
    return last;
  } catch (error) {
    progress.end();
    if (last.documents > 0)
      output.note(`${last.documents} documents were stored before it stopped, and stay; run the same command again to go on.`);
    throw error;
  } finally {
    progress.end();
  }
}

async function* watched(reading: Reading, progress: Progress): AsyncGenerator<Document, void, void> {
  let count = 0;
  for await (const document of reading.documents) {
    yield document;
    progress.update({ count: ++count, done: reading.done(), total: reading.total });
  }
}

const SHOWN = 20;

function reportSkipped(skipped: readonly SkippedEvent[], output: Output): void {
  for (const { path, line, reason } of skipped.slice(0, output.verbose ? skipped.length : SHOWN))
    output.note(`${output.noteStyle.yellow('skipped')} ${printable(path)}${line === undefined ? '' : `:${line}`}: ${printable(reason)}`);
  if (skipped.length > SHOWN && !output.verbose) output.note(`... and ${skipped.length - SHOWN} more (--verbose names them all)`);
}
