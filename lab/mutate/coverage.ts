/** Measures which code each test file runs, by the coverage of V8. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Mutant, sha256 } from './mutants.ts';
import { folderOf } from './rooms.ts';
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

/** By path: the ranges of each process that loaded the file. */
type Ran = Readonly<Record<string, readonly (readonly Range[])[]>>;

/** The time that a test file takes without a mutant, and the code that it runs. */
export class CoveredTest {
  readonly ms: number;
  readonly ran: Ran;

  constructor(ms: number, ran: Ran) {
    [this.ms, this.ran] = [ms, ran];
  }

  /** Returns true if the code that the mutant replaces ran in any process of the test. */
  covers({ path, start, end }: Pick<Mutant, 'path' | 'start' | 'end'>): boolean {
    return (this.ran[path] ?? []).some(ranges => countAt(ranges, start, end) > 0);
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

/** Keeps what test files run in a folder, by their texts and those of the room. */
export class CoverageStore {
  private readonly folder: string;
  private readonly room: string;
  private readonly sources: string;

  /** `sources`: a hash of the room's source files. */
  constructor(folder: string, room: string, sources: string) {
    [this.folder, this.room, this.sources] = [folder, room, sources];
    mkdirSync(folder, { recursive: true });
  }

  /** Returns undefined if the test fails on the unchanged copy at `root`. */
  async measured(path: string, root: string): Promise<CoveredTest | undefined> {
    const text = readFileSync(join(root, path), 'utf8');
    const file = join(this.folder, `${sha256(`${this.sources} ${path} ${text}`)}.json`);
    if (existsSync(file)) {
      const { ms, ran } = JSON.parse(readFileSync(file, 'utf8')) as CoveredTest;
      return new CoveredTest(ms, ran);
    }
    const test = await coverageOf(path, root, folderOf(this.room));
    if (test) writeFileSync(file, JSON.stringify(test));
    return test;
  }
}

async function coverageOf(
  path: string,
  root: string,
  under: string,
): Promise<CoveredTest | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-coverage-'));
  try {
    const { outcome, ms } = await runNode([path], {
      ...{ cwd: root, limitMs: LIMIT_MS, env: { NODE_V8_COVERAGE: folder } },
    });
    if (outcome !== 'passed') return undefined;
    const ran: Record<string, Range[][]> = {};
    const base = pathToFileURL(`${root}/`).href;
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: readonly Covered[];
      };
      for (const { url, functions } of result) {
        if (!url.startsWith(base + under)) continue;
        const ranges = functions.flatMap(each => each.ranges);
        (ran[url.slice(base.length)] ??= []).push(ranges);
      }
    }
    return new CoveredTest(ms, ran);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
