/**
 * Checks a store byte by byte, as Lucene's CheckIndex does, and reports damage, rebuildable parts
 * and losses.
 */
import { join } from 'node:path';
import { PortError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { pausesFor } from '../../platform/clock.ts';
import { sha256 } from '../../platform/sha256.ts';
import type { Staleness } from '../../search/derived/derived-index.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { vectorsKey } from '../../search/vectors/document-vectors.ts';
import { indexesOf } from './build-indexes.ts';
import { withoutCrcs } from './checksums.ts';
import { orphans } from './commit.ts';
import { derivedReport } from './derived-problems.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { packTable, TABLE_KEY } from './document-table.ts';
import { type Generation, readDocuments, readGeneration, readManifest } from './generation.ts';
import { indexPieces, type Packed } from './index-file.ts';
import { type IndexFile, isCurrent, type Manifest } from './manifest.ts';
import { readPacked } from './read-packed.ts';
import { corpusDigest, linesIn, parseSegment } from './segment.ts';
import { readBytes } from './source-files.ts';
import { STORE_TEMPLATE, templateOf } from './store-embedders.ts';

export interface StoreProblem {
  readonly file: string;
  readonly problem: string;
  /**
   * `rebuilt`: a derived file; answers are correct without it. `lost`: documents cannot be read.
   */
  readonly effect: 'rebuilt' | 'lost';
}

export interface StoreReport {
  readonly ok: boolean;
  readonly generation: number;
  readonly documents: number;
  readonly chunker: string;
  /** Undefined if the documents cannot be read. */
  readonly digest?: string;
  readonly problems: readonly StoreProblem[];
  /** Intact derived indexes of earlier documents: searches and `--repair` bring them up to date. */
  readonly stale: readonly Staleness[];
  /** Spaces that a search must embed although nothing is damaged. */
  readonly unembedded: readonly { readonly space: string; readonly unit: Unit }[];
  /**
   * Template of each embedder of the store, and whether this release uses it; vectors of other
   * templates are rejected.
   */
  readonly templates: readonly {
    readonly space: string;
    readonly template: string;
    readonly readable: boolean;
  }[];
  /**
   * Files that belong to no generation: harmless; the next write removes drafts, and a write a day
   * later the others.
   */
  readonly orphans: readonly string[];
}

/**
 * Verifies a store. Throws only errors of opening it, before there is a manifest to check.
 * `onChecked`: called whenever a file was read or compared.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 * import { verifyStore } from 'multihop/storage';
 *
 * const store = await openStore('verified.store');
 * await store.ingest(['The Linnet lost its engines.']);
 * await store.close();
 * console.log((await verifyStore('verified.store')).ok);
 * ```
 */
export async function verifyStore(
  folder: string,
  disk: Disk = nodeDisk,
  onChecked: (checked: CheckedBytes) => void = () => {},
): Promise<StoreReport> {
  const read = await readManifest(disk, folder);
  if (!read) throw new PortError('store', 'no-store', `No store in "${folder}"`);
  const manifest = withoutCrcs(read);
  const { generation, documents: count, chunker } = manifest;
  const about = {
    generation,
    documents: count,
    chunker,
    unembedded: withoutVectors(manifest),
    templates: templatesOf(manifest),
  };
  const left = await orphans(disk, folder, manifest);
  try {
    const generationRead = await readGeneration(disk, folder, manifest);
    const documents = generationRead.segments.flatMap(segment => segment.documents);
    const fresh = new EmbeddedEngine({ documents, chunker: manifest.chunker }).current;
    const next = counted(generationRead.manifest, onChecked);
    for (const { file } of generationRead.segments) next(file);
    const derived = await derivedReport(folder, disk, manifest, fresh.derivedSource, next);
    const problems: StoreProblem[] = [
      ...(await indexProblems(folder, disk, generationRead, next)),
      ...derived.problems.map(problem => ({ ...problem, effect: 'rebuilt' as const })),
      ...(await sourceProblems(folder, disk, manifest, next)),
    ];
    return {
      ok: problems.length === 0,
      ...about,
      digest: corpusDigest(documents, manifest.chunker),
      problems,
      stale: derived.stale,
      orphans: left,
    };
  } catch (error) {
    if (!PortError.is(error)) throw error;
    return {
      ok: false,
      ...about,
      problems: [{ file: folder, problem: error.message, effect: 'lost' }],
      stale: [],
      orphans: left,
    };
  }
}

interface CheckedBytes {
  /** Files read or compared so far; documents count again once their indexes are built. */
  readonly files: number;
  /** Bytes of these files, and of all. */
  readonly done: number;
  readonly total: number;
}

type Checked = (file: { readonly bytes: number }) => void;

/** Counts the bytes of files: building the indexes of documents takes as long as they are large. */
function counted(
  { segments, derived = [], sources = [] }: Manifest,
  onChecked: (checked: CheckedBytes) => void,
): Checked {
  const all = segments.flatMap(segment => [segment, segment, ...(segment.indexes ?? [])]);
  const total = [...all, ...derived, ...sources].reduce((sum, { bytes }) => sum + bytes, 0);
  let [files, done] = [0, 0];
  return ({ bytes }) => onChecked({ files: ++files, done: (done += bytes), total });
}

/** Without these lines the next ingest reads all files again, and writes them anew. */
async function sourceProblems(
  folder: string,
  disk: Disk,
  { sources = [] }: Manifest,
  onChecked: Checked,
): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for (const file of sources) {
    try {
      await readBytes(disk, folder, file);
    } catch (error) {
      const problem = (error as Error).message;
      problems.push({ file: join(folder, file.file), problem, effect: 'rebuilt' });
    }
    onChecked(file);
  }
  return problems;
}

/** Compares every index, byte for byte, with one built from the documents of its file. */
async function indexProblems(
  folder: string,
  disk: Disk,
  { manifest, segments }: Generation,
  onChecked: Checked,
): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for (const { file, documents } of segments) {
    const { indexes = [] } = file;
    if (indexes.length === 0) {
      onChecked(file);
      continue;
    }
    const { lexical, items } = await indexesOf({ file, documents }, manifest.chunker, pausesFor());
    onChecked(file);
    const path = join(folder, file.file);
    const bytes = await readDocuments(disk, path, file);
    const table = packTable(parseSegment(path, bytes), linesIn(bytes), items);
    const built = new Map([...lexical, [TABLE_KEY, table]]);
    for (const index of indexes) {
      const problem = await indexProblem(folder, disk, index, built.get(index.key));
      if (problem !== undefined)
        problems.push({ file: join(folder, index.file), problem, effect: 'rebuilt' });
      onChecked(index);
    }
  }
  return problems;
}

/** Returns the spaces whose vectors lack documents: a search must embed them. */
export function withoutVectors(manifest: Manifest): StoreReport['unembedded'] {
  const { spaces = [], documents } = manifest;
  if (documents === 0) return [];
  return spaces.flatMap(({ name: space, units }) =>
    units
      .filter(unit => !isCurrent(manifest, vectorsKey(unit, space)))
      .map(unit => ({ space, unit })),
  );
}

function templatesOf({ spaces = [] }: Manifest): StoreReport['templates'] {
  return spaces.map(record => {
    const template = templateOf(record);
    return { space: record.name, template, readable: template === STORE_TEMPLATE.name };
  });
}

async function indexProblem(
  folder: string,
  disk: Disk,
  file: IndexFile,
  built: Packed | undefined,
): Promise<string | undefined> {
  let stored: Packed;
  try {
    stored = readPacked(disk, folder, file, file.key);
  } catch (error) {
    return (error as Error).message;
  }
  if (built === undefined) return `its kind "${file.key}" is unknown`;
  const digestOf = async (packed: Packed): Promise<string> =>
    sha256(...(await indexPieces(file.key, packed)));
  const digest = await digestOf(built);
  // A file of an earlier release has no sums of pages.
  const isSame = digest === file.sha256 || digest === (await digestOf(stored));
  return isSame ? undefined : 'it is not the index of these documents';
}
