/** `multihop documents`: lists what a store holds, and what its ingests skipped and why. */
import { realpath } from 'node:fs/promises';
import { type Document, metadataText } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import { type PathOf, pathsOf, placesOf } from '../../session/file-paths.ts';
import { pageOfDocuments } from '../../session/page-documents.ts';
import { nodeDisk } from '../../stores/disk/disk.ts';
import { type KnownFiles, readSources } from '../../stores/disk/source-files.ts';
import type { Command, CommandContext } from '../command.ts';
import { ENGINE_NOTE, ENGINE_OPTION, engineOf } from '../engine-option.ts';
import { openStore } from '../open-store.ts';
import { FILTER_OPTION, STORE_OPTION } from '../options.ts';
import { printable } from '../wrap.ts';

export const command: Command = {
  positionals: [],
  options: [
    STORE_OPTION,
    ENGINE_OPTION,
    { ...FILTER_OPTION, summary: 'list only documents whose metadata match' },
    { name: 'skipped', summary: 'list the files that the last ingest skipped, and why' },
  ],
  examples: [
    { line: 'multihop documents --store notes.store', says: 'id, title, sections and file' },
    {
      line: `multihop documents --store news.store --filter 'source = "The Verge"'`,
      says: 'only some documents',
    },
    { line: 'multihop documents --store notes.store --skipped', says: 'what is not in the store' },
  ],
  notes: [
    ENGINE_NOTE,
    'Columns are separated by tabs. A document that a program stored has no file. Skipped is what the last ingest of a folder met there and did not read, in whole or in part.',
    '--json prints { store, documents: [{ id, title, sections, path, language, changed }], files, skipped }, or with --skipped { store, skipped: [{ path, line, reason }] }; the first counts files and skipped places.',
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
  const engine = engineOf(context, ['skipped']);
  if (engine !== undefined)
    return (await import('../engine-commands.ts')).documentsOfEngine(context, engine);
  const filter = options.get(FILTER_OPTION);
  if (filter && options.flag('skipped'))
    throw new InputError('bad-value', 'The option --filter', {
      expected: 'no --skipped: what was skipped has no metadata',
      received: `"${options.text('filter')}"`,
    });
  const store = await openStore(context);
  const known = await readSources(nodeDisk, store.folder, store.manifest, warning =>
    output.warn(warning.message, warning),
  );
  const places = placesOf(known, await realpath(store.folder));
  const skipped = skippedOf(known, places);
  if (options.flag('skipped')) {
    if (output.json) output.object({ store: store.folder, skipped });
    else for (const one of skipped) output.line(skippedLine(one));
    return 0;
  }
  await using snapshot = await store.snapshot();
  const limit = Math.max(1, snapshot.documents.length);
  const page = await pageOfDocuments(snapshot, { filter, limit, signal });
  const paths = pathsOf(known, places);
  const days = daysOf(known);
  const rows = page.documents.map(document =>
    rowOf(document, paths.get(document.id), days.get(document.id)),
  );
  if (output.json) {
    const files = new Set(paths.values()).size;
    output.object({ store: store.folder, documents: rows, files, skipped: skipped.length });
  } else {
    for (const { id, title, sections, path = '' } of rows)
      output.line([id, title, `${sections}`, path].map(printable).join('\t'));
    output.note(`${page.total} documents, ${skipped.length} places skipped (--skipped names them)`);
  }
  return 0;
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
}

function rowOf(
  { id, title, outline = [], metadata }: Document,
  path: string | undefined,
  changed: string | undefined,
): Row {
  const language = metadataText(metadata, 'language') || metadataText(metadata, 'lang');
  const sections = new Set(outline.map(({ heading }) => heading.join('\0'))).size;
  return {
    ...{ id, title, sections },
    ...(path === undefined ? {} : { path }),
    ...(language === '' ? {} : { language }),
    ...(changed === undefined ? {} : { changed }),
  };
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
