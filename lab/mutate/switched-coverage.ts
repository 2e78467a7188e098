/** Measures which mutants each test of a file reaches, in a separate process. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Coverage, TestWorker } from './in-process/test-worker.ts';
import { JsonFolder } from './json-folder.ts';
import { sha256 } from './mutants.ts';

export interface SwitchedTest {
  /** Time of the tests, without loading the sources. */
  readonly ms: number;
  readonly coverage: Coverage;
}

/** Greatest time of a test file without a mutant. */
export const LIMIT_MS: number = 15 * 60_000;
const PRELOADED = new URL('in-process/child-coverage.mjs', import.meta.url).href;

/** Variables by which a process and those that it starts write what they run into a folder. */
export const childCoverage = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${PRELOADED}`,
  MULTIHOP_CHILD_COVERAGE: folder,
});

/** Returns the numbers of the mutants whose code such processes ran. */
export const mutantsIn = (folder: string): string[] => [
  ...new Set(
    readdirSync(folder).flatMap(
      name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[],
    ),
  ),
];

/** Keeps coverage in a folder, by the texts of test files and the mutants in the sources. */
export class SwitchedCoverage {
  private readonly folder: JsonFolder<SwitchedTest | null>;
  private readonly state: string;
  private readonly limitMs: number;
  private readonly known = new Map<string, SwitchedTest | null>();

  /**
   * `state`: a hash of the sources, and of the mutants in them. A test file that does not end
   * within `limitMs` counts as endless.
   */
  constructor(folder: string, state: string, limitMs: number = LIMIT_MS) {
    [this.folder, this.state, this.limitMs] = [new JsonFolder(folder), state, limitMs];
  }

  /** Returns undefined if the file fails when it runs in one process with others. */
  async of(path: string, root: string): Promise<SwitchedTest | undefined> {
    let test = this.known.get(path);
    if (test === undefined) {
      const text = readFileSync(join(root, path), 'utf8');
      const name = sha256(`switched ${this.state} ${path} ${text}`);
      test = await this.folder.kept(name, () => measured(path, root, this.limitMs), isWhole);
      this.known.set(path, test);
    }
    return test ?? undefined;
  }
}

const ENDLESS: SwitchedTest = {
  ms: Number.POSITIVE_INFINITY,
  coverage: { loading: [], byTest: {} },
};
const isWhole = (test: SwitchedTest | null): boolean => test !== ENDLESS;

async function measured(path: string, root: string, limitMs: number): Promise<SwitchedTest | null> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-coverage-'));
  const worker = new TestWorker(root, '', childCoverage(folder));
  try {
    const answer = await worker.run({ file: path, mutant: '', cover: true }, limitMs);
    if (answer.outcome === 'timeout' && limitMs < LIMIT_MS) return ENDLESS;
    if (answer.outcome !== 'passed' || !answer.coverage) {
      console.log(`${path} runs in processes of its own: ${answer.message ?? answer.outcome}`);
      return null;
    }
    const { loading, byTest } = answer.coverage;
    const file = [...new Set([...(byTest['*'] ?? []), ...mutantsIn(folder)])];
    return { ms: answer.ms, coverage: { loading, byTest: { ...byTest, '*': file } } };
  } finally {
    worker.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
