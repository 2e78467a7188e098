// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finds control characters
/**
 * Tests that commands which may take long show their progress: on a terminal alone, on stderr
 * alone. A clock that jumps at every reading draws each step.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Output } from '../src/cli/output.ts';
import {
  argv,
  DEMO_CORPUS,
  demoDataSet,
  demoStore,
  freshFolder,
  type Result,
  run,
  succeeds,
} from './running-command.ts';

const QUESTION = 'Who founded Dunmarrow Drives?';

let store = '';
let data: readonly string[] = [];
let trace = '';
let results = '';
let judged: readonly string[] = [];
before(async () => {
  store = await demoStore();
  const folder = freshFolder();
  data = demoDataSet(folder);
  trace = join(folder, 'run.jsonl');
  await succeeds(['ask', QUESTION, '--store', store, '--trace', trace]);
  results = join(folder, 'results');
  const row = argv`--strategy fixed-top-k(k=2) --retriever lexical
      --reader extractive`;
  await succeeds(['eval', 'multihop-rag', ...data, ...row, '--out', results]);
  const [qrels, ranked] = [join(folder, 'qrels.txt'), join(folder, 'a.run')];
  writeFileSync(qrels, 'q1 0 a 1\nq2 0 b 1\n');
  writeFileSync(ranked, 'q1 Q0 a 1 2.0 mine\nq2 Q0 a 1 2.0 mine\n');
  judged = ['--qrels', qrels, '--run', ranked];
});

/** Returns a clock that is a second later at every reading. */
function jumping(): () => number {
  let now = 0;
  return () => (now += 1000);
}

const copying = (to = join(freshFolder(), 'c')): string[] =>
  argv`copy --from ${store} --to ${to} --batch 11`;
/** Each command with a line that it draws. */
const cases: readonly (readonly [name: string, draws: RegExp, words: () => readonly string[]])[] = [
  ['verify', /100% {2}\d+ files /, () => ['verify', '--store', store]],
  ['verify-trace', /\d+% {2}\d events /, () => ['verify-trace', trace]],
  ['replay', /\d+% {2}\d+ events /, () => ['replay', results]],
  [
    'replay --dataset',
    /100% {2}(\d+) of \1 traces /,
    () => ['replay', results, '--dataset', 'multihop-rag', ...data],
  ],
  [
    'dataset',
    /100% {2}44 of 44 documents {2}1\/s/,
    () => argv`dataset multihop-rag ${data} --chunker sentences`,
  ],
  ['report --run', /100% {2}2 of 2 rankings /, () => ['report', ...judged]],
  [
    'ingest',
    /\d+% {2}\d+ documents /,
    () => ['ingest', DEMO_CORPUS, '--store', join(freshFolder(), 'new.store')],
  ],
  ['copy', /50% {2}22 of 44 documents /, copying],
  ['copy, at its end', /50% {2}22 of 44 documents compared /, copying],
  ['copy --dry-run', /50% {2}22 of 44 documents /, () => [...copying('none.store'), '--dry-run']],
  [
    'eval',
    /of \d+ questions /,
    () => ['eval', 'multihop-rag', ...data, '--strategy', 'fixed-top-k(k=2)'],
  ],
];

describe('progress', () => {
  for (const [command, draws, words] of cases) {
    test(`${command}: on a terminal`, async () => {
      const shown = await succeeds(words(), { terminal: true, clock: jumping() });
      const drawn = shown.err.split('\r\u001b[K');
      assert.ok(
        drawn.some(line => draws.test(line)),
        shown.err,
      );
      // Cleared at the end, and no part of the result.
      assert.match(shown.err, /\r\u001b\[K(?:[^\r#]|#(?![# ]*\]))*$/);
      assert.doesNotMatch(shown.out, /\r|\[#/);
    });

    test(`${command}: elsewhere no more than a line every ten seconds`, async () => {
      const plain = await run(words(), { clock: jumping() });
      const lines = barsIn(plain);
      const drawn = barsIn(await run(words(), { terminal: true, clock: jumping() }));
      assert.ok(lines.length <= Math.ceil(drawn.length / 5), `${lines.length} of ${drawn.length}`);
      assert.ok(!plain.err.includes('\r'), plain.err);
    });

    test(`${command}: --json is an object and nothing else`, async () => {
      const { out } = await run([...words(), '--json'], { clock: jumping() });
      assert.equal(typeof JSON.parse(out), 'object');
    });
  }

  test('a note stands on a line of its own', () => {
    let err = '';
    const stderr = { write: (text: string) => (err += text), isTTY: true };
    const looks = { env: { NO_COLOR: '1' }, json: false, quiet: false, verbose: false };
    const stdout = { write: (text: string) => (err += `out ${text}`), isTTY: true };
    const output = new Output({ stdout, stderr, ...looks });
    output.draw('searching');
    output.warn('a note');
    output.draw('searching');
    output.line('a result');
    const parts = err.split('\r\u001b[K');
    const shown = ['', 'searching', 'warning: a note\n', 'searching', 'out a result\n'];
    assert.deepEqual(parts, shown);
  });

  test('--quiet shows none', async () => {
    const words = ['verify', '--store', store, '--quiet'];
    const { err } = await run(words, { terminal: true, clock: jumping() });
    assert.equal(err, '');
  });
});

const barsIn = ({ err }: Result): string[] =>
  err.split(/\r\u001b\[K|\n/).filter(line => /\d+% {2}\d/.test(line));
