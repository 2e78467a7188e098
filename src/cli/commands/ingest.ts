/**
 * `multihop ingest`: reads files and folders into a store; leaves unchanged documents and replaces
 * changed ones.
 */

import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { monotonicClock } from '../../platform/clock.ts';
import type {
  IngestedPaths,
  IngestSummary,
  StoreIngestEvent,
} from '../../session/document-store.ts';
import type { FileReading } from '../../session/file-reading.ts';
import type { Session } from '../../session/session.ts';
import { withoutVectors } from '../../stores/disk/verify-store.ts';
import { isServerAddress, shownPlace } from '../../stores/servers/engine-address.ts';
import type { Command, CommandContext } from '../command.ts';
import { embedCommand, noteBehind, noteReading, VectorProgress } from '../embed-store.ts';
import { checkPreview, DRY_RUN_OPTION, printPreview } from '../ingest-preview.ts';
import { printedSummary } from '../ingest-summary.ts';
import { EMBEDDING_OPTIONS, READING_OPTIONS } from '../model-options.ts';
import { checkApart, openReading, sourceOf } from '../open-reading.ts';
import { openSession, SERVER_NOTE } from '../open-session.ts';
import { STORE_OPTION } from '../options.ts';
import { Progress } from '../progress.ts';
import {
  reportIgnored,
  reportLeftOut,
  reportNoted,
  reportPrefixed,
  reportRenamed,
  reportReplaced,
  reportSkipped,
  vanishedText,
} from '../skipped-text.ts';
import { WatchedPaths } from '../watched-paths.ts';

export const command: Command = {
  positionals: [
    {
      name: 'PATH',
      repeatable: true,
      optional: true,
      summary:
        'files and folders to read; without any, --embedder, --graph and --claims work on the stored documents',
    },
  ],
  options: [
    {
      ...STORE_OPTION,
      access: 'keeps',
      summary: 'the folder of the store, or the address of a server; created if missing',
    },
    {
      name: 'format',
      value: 'NAME',
      summary:
        'format of every file; extension and content decide if missing (see multihop list formats)',
    },
    {
      name: 'strict',
      summary: 'end at the first malformed file or line instead of skipping it',
    },
    {
      name: 'all',
      summary: 'read what .gitignore and node_modules leave out, too',
    },
    {
      name: 'sync',
      summary: 'remove documents whose files no longer exist below these paths, or are left out',
    },
    DRY_RUN_OPTION,
    {
      name: 'watch',
      summary: 'then watch these paths and ingest each change, until Ctrl-C',
    },
    {
      name: 'chunker',
      value: 'NAME',
      default: 'tokens',
      summary: 'chunker of a new store; see multihop list chunkers',
    },
    ...EMBEDDING_OPTIONS,
    {
      name: 'unit',
      value: 'NAME',
      default: 'passage',
      repeatable: true,
      summary: 'unit to embed: passage, document, sentence',
    },
    ...READING_OPTIONS,
  ],
  common: 'store format all sync dry-run watch embedder graph quiet json',
  examples: [
    {
      line: 'multihop ingest notes/ --store notes.store --embedder bge-small-en-v1.5',
      says: 'with vectors of passages, for dense(bge-small-en-v1.5)',
    },
    {
      line: 'multihop ingest notes/ --store notes.store --graph names',
      says: 'with a graph of sentences, for strategies that follow edges',
    },
    {
      line: 'multihop ingest notes/ --store notes.store --graph "triples(ollama:llama3.2)" --dry-run',
      says: 'the cost of a graph from triples of a language model',
    },
    {
      line: 'multihop ingest notes/ --store notes.store --claims rules',
      says: 'with a claim base, which the strategy bridge-claims searches',
    },
    {
      line: 'multihop ingest --store notes.store --embedder bge-small-en-v1.5',
      says: 'add vectors of the stored documents',
    },
    { line: 'multihop ingest notes/ --store notes.store', says: 'all readable files of a folder' },
    {
      line: 'multihop ingest notes/ --store notes.store --sync --watch',
      says: 'keep a store equal to its folder',
    },
    {
      line: 'multihop ingest notes/ --store notes.store --sync --dry-run',
      says: 'show the documents that would be added, changed and removed',
    },
    {
      line: 'multihop ingest corpus.jsonl --store news.store --chunker "tokens(size=300, overlap=60)"',
      says: 'a document on each line, with a chunker',
    },
    {
      line: 'multihop ingest export.txt --store news.store --format csv',
      says: 'a file whose name does not show its format',
    },
  ],
  notes: [
    SERVER_NOTE,
    'Every document is on the disk once it is counted. An unchanged document is left as it is, a changed one replaces the old one, one of a vanished file stays without --sync. A file of unchanged size and time of change, or else of unchanged content, is not read again. After an interrupt, run the command again: it continues where it stopped.',
    'Inside a folder, files that a .gitignore names (of that folder, below it, and in a work tree of git above it, with .git/info/exclude and git/ignore of the settings) and all below node_modules are not read, and their number is said; --all reads them. A path that is named is always read, and so is what it holds if it is left out itself. With --sync documents of files that are left out now are removed and named.',
    'The id of a file is its path below the folder. Once a store reads a second folder, ids of its files begin with its name (with a number, where two folders have one name); ids of earlier folders stay. A file named itself belongs to the folder that holds it, and a folder inside another one to that one. The store knows a folder again by its path from the store, or by its absolute path; with --sync one that was renamed by most of its files.',
    'A record (a line of JSONL, a row of CSV) keeps the id that it states if no other file states it and no file has it as its path. Otherwise its id is FILE/ID, in each file that states it, which follows from the files alone: --sync over all paths gives the ids of a fresh store. A file that is read alone gets FILE/ID beside a stored file that states the same ID; that one keeps its ids until it is read again, and then documents with new ids are removed under the old ones. Within a file a line that repeats an id is skipped and named; with --strict it ends the ingest. An id of over 1,024 characters, "." or ".." is skipped and named.',
    'A text is read as UTF-8 (or UTF-16), else by the encoding that it declares (charset, encoding, coding), else by the likeliest one, which multihop documents names as a guess. A text of UTF-8 with a few other bytes is read without these, and says so; what is no text in any encoding is skipped.',
    '--watch ends with 0 at Ctrl-C once the first ingest is over; documents that were counted stay, and the next start reads what it missed. Each later ingest that changes something prints its line, or with --json its object. A failure of one is shown, and the next change is ingested again.',
    'A store keeps its first model: another one, or the same with other vectors, is refused. Unchanged texts are not embedded again: their vectors are in the folder cache of the store. A graph, once begun, is brought up to date by each ingest; with --embedder it joins the nearest sentences too, and all sentences are embedded. triples(MODEL) names entities and relations as HippoRAG does; completions are in the cache of the store, so that no passage is paid for twice, after an interrupt either. --claims makes for each sentence that states a fact a claim, a self-contained sentence with its target, topic and further targets; with a model, rules write those that their sentence does not support. It is brought up to date as a graph is; a claim base of a model that lacks documents is not searched. The key of a server comes from MULTIHOP_MODEL_API_KEY; --dry-run prints the calls and what they cost at most.',
    'A retriever that names no unit searches what its model embedded here: after the first example dense(bge-small-en-v1.5) means passages, and lexical beside it too. With --unit document among the units it means documents.',
    '--json prints { store, read, added, changed, unchanged, removed, vanished, skipped: [{ path, line, reason }], documents, embedded, graph, graphModel, claimsModel, ms }; embedded counts texts with vectors by embedder, graph the documents that were added to each of its indexes and to the claim base, graphModel what a language model did for it (calls by role, sent of them, their tokens and usd, replies that could not be read), claimsModel the same for claims, repeated the blocks that were left out because pages of one folder repeat them at their beginning or end, prefixed the documents whose id is FILE/ID, noted the files that were read with a note and belowHalf those of them that keep less than half of their visible words, ignored the files that .gitignore or node_modules leaves out, each if there are any; documents counts those in the store. With --dry-run it prints { store, dryRun, added, changed, unchanged, removed, vanished, skipped }: added, changed and removed list ids.',
  ],
  run: ingest,
};

async function ingest(context: CommandContext): Promise<number> {
  const { options, output, positionals, signal } = context;
  checkPlace(context);
  if (options.flag('dry-run')) return preview(context);
  if (!options.flag('watch')) return ingestOnce(context);
  // Begins before the first ingest, which may miss what changes while it reads.
  const watched = await WatchedPaths.open(positionals, { all: options.flag('all') }, signal);
  await ingestOnce(context);
  context.listen();
  // Counted documents are stored at an interrupt, and the next start reads the rest.
  await watched.follow(output, () => ingestOnce(context, true));
  return 0;
}

async function preview(context: CommandContext): Promise<number> {
  checkPreview(context);
  checkApart(context.positionals, context.options.required('store'));
  const progress = new Progress(context.output, 'documents');
  const reading = await openReading(context, sourceOf(context)!, progress);
  try {
    return await printPreview(context, reading);
  } finally {
    progress.end();
  }
}

/** Throws `InputError` for options that only a store in a folder takes. */
function checkPlace({ options }: CommandContext): void {
  const place = options.required('store');
  const other = ['sync', 'watch', 'dry-run', 'graph', 'claims'].find(name => options.flag(name));
  if (!isServerAddress(place) || other === undefined) return;
  throw new InputError('bad-option', `The option --${other}`, {
    expected: 'the folder of a store: a server knows no files, and keeps no graph and no claims',
    received: `--store ${shownPlace(place)}`,
  });
}

/** `again`: prints nothing where nothing changed. */
async function ingestOnce(context: CommandContext, again = false): Promise<number> {
  const { options, output, positionals } = context;
  const began = monotonicClock();
  const place = options.required('store');
  const isServer = isServerAddress(place);
  const kept = { graph: options.text('graph'), claims: options.text('claims') };
  const adds = options.texts('embedder').length > 0 || (kept.graph ?? kept.claims) !== undefined;
  if (positionals.length === 0 && !adds)
    throw new InputError('missing-argument', 'PATH is missing', {
      expected: 'files and folders to read, an --embedder, a --graph or --claims',
    });
  if (!isServer) checkApart(positionals, place);
  const progress = new Progress(output, 'documents');
  const source = sourceOf(context);
  const reading = !isServer && source ? await openReading(context, source, progress) : undefined;
  const composed = { units: unitsOf(options.texts('unit')), chunker: options.text('chunker') };
  const create = source !== undefined;
  await using session = await openSession(context, {
    ...composed,
    ...kept,
    create,
    embedsGiven: true,
  });
  const summary = await watched(session, reading ?? source, context, progress);
  const { label, folder } = session;
  const manifest = (await folder?.store())?.manifest;
  for (const { space, unit } of manifest ? withoutVectors(manifest) : [])
    output.note(
      `No vectors of ${space} for these ${unit}s; ${embedCommand(label, space, unit)} makes them`,
    );
  if (manifest) noteBehind(label, manifest, output);
  noteReading(summary, output);
  if (again && summary.added + summary.changed + summary.removed === 0) return 0;
  if (output.json) {
    const repeated = reading?.leftOut.blocks;
    const prefixed = reading?.prefixed.count;
    const { files: noted, belowHalf } = reading?.noted ?? {};
    const ms = monotonicClock() - began;
    const ignored = reading?.ignored;
    const counted = { ...summary, repeated, prefixed, noted, belowHalf, ignored };
    output.object(printedSummary(label, counted, ms));
  } else await printSummary(summary, reading, context);
  return 0;
}

async function printSummary(
  summary: IngestSummary,
  reading: FileReading | undefined,
  { options, output }: CommandContext,
): Promise<void> {
  const { read, added, changed, unchanged, removed, vanished, documents, skipped } = summary;
  reportSkipped(skipped, output);
  if (reading) {
    reportRenamed(reading.renamed, output);
    reportLeftOut(reading.leftOut, output);
    reportIgnored(reading.ignored, reading.removedByRules, output);
    reportNoted(reading.noted, options.required('store'), output);
    reportPrefixed(reading.prefixed, output);
    reportReplaced(await reading.replaced(), output);
  }
  if (vanished > 0)
    output.note(
      `${vanished} stored documents of files that ${vanishedText(reading?.ignored)} stay; --sync removes them`,
    );
  output.line(
    `${read} read, ${added} added, ${changed} changed, ${unchanged} unchanged, ${options.flag('sync') || removed > 0 ? `${removed} removed, ` : ''}${skipped.length} skipped; ${documents} in the store`,
  );
}

const UNITS: readonly string[] = ['document', 'passage', 'sentence'] satisfies Unit[];

function unitsOf(units: readonly string[]): readonly Unit[] {
  const wrong = units.find(unit => !UNITS.includes(unit));
  if (wrong !== undefined)
    throw new InputError('bad-value', 'The option --unit', {
      expected: `one of ${UNITS.join(', ')}`,
      received: `"${wrong}"`,
    });
  return units.length > 0 ? ([...new Set(units)] as Unit[]) : ['passage'];
}

/** Runs the ingest with its progress. On an error or Ctrl-C every counted document stays stored. */
async function watched(
  session: Session,
  source: FileReading | IngestedPaths | undefined,
  { output, signal, listen }: CommandContext,
  progress: Progress,
): Promise<IngestSummary> {
  let stored = 0;
  let storing = true;
  async function* events(): AsyncGenerator<StoreIngestEvent, IngestSummary, void> {
    // From now on there may be stored documents to tell of.
    listen();
    const ingest = session.ingest(source, { signal });
    let step = await ingest.next();
    for (; !step.done; step = await ingest.next()) {
      if (step.value.type === 'stored') {
        stored = step.value.documents;
        // A reading of a folder shows its own progress.
        if (!session.folder) progress.update({ count: stored });
      } else if (step.value.type === 'phase') {
        storing = false;
        progress.end();
      }
      yield step.value;
    }
    return step.value;
  }
  try {
    return await new VectorProgress(output, session).watch(events());
  } catch (error) {
    if (storing && stored > 0)
      output.note(
        `${stored} documents were stored before the failure, and stay; run the same command again to continue.`,
      );
    throw error;
  } finally {
    progress.end();
  }
}
