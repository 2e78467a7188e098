/**
 * Writes and reads pools of candidates as JSON lines: `{ text }` is the next text, counted from 0;
 * any other line is a pool, whose candidates are numbers of texts that stand before it.
 */
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

export interface Pool {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  /** Numbers of texts; in pools that are judged, best first by BM25. */
  readonly candidates: readonly number[];
  /** Candidates of one group count once: passages of one document, where documents are judged. */
  readonly groups?: readonly number[];
  /** For each thing to find the places of the candidates that have it; none if all miss it. */
  readonly facets?: readonly (readonly number[])[];
}

/** A pool whose candidates are texts. */
export type WrittenPool = Omit<Pool, 'candidates'> & { readonly candidates: readonly string[] };

/** Writes pools; the file stands in its place once all are written, so that it is whole. */
export async function writePools(
  path: string,
  pools: AsyncIterable<WrittenPool>,
): Promise<{ pools: number; pairs: number; texts: number }> {
  const numbers = new Map<string, number>();
  const counts = { pools: 0, pairs: 0 };
  const unfinished = `${path}.part`;
  const file = openSync(unfinished, 'w');
  const line = (value: unknown): unknown => writeSync(file, `${JSON.stringify(value)}\n`);
  for await (const pool of pools) {
    const candidates = pool.candidates.map(text => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      line({ text });
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    });
    line({ ...pool, candidates } satisfies Pool);
    counts.pools += 1;
    counts.pairs += candidates.length;
  }
  closeSync(file);
  renameSync(unfinished, path);
  return { ...counts, texts: numbers.size };
}

/** Returns the pools of a file, without their texts. */
export const readPools = (path: string): Pool[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('{"text":'))
    .map(line => JSON.parse(line) as Pool);
