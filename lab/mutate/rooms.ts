/** The rooms that are mutated, and the test files of each beside those in its folder. */
import { globSync } from 'node:fs';

/** Runs for every mutant, last because it takes longest; skips itself without `MULTIHOP_DATA`. */
export const ACCEPTANCE = 'lab/test/acceptance-sample.test.ts';

const TESTS: Readonly<Record<string, readonly string[]>> = {
  strategies: ['test/laws/strategies.test.ts', 'test/cli-strategy-reranker.test.ts'],
  models: [
    'lab/test/acceptance-open-reader.test.ts',
    'test/cassettes.test.ts',
    'test/fact-reader-features.test.ts',
    'test/laws/language-models.test.ts',
    'test/providers-cache.test.ts',
  ],
  readers: [
    'lab/test/acceptance-open-reader.test.ts',
    'test/demo-answers.test.ts',
    'test/fact-reader-features.test.ts',
    'test/laws/small-families.test.ts',
  ],
  learning: [
    'lab/test/learn-fact-reader.test.ts',
    'lab/test/learn-chain-ranker.test.ts',
    'lab/test/learn-fact-ranker.test.ts',
  ],
};

export const MUTATED_ROOMS: readonly string[] = Object.keys(TESTS);

/** The folder of a room, with its last slash. */
export const folderOf = (room: string): string =>
  room === 'learning' ? 'lab/learning/' : `src/${room}/`;

/** Returns the source files of a room, sorted, relative to `root`. */
export const sourcesOf = (room: string, root: string): string[] =>
  globSync(`${folderOf(room)}**/*.ts`, { cwd: root })
    .filter(path => !path.endsWith('.test.ts') && !path.endsWith('.wasm.ts'))
    .sort();

/** Returns the test files of a room, relative to `root`; the acceptance sample is the last. */
export const testsOf = (room: string, root: string): string[] => [
  ...globSync(`${folderOf(room)}**/*.test.ts`, { cwd: root }).sort(),
  ...TESTS[room]!.flatMap(path => globSync(path, { cwd: root })),
  ACCEPTANCE,
];

/** Returns all test files, of which those run for a mutant that import its file. */
export const allTests = (root: string): string[] =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'lab/**/*.test.ts'], { cwd: root }).sort();
