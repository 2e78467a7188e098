/** Measures which code each test file runs, by the coverage of V8. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';
import { runNode } from './run-file.ts';

/** A part of a file and how often it ran; parts are nested. */
interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}
interface Covered {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** A test file, with the time and the code that it takes without a mutant. */
export class CoveredTest {
  readonly path: string;
  readonly ms: number;
  /** By path: the ranges of each process that loaded the file. */
  private readonly ran: ReadonlyMap<string, readonly (readonly Range[])[]>;

  constructor(path: string, ms: number, ran: CoveredTest['ran']) {
    [this.path, this.ms, this.ran] = [path, ms, ran];
  }

  /** Returns true if the code that the mutant replaces ran in any process of the test. */
  covers({ path, start, end }: Pick<Mutant, 'path' | 'start' | 'end'>): boolean {
    return (this.ran.get(path) ?? []).some(ranges => countAt(ranges, start, end) > 0);
  }
}

/** Returns the count of the smallest range that holds the text; V8 omits what never loaded. */
export function countAt(ranges: readonly Range[], start: number, end: number): number {
  let best: Range | undefined;
  for (const range of ranges)
    if (range.startOffset <= start && range.endOffset >= end)
      if (!best || range.endOffset - range.startOffset <= best.endOffset - best.startOffset)
        best = range;
  return best?.count ?? 0;
}

/** Greatest time of one test file without a mutant. */
const LIMIT_MS = 15 * 60_000;

/** Runs a test file on the unchanged copy. Throws if it fails: it would fail for every mutant. */
export async function coverageOf(path: string, root: string, under: string): Promise<CoveredTest> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-coverage-'));
  try {
    const { outcome, ms } = await runNode([path], {
      ...{ cwd: root, limitMs: LIMIT_MS, env: { NODE_V8_COVERAGE: folder } },
    });
    if (outcome !== 'passed')
      throw new Error(`${path}: ${outcome} without any mutant; mutants need tests that pass`);
    const ran = new Map<string, Range[][]>();
    const base = pathToFileURL(`${root}/`).href;
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: readonly Covered[];
      };
      for (const { url, functions } of result) {
        if (!url.startsWith(base + under)) continue;
        const own = url.slice(base.length);
        const ranges = functions.flatMap(each => each.ranges);
        ran.set(own, [...(ran.get(own) ?? []), ranges]);
      }
    }
    return new CoveredTest(path, ms, ran);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
