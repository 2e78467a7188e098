/** Checks a store byte by byte, as Lucene's CheckIndex does: what is damaged, what of it can be built again, and what is lost. */
import { join } from 'node:path';
import { PortError } from '../../errors.ts';
import { scorers } from '../../indexes/lexical/scorers.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import { sha256 } from '../sha256.ts';
import { orphans } from './commit.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { readGeneration, readManifest } from './generation.ts';
import { indexPieces } from './index-file.ts';
import type { IndexFile, Manifest } from './manifest.ts';
import { corpusDigest } from './segment.ts';
import { readIndex } from './stored-indexes.ts';
import { readVectors } from './stored-vectors.ts';

export interface StoreProblem {
  readonly file: string;
  readonly problem: string;
  /** `rebuilt`: derived, answers are right without it. `lost`: documents cannot be read. */
  readonly effect: 'rebuilt' | 'lost';
}

export interface StoreReport {
  readonly ok: boolean;
  readonly generation: number;
  readonly documents: number;
  readonly chunker: string;
  /** Undefined when the documents cannot be read. */
  readonly digest?: string;
  readonly problems: readonly StoreProblem[];
  /** Files that belong to no generation: harmless, removed by the next write. */
  readonly orphans: readonly string[];
}

/** Throws only what opening throws before there is a manifest to check. */
export async function verifyStore(folder: string, disk: Disk = nodeDisk): Promise<StoreReport> {
  const manifest = await readManifest(disk, folder);
  if (!manifest) throw new PortError('store', 'no-store', `There is no store in "${folder}"`);
  const about = { generation: manifest.generation, documents: manifest.documents, chunker: manifest.chunker };
  const left = await orphans(disk, folder, manifest);
  try {
    const { segments } = await readGeneration(disk, folder, manifest);
    const documents = segments.flatMap(segment => segment.documents);
    const fresh = await new EmbeddedEngine({ documents, chunker: manifest.chunker }).snapshot();
    const problems = [...indexProblems(folder, disk, manifest, fresh), ...vectorProblems(folder, disk, manifest, fresh)];
    return { ok: problems.length === 0, ...about, digest: corpusDigest(documents, manifest.chunker), problems, orphans: left };
  } catch (error) {
    if (!PortError.is(error)) throw error;
    return { ok: false, ...about, problems: [{ file: folder, problem: error.message, effect: 'lost' }], orphans: left };
  }
}

/** Every index must be, byte for byte, what is built from the documents now. */
function indexProblems(folder: string, disk: Disk, manifest: Manifest, fresh: Snapshot): StoreProblem[] {
  const problems: StoreProblem[] = [];
  for (const file of manifest.indexes) {
    const problem = indexProblem(folder, disk, file, fresh);
    if (problem !== undefined) problems.push({ file: join(folder, file.file), problem, effect: 'rebuilt' });
  }
  return problems;
}

/** Vectors cannot be made again here: they must be as they were written, one for each item. */
function vectorProblems(folder: string, disk: Disk, { vectors = [] }: Manifest, fresh: Snapshot): StoreProblem[] {
  return vectors.flatMap(file => {
    const path = join(folder, file.file);
    try {
      const { size } = readVectors(disk, folder, file).header;
      const items = fresh.itemsOf(file.unit).items.length;
      return size === items ? [] : [{ file: path, problem: `it holds ${size} vectors for ${items} items`, effect: 'rebuilt' as const }];
    } catch (error) {
      return [{ file: path, problem: (error as Error).message, effect: 'rebuilt' as const }];
    }
  });
}

function indexProblem(folder: string, disk: Disk, file: IndexFile, fresh: Snapshot): string | undefined {
  try {
    readIndex(disk, folder, file);
  } catch (error) {
    return (error as Error).message;
  }
  const [unit, analysis] = file.key.split('.');
  const scorer = scorers.members.map(({ name }) => name).find(name => scorers.create(name).analysis === analysis);
  if (scorer === undefined) return `nothing is known of the analysis "${analysis}"`;
  fresh.prepare(unit as Unit, scorer);
  const pieces = indexPieces(file.key, fresh.packed().get(file.key)!);
  return sha256(...pieces) === file.sha256 ? undefined : 'it is not the index of these documents';
}
