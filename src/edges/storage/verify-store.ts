/**
 * Checks a store byte by byte, as Lucene's CheckIndex does, and reports damage, rebuildable parts
 * and losses.
 */
import { join } from 'node:path';
import { PortError } from '../../errors.ts';
import type { Analysis } from '../../indexes/lexical/lexical-index.ts';
import { scorers } from '../../indexes/lexical/scorers.ts';
import type { Unit } from '../../ranking/ranking.ts';
import type { DerivedKind, Staleness } from '../../retrieval/derived-index.ts';
import { derivedByKey } from '../../retrieval/derived-kinds.ts';
import { vectorsKey } from '../../retrieval/document-vectors.ts';
import { EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import { fittedKey } from '../../retrieval/fitted-space-index.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import { sha256 } from '../sha256.ts';
import { orphans } from './commit.ts';
import { derivedReport } from './derived-problems.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { type Generation, readGeneration, readManifest } from './generation.ts';
import { indexPieces } from './index-file.ts';
import { type IndexFile, isCurrent, type Manifest } from './manifest.ts';
import { corpusDigest } from './segment.ts';
import { readBytes } from './source-files.ts';
import { STORE_TEMPLATE, templateOf } from './store-embedders.ts';
import { readIndex } from './stored-indexes.ts';

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
  /** Intact derived indexes of earlier documents: searches use them, `--repair` rebuilds them. */
  readonly stale: readonly Staleness[];
  /** Spaces that a search must embed or fit although nothing is damaged. */
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
  /** Files that belong to no generation: harmless, removed by the next write. */
  readonly orphans: readonly string[];
}

/**
 * Verifies a store. Throws only errors of opening it, before there is a manifest to check.
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
  kinds?: readonly DerivedKind[],
): Promise<StoreReport> {
  const manifest = await readManifest(disk, folder);
  if (!manifest) throw new PortError('store', 'no-store', `No store in "${folder}"`);
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
    const derived = await derivedReport(folder, disk, manifest, fresh, key =>
      derivedByKey(key, kinds),
    );
    const problems: StoreProblem[] = [
      ...indexProblems(folder, disk, generationRead),
      ...derived.problems.map(problem => ({ ...problem, effect: 'rebuilt' as const })),
      ...(await sourceProblems(folder, disk, manifest)),
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

/** Without these lines the next ingest reads all files again, and writes them anew. */
async function sourceProblems(
  folder: string,
  disk: Disk,
  { sources = [] }: Manifest,
): Promise<StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for (const file of sources)
    try {
      await readBytes(disk, folder, file);
    } catch (error) {
      const problem = (error as Error).message;
      problems.push({ file: join(folder, file.file), problem, effect: 'rebuilt' });
    }
  return problems;
}

/** Compares every index, byte for byte, with one built from the documents of its file. */
function indexProblems(
  folder: string,
  disk: Disk,
  { manifest, segments }: Generation,
): StoreProblem[] {
  return segments.flatMap(({ file: { indexes = [] }, documents }) => {
    const { current } = new EmbeddedEngine({ documents, chunker: manifest.chunker });
    return indexes.flatMap((file): StoreProblem[] => {
      const problem = indexProblem(folder, disk, file, current);
      return problem === undefined
        ? []
        : [{ file: join(folder, file.file), problem, effect: 'rebuilt' }];
    });
  });
}

/**
 * Returns the embedded spaces whose vectors lack documents, and the fitted spaces that are not
 * stored: a search must embed or fit them.
 */
export function withoutVectors(manifest: Manifest): StoreReport['unembedded'] {
  const { spaces = [], fitted = [], derived = [], documents } = manifest;
  if (documents === 0) return [];
  const embedded = spaces.flatMap(({ name: space, units }) =>
    units.map(unit => ({ space, unit, there: isCurrent(manifest, vectorsKey(unit, space)) })),
  );
  const fittedOnes = fitted.flatMap(({ space, units }) =>
    units.map(unit => {
      const key = fittedKey(unit, space);
      return { space, unit, there: derived.some(file => file.key === key) };
    }),
  );
  return [...embedded, ...fittedOnes]
    .filter(({ there }) => !there)
    .map(({ space, unit }) => ({ space, unit }));
}

function templatesOf({ spaces = [] }: Manifest): StoreReport['templates'] {
  return spaces.map(record => {
    const template = templateOf(record);
    return { space: record.name, template, readable: template === STORE_TEMPLATE.name };
  });
}

function indexProblem(
  folder: string,
  disk: Disk,
  file: IndexFile,
  fresh: Snapshot,
): string | undefined {
  try {
    readIndex(disk, folder, file);
  } catch (error) {
    return (error as Error).message;
  }
  const [unit, analysis] = file.key.split('.');
  const scorer = scorers.members
    .map(({ name }) => name)
    .find(name => scorers.create(name).analysis === analysis);
  if (scorer === undefined) return `its analysis "${analysis}" is unknown`;
  const pieces = indexPieces(file.key, fresh.packedIndex(unit as Unit, analysis as Analysis));
  return sha256(...pieces) === file.sha256 ? undefined : 'it is not the index of these documents';
}
