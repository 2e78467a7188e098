/** `multihop documents`: lists what a store holds, and what its ingests skipped and why. */
import { realpath } from 'node:fs/promises';
import { type Document, metadataText } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { freeCall } from '../../core/trace/call.ts';
import { losesMost } from '../../documents/kept-words.ts';
import { checkFilterValues } from '../../search/filters/filter-values.ts';
import { pagesOf } from '../../search/place.ts';
import { type PathOf, pathsOf, placesOf } from '../../session/file-paths.ts';
import { needsFolder } from '../../session/ingest.ts';
import type { FolderPlace } from '../../session/places/folder-place.ts';
import { nodeDisk } from '../../stores/disk/disk.ts';
import { type KnownFiles, readSources, type SourceRecord } from '../../stores/disk/source-files.ts';
import type { Command, CommandContext } from '../command.ts';
import { openSession, SERVER_NOTE } from '../open-session.ts';
import { FILTER_OPTION, STORE_OPTION } from '../options.ts';
import type { Output } from '../output.ts';
import { Progress } from '../progress.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [],
  options: [
    STORE_OPTION,
    { ...FILTER_OPTION, summary: 'list only documents whose metadata match' },
    { name: 'skipped', summary: 'list the files that the last ingest skipped, and why' },
  ],
  examples: [
    { line: 'multihop documents --store notes.store', says: 'id, title, sections and file' },
    {
      line: `multihop documents --store news.store --filter 'source = "The Verge"'`,
      says: 'only some documents',
    },
    { line: 'multihop documents --store notes.store --skipped', says: 'list skipped files' },
  ],
  notes: [
    SERVER_NOTE,
    'Columns are separated by tabs: id, title, sections, file, words kept of all that the file shows (as 90/100), and what its reader says of it, such as a guess of its encoding. Words are counted of files that make one document. A warning names files that keep less than half of their words. A document that a program stored has no file. Skipped is what the last ingest of a folder met there and did not read, in whole or in part.',
    '--json prints { store, documents: [{ id, title, sections, path, language, changed, words, visibleWords, notes }], files, skipped, belowHalf }, or with --skipped { store, skipped: [{ path, line, reason }] }; the first counts files, skipped places and files that keep less than half of their words; words and visibleWords are missing where files of an earlier release were not read again.',
  ],
  run: documents,
};

interface SkippedFile {
  readonly path: string;
  readonly line?: number;
  readonly reason: string;
}

async function documents(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  const filter = options.get(FILTER_OPTION);
  if (filter && options.flag('skipped'))
    throw new InputError('bad-value', 'The option --filter', {
      expected: 'no --skipped: what was skipped has no metadata',
      received: `"${options.text('filter')}"`,
    });
  await using session = await openSession(context);
  const { label } = session;
  const files = session.folder && (await filesOf(session.folder, output));
  if (options.flag('skipped')) {
    if (!files) throw needsFolder(session.place, 'what was skipped');
    if (output.json) output.object({ store: label, skipped: files.skipped });
    else for (const entry of files.skipped) output.line(skippedLine(entry));
    return 0;
  }
  const rows: Row[] = [];
  const progress = new Progress(output, 'documents');
  const call = freeCall(signal);
  await using snapshot = await session.place.snapshot();
  if (filter) await checkFilterValues(filter, snapshot.engine, call);
  for await (const page of pagesOf(snapshot, { filter, limit: PAGE }, call)) {
    for (const document of page) {
      const row = rowOf(document, files);
      rows.push(row);
      if (!output.json) output.line(printedRow(row));
    }
    // Lines are progress themselves.
    if (output.json) progress.update({ count: rows.length });
  }
  progress.end();
  const skipped = files?.skipped.length;
  const known = files && new Set(files.paths.values()).size;
  const low = rows.filter(isBelowHalf);
  if (output.json) {
    const counts = { files: known, skipped, belowHalf: files && low.length };
    output.object(defined({ store: label, documents: rows, ...counts }));
  } else
    output.note(
      `${rows.length} documents${files ? `, ${skipped} places skipped (--skipped names them)` : ''}`,
    );
  if (low.length > 0) output.warn(lossText(low));
  return 0;
}

/** Documents that are read at once. */
const PAGE = 500;

/** The files of a store's documents, and those that were skipped. */
interface KnownPlaces {
  readonly skipped: readonly SkippedFile[];
  readonly paths: ReadonlyMap<string, string>;
  readonly days: ReadonlyMap<string, string>;
  readonly records: ReadonlyMap<string, SourceRecord>;
}

async function filesOf(folder: FolderPlace, output: Output): Promise<KnownPlaces> {
  const store = await folder.store();
  const known = await readSources(nodeDisk, store.folder, store.manifest, warning =>
    output.warn(warning.message, warning),
  );
  const places = placesOf(known, await realpath(store.folder));
  return {
    skipped: skippedOf(known, places),
    paths: pathsOf(known, places),
    days: daysOf(known),
    records: recordsOf(known),
  };
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly sections: number;
  readonly path?: string;
  /** Language that the document states. */
  readonly language?: string;
  /** ISO day of the last change of the file. */
  readonly changed?: string;
  /** Words of the document that a whole file makes, and all that the file shows. */
  readonly words?: number;
  readonly visibleWords?: number;
  /** Remarks of the reader of the file. */
  readonly notes?: readonly string[];
}

function rowOf(
  { id, title, outline = [], metadata }: Document,
  files: KnownPlaces | undefined,
): Row {
  const language = metadataText(metadata, 'language') || metadataText(metadata, 'lang');
  const record = files?.records.get(id);
  const sections = new Set(outline.map(({ heading }) => heading.join('\0'))).size;
  return defined<Row>({
    id,
    title,
    sections,
    path: files?.paths.get(id),
    language: language || undefined,
    changed: files?.days.get(id),
    words: record?.words?.kept,
    visibleWords: record?.words?.visible,
    notes: record?.notes,
  });
}

function printedRow({
  id,
  title,
  sections,
  path = '',
  words,
  visibleWords,
  notes = [],
}: Row): string {
  const counted = words === undefined ? '' : `${words}/${visibleWords}`;
  return [id, title, `${sections}`, path, counted, notes.join('; ')].map(printable).join('\t');
}

const isBelowHalf = ({ words: kept = 0, visibleWords: visible = 0 }: Row): boolean =>
  losesMost({ kept, visible });

/** Most files that the warning names; the list has all of them. */
const SHOWN = 10;

function lossText(rows: readonly Row[]): string {
  const named = rows.slice(0, SHOWN).map(row => {
    const { id, path = id, words, visibleWords } = row;
    return `${printable(path)} (${words} of ${visibleWords} words)`;
  });
  const more = rows.length > SHOWN ? `, and ${rows.length - SHOWN} more` : '';
  const files = rows.length === 1 ? '1 file keeps' : `${rows.length} files keep`;
  return `${files} less than half of the visible words: ${named.join(', ')}${more}`;
}

/** Returns the record of the file of each document. */
function recordsOf({ records }: KnownFiles): Map<string, SourceRecord> {
  const found = new Map<string, SourceRecord>();
  for (const record of records.values()) for (const id of record.ids) found.set(id, record);
  return found;
}

/** Returns the day of the last change of a document's file; none of one that was too young. */
function daysOf({ records }: KnownFiles): Map<string, string> {
  const days = new Map<string, string>();
  for (const { ids, read } of records.values())
    if (read !== undefined && read.modified > 0)
      for (const id of ids) days.set(id, new Date(read.modified).toISOString().slice(0, 10));
  return days;
}

function skippedOf({ records }: KnownFiles, placeOf: PathOf): SkippedFile[] {
  return [...records.values()].flatMap(record =>
    (record.skipped ?? []).map(place => ({ path: placeOf(record), ...place })),
  );
}

function skippedLine({ path, line, reason }: SkippedFile): string {
  return `${printable(line === undefined ? path : `${path}:${line}`)}\t${printable(reason)}`;
}
