/** Tests help, version, wrong usage, and the layout of output. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parseBudget } from '../src/cli/budget.ts';
import { commands } from '../src/cli/commands.ts';
import { FileSizes } from '../src/cli/file-sizes.ts';
import { GLOBAL_OPTIONS } from '../src/cli/option.ts';
import { Output } from '../src/cli/output.ts';
import { duration, Progress, progressText, type Step } from '../src/cli/progress.ts';
import { wrap } from '../src/cli/wrap.ts';
import {
  demoStore,
  freshFolder,
  PACKAGE,
  printed,
  run,
  start,
  succeeds,
} from './running-command.ts';

let store = '';
before(async () => {
  store = await demoStore();
});

/** `QUESTION` and `STORE` stand for those, `_` for a blank. */
const MISTAKES: readonly (readonly [line: string, says: RegExp, code?: number])[] = [
  ['asc', /Unknown command "asc".*Did you mean ask/],
  ['verfy-trace x', /Did you mean verify-trace/],
  ['help serch', /Did you mean search/],
  ['--colour', /Unknown option --colour/],
  ['ask QUESTION --stor STORE', /Unknown option --stor:.*Did you mean --store\?/],
  ['ask QUESTION --store STORE -x', /Unknown option -x/],
  ['ask QUESTION', /No store in "\.multihop\/store".*multihop ingest/, 4],
  ['ask QUESTION --store nothing', /No store in .*multihop ingest/, 4],
  ['ask --store STORE', /QUESTION is missing/],
  ['ask QUESTION more words --store STORE', /Too many arguments.*Quote/],
  ['ask QUESTION --store', /--store.*received the end/],
  ['ask QUESTION --store --quiet', /--store.*write --store=--quiet/],
  ['ask QUESTION --store STORE --store STORE', /--store was given twice/],
  [
    'ask QUESTION --store postgres://me:secret@db/corpus --store STORE',
    /received "postgres:\/\/db\/corpus" and/,
  ],
  ['ask QUESTION --store STORE --explain=1', /--explain takes no value/],
  ['ask QUESTION --store STORE --json=1', /takes no value/],
  ['ask QUESTION --store=', /--store is empty/],
  ['search x --store STORE -k 0', /--k: expected a whole number of at least 1, received "0"/],
  ['search x --store STORE -k ten', /whole number.*"ten"/],
  ['search x --store STORE -k -1', /whole number.*"-1"/],
  ['search _ --store STORE', /query is empty/],
  ['ask _ --store STORE', /question is empty/],
  ['ask QUESTION --store STORE --strategy itertive', /Unknown strategy.*Did you mean iterative/],
  ['ask QUESTION --store STORE --strategy iterative(round=3)', /"round".*Did you mean rounds/],
  ['ask QUESTION --store STORE --strategy iterative(rounds=0)', /from 1 to 50, received 0/],
  ['ask QUESTION --store STORE --strategy iterative(', /Cannot read the name.*character/],
  ['ask QUESTION --store STORE --retriever lexcal', /Did you mean lexical/],
  ['ask QUESTION --store STORE --context leed', /Did you mean lead/],
  ['ask QUESTION --store STORE --reader extractiv', /Did you mean extractive/],
  ['ask QUESTION --store STORE --budget hops=-1', /"hops": .* of at least 0, received "-1"/],
  ['ask QUESTION --store STORE --budget foo=3', /limit "foo": expected one of hops, retrievals/],
  ['ask QUESTION --store STORE --budget hop=3', /Did you mean hops/],
  ['ask QUESTION --store STORE --budget hops', /Cannot read the budget.*received "hops"/],
  ['ask QUESTION --store STORE --budget hops=1.5', /whole number/],
  ['ask QUESTION --store STORE --budget hops=1,hops=2', /limits "hops" twice/],
  ['ask QUESTION --store STORE --filter sorce_=_x', /field "sorce".*Did you mean source/],
  ['ask QUESTION --store STORE --filter source_=_', /at character 10: expected a value, .* end/],
  ['search x --store STORE --filter sorce_=_x', /Did you mean source/],
  ['eval multihop-rg --strategy fixed-top-k', /no data set.*Did you mean multihop-rag/],
  ['list strategy', /Did you mean strategies/],
  ['remove no-such-id --store STORE', /Unknown document "no-such-id"/],
  ['verify-trace x --head abc', /64 hexadecimal digits/],
  ['verify-trace nothing', /no file or folder/],
];

describe('wrong usage: the error has the expected values and the nearest name', () => {
  for (const [line, says, code = 2] of MISTAKES)
    test(line, async () => {
      const words = line.split(' ').map(word => {
        if (word === 'STORE') return store;
        return word === 'QUESTION' ? 'Who founded Dunmarrow Drives?' : word.replaceAll('_', ' ');
      });
      const plain = await run(words);
      assert.deepEqual([plain.code, plain.out], [code, ''], plain.err);
      assert.match(plain.err, says);
      if (code === 2) assert.match(plain.err, /See: multihop/);
      const json = await run([...words, '--json']);
      if (json.err === '') return;
      const { error, exit } = JSON.parse(json.err);
      assert.equal(exit, code);
      assert.match(error.code, /^[a-z-]+$/);
      assert.match(error.message, /\w/);
    });
});

describe('help', () => {
  test('lists every command and every exit code', async () => {
    for (const words of [['help'], ['--help'], ['-h']]) {
      const { out, err } = await succeeds(words);
      assert.equal(err, '');
      for (const { name, summary } of commands) {
        assert.match(out, new RegExp(`^ {2}${name} `, 'm'));
        assert.ok(out.replace(/\s+/g, ' ').includes(summary));
      }
      for (const exit of [0, 1, 2, 3, 4, 5, 6, 130])
        assert.match(out, new RegExp(`^ {2}${exit} +\\w`, 'm'));
    }
  });

  for (const { name } of commands)
    test(`${name} --help: prints usage, options and examples, at most 80 columns wide except for examples`, async () => {
      const { code, out } = await run([name, '--help']);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Usage {2}multihop ${name}`, 'm'));
      assert.match(out, /--json/);
      assert.match(out, /^Examples$/m);
      for (const line of out.slice(0, out.indexOf('\nExamples')).split('\n'))
        assert.ok(line.length <= 80, line);
      assert.equal((await run(['help', name])).out, out);
    });

  for (const { name, load } of commands)
    test(`${name} --help: shows ten options at most if it leaves others to --help all`, async () => {
      const { command } = await load();
      const rows = async (...words: string[]): Promise<string[]> =>
        (await succeeds([name, '--help', ...words])).out.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? [];
      const [common, all] = [await rows(), await rows('all')];
      assert.equal(new Set(all).size, command.options.length + GLOBAL_OPTIONS.length);
      assert.equal(common.length, command.common?.split(' ').length ?? all.length);
      assert.ok(common.length <= (command.common ? 10 : 20), String(common.length));
      assert.deepEqual(
        (await run(['help', name, 'all'])).out,
        (await run([name, '--help', 'all'])).out,
      );
    });

  test('--version is that of package.json, also as JSON', async () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    assert.equal((await run(['--version'])).out, `${version}\n`);
    assert.deepEqual(await printed(['--version']), { version });
  });

  test('version and help load no engine', async () => {
    const listing = `process.on('exit', () => { const seen = [...globalThis.__loaded]; console.error(JSON.stringify(seen)); });`;
    const hooks = `data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module'; globalThis.__loaded = new Set(); registerHooks({ load(url, context, next) { globalThis.__loaded.add(url); return next(url, context); } }); ${listing}`)}`;
    for (const word of ['--version', 'help']) {
      const { err } = await start([word], { env: { NODE_OPTIONS: `--import ${hooks}` } }).result;
      const loaded = JSON.parse(err) as string[];
      assert.ok(loaded.some(url => url.endsWith('command-line.ts')));
      assert.deepEqual(
        loaded.filter(url =>
          /\/src\/(?:search|strategies|readers|evaluation|session|stores\/disk\/store\.ts)/.test(
            url,
          ),
        ),
        [],
        word,
      );
    }
  });
});

describe('options', () => {
  for (const words of [
    ['--store=STORE', '-k1'],
    ['--store=STORE', '-k=1'],
    ['--store', 'STORE', '-k', '1', '--'],
  ])
    test(`${words.join(' ')} is read`, async () => {
      const line = words.map(word => word.replace('STORE', store));
      const { out } = await succeeds(['search', ...line, 'Fathom Prize']);
      assert.deepEqual(out.match(/^ +\d+\. /gm), ['  1. ']);
    });

  test('-- ends options, a single - is no option, and flags may be joined', async () => {
    await succeeds(['search', `--store=${store}`, '--', '--json']);
    await succeeds(['search', '-', '--store', store], { stdin: 'Fathom Prize\n' });
    const quiet = await run(['ask', 'Where is the Wandering Linnet?', '--store', store, '-qv']);
    assert.equal(quiet.err, '');
  });

  test('parses budgets by the names of the command line', () => {
    assert.deepEqual(parseBudget('hops=3, documents=6,context-tokens=620,ms=2000'), {
      hops: 3,
      documents: 6,
      contextTokens: 620,
      ms: 2000,
    });
    assert.deepEqual(parseBudget('usd=0.25,modelCalls=0'), { usd: 0.25, modelCalls: 0 });
  });
});

describe('colours and progress', () => {
  for (const [terminal, env, isColoured] of [
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
  ] as const)
    test(`${terminal ? 'a terminal' : 'a pipe'} with ${JSON.stringify(env)} has ${isColoured ? '' : 'no '}colours`, async () => {
      const { out } = await run(['search', 'Fathom Prize', '--store', store], { terminal, env });
      assert.equal(out.includes('\u001b['), isColoured);
    });

  // 900 of 1,000 are done, 100 of them in 10 s of work: 10/s, so that 100 more take 10 s.
  const resumed = { count: 900, done: 900, total: 1000, worked: 100 };
  const beyond = { count: 5978, done: 5978, total: 1696, worked: 700 };
  const of = (count: number, total: number): Step => ({ count, done: count, total });
  for (const [progress, ms, shown] of [
    [
      { count: 500, done: 50, total: 100 },
      2000,
      /^\[#{12} {12}\] {2}50% {2}500 texts {2}250\/s {2}2\.0 s left$/,
    ],
    // The first steps are slow: their rate alone would estimate hours.
    [of(1, 44_000), 500, /0% {2}1 of 44,000 texts$/],
    [of(1, 44_000), 60_000, /0% {2}1 of 44,000 texts$/],
    [of(49, 44_000), 60_000, /0% {2}49 of 44,000 texts$/],
    [of(50, 44_000), 1999, /0% {2}50 of 44,000 texts$/],
    [of(60, 44_000), 2500, / {2}24\/s {2}30 min 31 s left$/],
    [{ count: 1200 }, 2000, /^1,200 texts {2}600\/s$/],
    [beyond, 70_000, /^5,978 texts {2}10\/s$/],
    [{ count: 3 }, 1000, /^3 texts$/],
    [resumed, 10_000, /90% {2}900 of 1,000 texts {2}10\/s {2}10\.0 s left$/],
    [{ ...resumed, worked: 0 }, 10_000, /900 of 1,000 texts$/],
    [{ ...resumed, worked: 15 }, 10_000, / 1\.5\/s {2}1 min 7 s left$/],
    [{ ...resumed, worked: 1 }, 500, /^(?!.*left)/],
  ] as const)
    test(`${JSON.stringify(progress)} after ${ms} ms of work is drawn with its rate and time left`, () =>
      assert.match(progressText(progress, 'texts', ms), shown));

  test('durations have two digits, or hours, minutes and seconds', () =>
    assert.deepEqual([4.26, 850, 7200, 59_980, 200_000, 239_700, 7_500_000].map(duration), [
      '4.3 ms',
      '850 ms',
      '7.2 s',
      '1 min 0 s',
      '3 min 20 s',
      '4 min 0 s',
      '2 h 5 min',
    ]));

  test('a file ends with its only document, and files without one are passed', async () => {
    const folder = freshFolder();
    const text = (bytes: number): string => 'x'.repeat(bytes);
    writeFileSync(join(folder, 'a.pdf'), text(5000));
    writeFileSync(join(folder, 'b.bin'), text(9000));
    writeFileSync(join(folder, 'c.jsonl'), text(1000));
    writeFileSync(join(folder, 'd.md'), text(100));
    const sizes = await FileSizes.of([folder]);
    const document = { id: 'a', title: '', text: text(30), metadata: {} };
    const done = (from: string): number => {
      sizes.read(join(folder, from), document);
      return sizes.done;
    };
    assert.equal(sizes.total, 15_100);
    assert.equal(done('a.pdf'), 5000);
    assert.deepEqual([done('c.jsonl:1'), done('c.jsonl:2')], [14_030, 14_060]);
    assert.equal(done('d.md'), sizes.total);
  });

  function outputTo(isTTY: boolean, quiet = false): { output: Output; err: () => string } {
    let err = '';
    const sink = { write: (text: string) => (err += text), isTTY };
    const looks = { env: {}, json: false, quiet, verbose: false };
    return { output: new Output({ stdout: sink, stderr: sink, ...looks }), err: () => err };
  }

  test('time without work is not counted', () => {
    let now = 0;
    const { output, err } = outputTo(true);
    const progress = new Progress(output, 'passages', () => now);
    for (let count = 0; count <= 500; count += 50) {
      progress.update({ count, done: count, total: 1000, worked: 0 });
      now += 1000;
    }
    // The cache was last read at 10 s; 50 passages in the 5 s since then are 10/s.
    now = 15_000;
    progress.update({ count: 550, done: 550, total: 1000, worked: 50 });
    assert.match(
      err().split('\r\u001b[K').at(-1)!,
      /55% {2}550 of 1,000 passages {2}10\/s {2}45\.0 s left$/,
    );
  });

  test('progress is redrawn on a terminal, a line every ten seconds elsewhere, and absent with --quiet', () => {
    const drawn = (isTTY: boolean, quiet: boolean): string => {
      const { output, err } = outputTo(isTTY, quiet);
      let now = 0;
      const progress = new Progress(output, 'documents', () => now);
      for (let count = 1; count <= 120; count++) {
        now += 100;
        progress.update({ count, done: count, total: 120 });
      }
      progress.end();
      return err();
    };
    assert.match(drawn(true, false).split('\r\u001b[K')[1]!, /^\[#+ *\] +\d+%/);
    assert.ok(drawn(true, false).endsWith('\r\u001b[K'));
    assert.ok(!drawn(false, false).includes('\r'));
    // In 12 s, at 0.4 s and 10.4 s.
    assert.equal(drawn(false, false).split('\n').length - 1, 2);
    assert.equal(drawn(true, true), '');
  });

  test('wrapped lines hold every word in order', () => {
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
    assert.deepEqual(wrap('extraordinarily so', 5), ['extraordinarily', 'so']);
    assert.deepEqual(wrap('', 5), ['']);
  });
});
