/** Tests help, version, wrong usage, and the layout of output. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parseBudget } from '../src/cli/budget.ts';
import { commands } from '../src/cli/commands.ts';
import { FileSizes } from '../src/cli/file-sizes.ts';
import { Output } from '../src/cli/output.ts';
import { duration, Progress, progressText } from '../src/cli/progress.ts';
import { wrap } from '../src/cli/wrap.ts';
import { demoStore, freshFolder, PACKAGE, run, start } from './running-command.ts';

let store = '';
before(async () => {
  store = await demoStore();
});

interface Mistake {
  readonly words: string[];
  readonly says: RegExp;
  readonly code?: number;
}

const ask = (...more: string[]): string[] => ['ask', 'Who founded Dunmarrow Drives?', ...more];

describe('wrong usage: the error has the expected values and the nearest name', () => {
  const mistakes: readonly (() => Mistake)[] = [
    () => ({ words: ['asc'], says: /Unknown command "asc".*Did you mean ask/ }),
    () => ({ words: ['verfy-trace', 'x'], says: /Did you mean verify-trace/ }),
    () => ({ words: ['help', 'serch'], says: /Did you mean search/ }),
    () => ({ words: ['--colour'], says: /Unknown option --colour/ }),
    () => ({ words: ask('--stor', store), says: /Unknown option --stor:.*Did you mean --store\?/ }),
    () => ({ words: ask('--store', store, '-x'), says: /Unknown option -x/ }),
    () => ({ words: ask(), says: /No store in "\.multihop\/store".*multihop ingest/, code: 4 }),
    () => ({ words: ['ask', '--store', store], says: /QUESTION is missing/ }),
    () => ({ words: ask('more', 'words', '--store', store), says: /Too many arguments.*Quote/ }),
    () => ({ words: ask('--store'), says: /--store.*received the end/ }),
    () => ({ words: ask('--store', '--quiet'), says: /--store.*write --store=--quiet/ }),
    () => ({ words: ask('--store', store, '--store', store), says: /--store was given twice/ }),
    () => ({
      words: ask('--store', 'postgres://me:secret@db/corpus', '--store', store),
      says: /received "postgres:\/\/db\/corpus" and/,
    }),
    () => ({ words: ask('--store', store, '--explain=1'), says: /--explain takes no value/ }),
    () => ({ words: ask('--store', store, '--json=1'), says: /takes no value/ }),
    () => ({ words: ask('--store', ''), says: /--store is empty/ }),
    () => ({
      words: ['search', 'x', '--store', store, '-k', '0'],
      says: /--k: expected a whole number of at least 1, received "0"/,
    }),
    () => ({ words: ['search', 'x', '--store', store, '-k', 'ten'], says: /whole number.*"ten"/ }),
    () => ({ words: ['search', 'x', '--store', store, '-k', '-1'], says: /whole number.*"-1"/ }),
    () => ({ words: ['search', '  ', '--store', store], says: /query is empty/ }),
    () => ({ words: ['ask', ' ', '--store', store], says: /question is empty/ }),
    () => ({
      words: ask('--store', store, '--strategy', 'itertive'),
      says: /Unknown strategy "itertive".*Did you mean iterative/,
    }),
    () => ({
      words: ask('--store', store, '--strategy', 'iterative(round=3)'),
      says: /"round".*Did you mean rounds/,
    }),
    () => ({
      words: ask('--store', store, '--strategy', 'iterative(rounds=0)'),
      says: /from 1 to 50, received 0/,
    }),
    () => ({
      words: ask('--store', store, '--strategy', 'iterative('),
      says: /Cannot read the name.*character/,
    }),
    () => ({ words: ask('--store', store, '--retriever', 'lexcal'), says: /Did you mean lexical/ }),
    () => ({ words: ask('--store', store, '--context', 'leed'), says: /Did you mean lead/ }),
    () => ({
      words: ask('--store', store, '--reader', 'extractiv'),
      says: /Did you mean extractive/,
    }),
    () => ({
      words: ask('--store', store, '--budget', 'hops=-1'),
      says: /"hops": expected a whole number of at least 0, received "-1"/,
    }),
    () => ({
      words: ask('--store', store, '--budget', 'foo=3'),
      says: /Unknown limit "foo": expected one of hops, retrievals/,
    }),
    () => ({ words: ask('--store', store, '--budget', 'hop=3'), says: /Did you mean hops/ }),
    () => ({
      words: ask('--store', store, '--budget', 'hops'),
      says: /Cannot read the budget.*received "hops"/,
    }),
    () => ({ words: ask('--store', store, '--budget', 'hops=1.5'), says: /whole number/ }),
    () => ({
      words: ask('--store', store, '--budget', 'hops=1,hops=2'),
      says: /limits "hops" twice/,
    }),
    () => ({
      words: ask('--store', store, '--filter', 'sorce = x'),
      says: /field "sorce".*Did you mean source/,
    }),
    () => ({
      words: ask('--store', store, '--filter', 'source = '),
      says: /filter at character 10: expected a value, received the end/,
    }),
    () => ({
      words: ['search', 'x', '--store', store, '--filter', 'sorce = x'],
      says: /Did you mean source/,
    }),
    () => ({
      words: ['eval', 'multihop-rg', '--strategy', 'fixed-top-k'],
      says: /no data set "multihop-rg".*Did you mean multihop-rag/,
    }),
    () => ({ words: ['list', 'strategy'], says: /Did you mean strategies/ }),
    () => ({
      words: ['remove', 'no-such-id', '--store', store],
      says: /Unknown document "no-such-id"/,
    }),
    () => ({ words: ['verify-trace', 'x', '--head', 'abc'], says: /64 hexadecimal digits/ }),
    () => ({ words: ['verify-trace', join(freshFolder(), 'nothing')], says: /no file or folder/ }),
    () => ({
      words: ask('--store', join(freshFolder(), 'nothing')),
      says: /No store in .*multihop ingest/,
      code: 4,
    }),
  ];
  for (const mistake of mistakes)
    test(
      mistake
        .toString()
        .slice(mistake.toString().indexOf('words:'), mistake.toString().indexOf(', says')),
      async () => {
        const { words, says, code = 2 } = mistake();
        const plain = await run(words);
        assert.equal(plain.code, code, plain.err);
        assert.equal(plain.out, '');
        assert.match(plain.err, says);
        if (code === 2) assert.match(plain.err, /See: multihop/);
        const json = await run([...words, '--json']);
        if (json.err === '') return;
        const parsed = JSON.parse(json.err) as {
          error: { code: string; message: string };
          exit: number;
        };
        assert.equal(parsed.exit, code);
        assert.match(parsed.error.code, /^[a-z-]+$/);
        assert.match(parsed.error.message, /\w/);
      },
    );
});

describe('help', () => {
  test('lists every command and every exit code', async () => {
    for (const words of [['help'], ['--help'], ['-h']]) {
      const { code, out, err } = await run(words);
      assert.equal(code, 0);
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

  test('--version is that of package.json, also as JSON', async () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal((await run(['--version'])).out, `${version}\n`);
    assert.deepEqual(JSON.parse((await run(['--version', '--json'])).out), { version });
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
  test('accepts --name=value, -kN and joined flags; -- ends options, and a single - is no option', async () => {
    assert.match(
      (await run(['search', 'Fathom Prize', `--store=${store}`, '-k1'])).out,
      /^ {2}1\. /,
    );
    assert.equal(
      (await run(['search', 'Fathom Prize', `--store=${store}`, '-k=1'])).out.match(/^ +\d+\. /gm)!
        .length,
      1,
    );
    assert.equal((await run(['search', `--store=${store}`, '-k', '1', '--', '--json'])).code, 0);
    assert.equal(
      (await run(['search', '-', '--store', store], { stdin: 'Fathom Prize\n' })).code,
      0,
    );
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
  const opening = '\u001b[';
  test('colours are used on a terminal only, unless NO_COLOR or FORCE_COLOR is set', async () => {
    const coloured = async (
      terminal: boolean,
      env: Record<string, string> = {},
    ): Promise<boolean> =>
      (await run(['search', 'Fathom Prize', '--store', store], { terminal, env })).out.includes(
        opening,
      );
    assert.equal(await coloured(true), true);
    assert.equal(await coloured(false), false);
    assert.equal(await coloured(true, { NO_COLOR: '1' }), false);
    assert.equal(await coloured(true, { TERM: 'dumb' }), false);
    assert.equal(await coloured(false, { FORCE_COLOR: '1' }), true);
    assert.equal(await coloured(true, { FORCE_COLOR: '0' }), false);
  });

  test('the bar shows rate and time left', () => {
    assert.equal(
      progressText({ count: 500, done: 50, total: 100 }, 'documents', 2000),
      '[############            ]  50%  500 documents  250/s  2.0 s left',
    );
    // The first steps are slow: their rate alone would estimate hours.
    for (const [count, ms] of [
      [1, 500],
      [1, 60_000],
      [49, 60_000],
      [50, 1999],
    ] as const)
      assert.equal(
        progressText({ count, done: count, total: 44_000 }, 'questions', ms),
        `[                        ]   0%  ${count} of 44,000 questions`,
      );
    assert.match(
      progressText({ count: 60, done: 60, total: 44_000 }, 'questions', 2500),
      / {2}24\/s {2}30 min 31 s left$/,
    );
    assert.equal(progressText({ count: 1200 }, 'questions', 2000), '1,200 questions  600/s');
    const beyond = { count: 5978, done: 5978, total: 1696, worked: 700 };
    assert.equal(progressText(beyond, 'texts', 70_000), '5,978 texts  10/s', 'more than the total');
    assert.equal(progressText({ count: 3 }, 'questions', 1000), '3 questions');
    assert.deepEqual(
      [duration(4.26), duration(850), duration(7200), duration(200_000)],
      ['4.3 ms', '850 ms', '7.2 s', '3 min 20 s'],
    );
    assert.deepEqual([59_980, 239_700, 7_500_000].map(duration), [
      '1 min 0 s',
      '4 min 0 s',
      '2 h 5 min',
    ]);
  });

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

  test('rate and time left count work alone, not cached items', () => {
    // 900 of 1,000 are done, 100 of them in 10 s of work: 10/s, so that 100 more take 10 s.
    const resumed = { count: 900, done: 900, total: 1000, worked: 100 };
    assert.match(
      progressText(resumed, 'passages', 10_000),
      /90% {2}900 of 1,000 passages {2}10\/s {2}10\.0 s left$/,
    );
    assert.match(
      progressText({ ...resumed, worked: 0 }, 'passages', 10_000),
      /900 of 1,000 passages$/,
    );
    assert.match(
      progressText({ ...resumed, worked: 15 }, 'passages', 10_000),
      / 1\.5\/s {2}1 min 7 s left$/,
    );
    assert.doesNotMatch(progressText({ ...resumed, worked: 1 }, 'passages', 500), /left/);
  });

  test('time without work is not counted', () => {
    let err = '';
    let now = 0;
    const sink = { write: (text: string) => (err += text), isTTY: true };
    const output = new Output({
      stdout: sink,
      stderr: sink,
      env: {},
      json: false,
      quiet: false,
      verbose: false,
    });
    const progress = new Progress(output, 'passages', () => now);
    for (let count = 0; count <= 500; count += 50) {
      progress.update({ count, done: count, total: 1000, worked: 0 });
      now += 1000;
    }
    // The cache was last read at 10 s; 50 passages in the 5 s since then are 10/s.
    now = 15_000;
    progress.update({ count: 550, done: 550, total: 1000, worked: 50 });
    assert.match(
      err.split('\r\u001b[K').at(-1)!,
      /55% {2}550 of 1,000 passages {2}10\/s {2}45\.0 s left$/,
    );
  });

  test('progress is redrawn on a terminal, a line every ten seconds elsewhere, and absent with --quiet', () => {
    const drawn = (isTTY: boolean, quiet: boolean): string => {
      let err = '';
      const sink = { write: (text: string) => (err += text), isTTY };
      const output = new Output({
        stdout: sink,
        stderr: sink,
        env: {},
        json: false,
        quiet,
        verbose: false,
      });
      let now = 0;
      const progress = new Progress(output, 'documents', () => now);
      for (let count = 1; count <= 120; count++) {
        now += 100;
        progress.update({ count, done: count, total: 120 });
      }
      progress.end();
      return err;
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
