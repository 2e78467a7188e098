/**
 * Checks a store byte by byte, as Lucene's CheckIndex does: what is damaged, what of it can be
 * built again, and what is lost.
 */
import { join } from 'node:path';
import { PortError } from '../../errors.ts';
import type { Analysis } from '../../indexes/lexical/lexical-index.ts';
import { scorers } from '../../indexes/lexical/scorers.ts';
import type { Unit } from '../../ranking/ranking.ts';
import { EmbeddedEngine } from '../../retrieval/embedded-engine.ts';
import type { Snapshot } from '../../retrieval/snapshot.ts';
import { isFittedSpace } from '../../retrieval/space-names.ts';
import { sha256 } from '../sha256.ts';
import { orphans } from './commit.ts';
import { type Disk, nodeDisk } from './disk.ts';
import { fitSpace } from './fitted-spaces.ts';
import { readGeneration, readManifest } from './generation.ts';
import { indexPieces } from './index-file.ts';
import type { IndexFile, Manifest, VectorFile } from './manifest.ts';
import { corpusDigest } from './segment.ts';
import { STORE_TEMPLATE, templateOf } from './store-embedders.ts';
import { readIndex } from './stored-indexes.ts';
import { readVectors, vectorPieces } from './stored-vectors.ts';

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
  /** What a search would have to embed or fit, by no damage. */
  readonly unembedded: readonly { readonly space: string; readonly unit: Unit }[];
  /**
   * What each embedder of the store read of its texts, and whether this release reads that: where
   * it does not, its vectors are refused.
   */
  readonly templates: readonly {
    readonly space: string;
    readonly template: string;
    readonly readable: boolean;
  }[];
  /** Files that belong to no generation: harmless, removed by the next write. */
  readonly orphans: readonly string[];
}

/** Throws only what opening throws before there is a manifest to check. */
export async function verifyStore(folder: string, disk: Disk = nodeDisk): Promise<StoreReport> {
  const manifest = await readManifest(disk, folder);
  if (!manifest) throw new PortError('store', 'no-store', `There is no store in "${folder}"`);
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
    const { segments } = await readGeneration(disk, folder, manifest);
    const documents = segments.flatMap(segment => segment.documents);
    const fresh = new EmbeddedEngine({ documents, chunker: manifest.chunker }).current;
    const problems = [
      ...indexProblems(folder, disk, manifest, fresh),
      ...vectorProblems(folder, disk, manifest, fresh),
    ];
    return {
      ok: problems.length === 0,
      ...about,
      digest: corpusDigest(documents, manifest.chunker),
      problems,
      orphans: left,
    };
  } catch (error) {
    if (!PortError.is(error)) throw error;
    return {
      ok: false,
      ...about,
      problems: [{ file: folder, problem: error.message, effect: 'lost' }],
      orphans: left,
    };
  }
}

/** Every index must be, byte for byte, what is built from the documents now. */
function indexProblems(
  folder: string,
  disk: Disk,
  manifest: Manifest,
  fresh: Snapshot,
): StoreProblem[] {
  const problems: StoreProblem[] = [];
  for (const file of manifest.indexes) {
    const problem = indexProblem(folder, disk, file, fresh);
    if (problem !== undefined)
      problems.push({ file: join(folder, file.file), problem, effect: 'rebuilt' });
  }
  return problems;
}

/**
 * What was embedded cannot be made again here: it must be as it was written, a vector for each
 * item. What was fitted is fitted again.
 */
function vectorProblems(
  folder: string,
  disk: Disk,
  { vectors = [] }: Manifest,
  fresh: Snapshot,
): StoreProblem[] {
  return vectors.flatMap(file => {
    const problem = vectorProblem(folder, disk, file, fresh);
    return problem === undefined
      ? []
      : [{ file: join(folder, file.file), problem, effect: 'rebuilt' as const }];
  });
}

function vectorProblem(
  folder: string,
  disk: Disk,
  file: VectorFile,
  fresh: Snapshot,
): string | undefined {
  try {
    const { size } = readVectors(disk, folder, file).header;
    if (isFittedSpace(file.space)) {
      const pieces = vectorPieces(file, fitSpace(fresh, file.unit, file.space));
      return sha256(...pieces) === file.sha256
        ? undefined
        : `it is not ${file.space} of these documents`;
    }
    const items = fresh.itemsOf(file.unit).items.length;
    return size === items ? undefined : `it holds ${size} vectors for ${items} items`;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * What the store's embedders and fitted spaces are to have vectors of, and have not: added
 * documents, or damage that a write left out.
 */
export function withoutVectors({
  spaces = [],
  fitted = [],
  vectors = [],
  documents,
}: Manifest): StoreReport['unembedded'] {
  const wanted = [...spaces, ...fitted.map(({ space, units }) => ({ name: space, units }))];
  const all = wanted.flatMap(({ name, units }) => units.map(unit => ({ space: name, unit })));
  return documents === 0
    ? []
    : all.filter(
        ({ space, unit }) => !vectors.some(file => file.space === space && file.unit === unit),
      );
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
  if (scorer === undefined) return `nothing is known of the analysis "${analysis}"`;
  const pieces = indexPieces(file.key, fresh.packedIndex(unit as Unit, analysis as Analysis));
  return sha256(...pieces) === file.sha256 ? undefined : 'it is not the index of these documents';
}
