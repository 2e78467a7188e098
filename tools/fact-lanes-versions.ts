/**
 * Which code and weights of fact-lanes and its reader are measured: by content, and where the
 * weights come from.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Versions } from './fact-lanes-steps.ts';

/** Files and folders whose names begin so. */
const PARTS: Readonly<
  Record<keyof Versions, readonly (readonly [folder: string, start: string])[]>
> = {
  strategy: [
    ['src/strategies', 'fact-lanes'],
    ['src/models/fact-ranker', ''],
    ['src/planning', ''],
  ],
  reader: [
    ['src/reading', 'fact-reader'],
    ['src/models/fact-reader', ''],
  ],
};

function filesOf(folder: string, start = ''): string[] {
  const names = readdirSync(folder).filter(
    name => name.startsWith(start) && !name.endsWith('.test.ts'),
  );
  return names.sort().flatMap(name => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [path];
  });
}

export function versionsOf(root: string): Versions {
  const of = (part: keyof Versions): string => {
    const hash = createHash('sha256');
    for (const [folder, start] of PARTS[part])
      for (const path of filesOf(join(root, folder), start)) hash.update(readFileSync(path));
    return hash.digest('hex').slice(0, 8);
  };
  return { strategy: of('strategy'), reader: of('reader') };
}

export interface ShippedWeights {
  /** What the files say of how they were fitted. */
  readonly ranker: WrittenRanker['provenance'];
  readonly reader: WrittenReader['provenance'];
  /** Rankers whose weights are all missing: what they rank is ranked by nothing. */
  readonly unfitted: readonly string[];
  /** Rankers with weights of which the file does not say how they were fitted. */
  readonly unexplained: readonly string[];
}

interface WrittenRanker {
  readonly rankers: Readonly<Record<string, { readonly first: object; readonly second: object }>>;
  /** By ranker. */
  readonly provenance: Readonly<Record<string, { readonly retriever?: string }>>;
}

interface WrittenReader {
  readonly provenance: { readonly rows?: readonly Readonly<Record<string, string>>[] };
}

export function shippedWeights(root: string): ShippedWeights {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { rankers, provenance } = read('src/models/fact-ranker/fact-ranker.json') as WrittenRanker;
  const empty = (kind: string): boolean => Object.keys(rankers[kind]!.first).length === 0;
  const kinds = Object.keys(rankers);
  const reader = read('src/models/fact-reader/fact-reader.json') as WrittenReader;
  return {
    ...{ ranker: provenance, reader: reader.provenance, unfitted: kinds.filter(empty) },
    unexplained: kinds.filter(kind => !empty(kind) && !(kind in provenance)),
  };
}

/**
 * The commands that fit what ships, asked as the files say that they were: they print what the
 * weights are worth on questions that they were not fitted on.
 */
export function learnCommands({
  ranker,
  reader,
}: ShippedWeights): Readonly<Record<string, readonly string[]>> {
  // Weights of open questions are learnt from train files, which a report cannot name: what they
  // are worth stands in their provenance.
  const plain = Object.entries(ranker).filter(([kind]) => !kind.startsWith('open-'));
  const retrievers = plain.flatMap(([, { retriever }]) =>
    retriever === undefined ? [] : ['--retriever', retriever],
  );
  const rows = (reader.rows ?? []).flatMap(row => [
    '--row',
    Object.entries(row)
      .map(([part, name]) => `${part}=${name}`)
      .join('; '),
  ]);
  return {
    ...(retrievers.length > 0
      ? { 'learn.fact-ranker': ['learn', 'fact-ranker', 'multihop-rag', ...retrievers] }
      : {}),
    ...(rows.length > 0
      ? { 'learn.fact-reader': ['learn', 'fact-reader', 'multihop-rag', ...rows] }
      : {}),
  };
}
