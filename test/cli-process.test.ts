/**
 * Tests the command as a real process: every exit code, Ctrl-C, closed pipes, and a disk that is
 * full or read-only.
 */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { verifyTrace } from '../src/core/trace/audit.ts';
import { sha256 } from '../src/platform/sha256.ts';
import {
  argv,
  DEMO_CORPUS,
  demoStore,
  freshFolder,
  PACKAGE,
  printed,
  type Running,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

let store = '';
/** A corpus whose search takes many milliseconds. */
let largeCorpus = '';
let largeStore = '';
before(async () => {
  store = await demoStore();
  const folder = freshFolder();
  largeCorpus = join(folder, 'large.jsonl');
  largeStore = join(folder, 'store');
  const word = (index: number): string => `w${((index * 2654435761) >>> 0) % 3000}x`;
  const lines = Array.from({ length: 4000 }, (_, index) => {
    const words = Array.from({ length: 150 }, (__, position) => word(index * 150 + position));
    const title = `${word(index)} ${word(index + 7)}`;
    return JSON.stringify({ id: `d${index}`, title, text: `${words.join(' ')}.` });
  });
  writeFileSync(largeCorpus, `${lines.join('\n')}\n`);
  await succeeds(['ingest', largeCorpus, '--store', largeStore]);
});

const BIN = join(PACKAGE, 'src', 'cli', 'main.ts');
const LONG_RUN = argv`--strategy ${'iterative(rounds=50, per-round=5, documents=1000)'}
      --context whole`;

/**
 * Returns an environment in which a child first runs this code. The child sends itself signals at a
 * point of its own work: a signal from the test could come after the end of a child that a busy
 * machine ran ahead of the test.
 */
const preloaded = (code: string): Record<string, string> => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}`,
});

/** Returns code that interrupts its process so often, once it has printed `text` on stderr. */
const interruptOnOutput = (text: string, times = 1): string => `
  const write = process.stderr.write;
  process.stderr.write = function (printed, ...rest) {
    const result = write.call(this, printed, ...rest);
    if (String(printed).includes(${JSON.stringify(text)})) {
      process.stderr.write = write;
      for (let time = 0; time < ${times}; time++) process.kill(process.pid, 'SIGINT');
    }
    return result;
  };`;

/** Returns code that interrupts its process once the manifest at `path` counts documents. */
const interruptOnStored = (path: string): string => `
  import { readFileSync } from 'node:fs';
  const timer = setInterval(() => {
    try {
      if (JSON.parse(readFileSync(${JSON.stringify(path)}, 'utf8')).documents === 0) return;
    } catch {
      return;
    }
    clearInterval(timer);
    process.kill(process.pid, 'SIGINT');
  }, 1);
  timer.unref();`;

/** Code that prints a line once its process reads stdin. */
const REPORT_READING = `
  const timer = setInterval(() => {
    if (process.stdin.listenerCount('readable') === 0) return;
    clearInterval(timer);
    process.stderr.write('reads stdin\\n');
  }, 1);
  timer.unref();`;

/** Starts a command whose question has to come on stdin, and waits until the command reads it. */
async function startAwaitingStdin(): Promise<Running> {
  const env = preloaded(REPORT_READING);
  const asking = start(['ask', '-', '--store', store], { stdin: null, env });
  await until(() => asking.soFar().err.includes('reads stdin'), 'the command to read stdin');
  return asking;
}

/** Runs a line of bash in which COMMAND stands for the command with these words. */
const inBash = (line: string, words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(
    'bash',
    [
      ...['-c', line.replace('COMMAND', '"$0" --disable-warning=ExperimentalWarning "$@"')],
      ...[process.execPath, BIN, ...words],
    ],
    { encoding: 'utf8' },
  );

async function until(condition: () => boolean, what: string): Promise<void> {
  const began = performance.now();
  while (!condition()) {
    assert.ok(performance.now() - began < 60_000, `waited for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}

describe('exit codes of a real process', () => {
  const file = (name: string, text: string): string => {
    const path = join(freshFolder(), name);
    writeFileSync(path, text);
    return path;
  };
  for (const [code, what, words, out, err] of [
    [0, 'done', () => ['--version'], /^\d+\.\d+\.\d+\n$/, /^$/],
    [1, 'a failure', () => ['verify-trace', file('x', 'no trace\n')], /^not sound/, /^$/],
    [
      2,
      'wrong usage',
      () => argv`ask What? --store ${store} --strategy nothing`,
      /^$/,
      /Unknown strategy "nothing"/,
    ],
    [
      3,
      'a limit',
      () => argv`ask ${'w1x w2x'} --store ${largeStore} --budget ms=1 ${LONG_RUN}`,
      /./,
      /Stopped by the limit on ms|^$/,
    ],
    [4, 'a missing store', () => argv`ask What? --store ${freshFolder()}/none`, /^$/, /No store/],
    [
      4,
      'a damaged store',
      () => argv`search x --store ${join(file('store.json', ''), '..')} --json`,
      /^$/,
      /"code": ?"store-damaged"/,
    ],
  ] as const)
    test(`${code}: ${what}`, async () => {
      const result = await start(words()).result;
      assert.equal(result.code, code, result.err);
      assert.match(result.out, out);
      assert.match(result.err, err);
    });

  test('0: a question from stdin', async () => {
    const stdin = 'Who won the Fathom Prize?';
    const { code, err } = await start(['ask', '-', '--store', store], { stdin }).result;
    assert.equal(code, 0, err);
  });

  test('1: a Node that is too old, by name', async () => {
    const env = preloaded(
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.12.1' } });`,
    );
    const { code, out, err } = await start(['demo'], { env }).result;
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^multihop needs Node 22\.13 or newer; this is Node 22\.12\.1 \(/);
  });

  test('5: a store that cannot be written, but read', {
    skip: process.platform === 'win32' ? 'no such permissions' : false,
  }, async () => {
    const readOnly = await demoStore();
    const someone = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    chmodSync(join(readOnly, '..'), 0o755);
    // Files are private to who wrote them; here anybody may read.
    for (const name of readdirSync(readOnly)) chmodSync(join(readOnly, name), 0o444);
    chmodSync(readOnly, 0o555);
    try {
      const asked = await start(['search', 'Fathom Prize', '--store', readOnly], someone).result;
      assert.equal(asked.code, 0, asked.err);
      const removed = await start(['remove', 'fathom-prize', '--store', readOnly], someone).result;
      assert.equal(removed.code, 5, removed.err);
      assert.match(removed.err, /cannot be written.*permission/);
    } finally {
      chmodSync(readOnly, 0o755);
    }
    await succeeds(['verify', '--store', readOnly]);
  });

  test('5: a full disk', {
    skip: process.platform === 'win32' ? 'no limit on file sizes' : false,
  }, async () => {
    const target = join(freshFolder(), 'store');
    // A limit on the size of files simulates a full disk: the manifest fits, the documents do not.
    const limited = inBash('ulimit -f 8; exec COMMAND', ['ingest', DEMO_CORPUS, '--store', target]);
    assert.equal(limited.status, 5, limited.stderr);
    assert.match(limited.stderr, /is full.*safe/);
    await succeeds(['verify', '--store', target]);
    const again = await run(['ingest', DEMO_CORPUS, '--store', target]);
    assert.match(again.out, /44 added/);
  });

  test('6: a store of another version, left unchanged', async () => {
    const readOnly = await demoStore();
    const path = join(readOnly, 'store.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": \d+/, '"version": 999'));
    const before = readFileSync(path, 'utf8');
    for (const words of [
      ['search', 'x'],
      ['ask', 'What?'],
      ['verify'],
      ['ingest', DEMO_CORPUS],
      ['remove', 'x'],
    ]) {
      await refuses([...words, '--store', readOnly], /newer release.*Nothing was changed/, {
        code: 6,
      });
    }
    assert.equal(readFileSync(path, 'utf8'), before);
  });
});

describe('Ctrl-C', { skip: process.platform === 'win32' ? 'no signals' : false }, () => {
  test('during ask: ends and seals the trace, prints the partial result, exits with 130', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const words = ['ask', 'w1x w2x w3x', '--store', largeStore, '--trace', file, '-v'];
    const env = preloaded(interruptOnOutput('hop 2'));
    const { code, out, err } = await start([...words, ...LONG_RUN], { env }).result;
    assert.equal(code, 130, err);
    assert.match(out, /No answer: .*aborted[\s\S]*Evidence/);
    const verified = verifyTrace(readFileSync(file, 'utf8'), sha256);
    assert.ok(verified.ok);
    const end = verified.events.at(-1)!;
    assert.ok(end.type === 'end' && end.stopped?.by === 'abort');
    assert.ok(verified.events.filter(({ type }) => type === 'hop').length < 50);
  });

  test('with nothing to finish: ended by the signal', async () => {
    const asking = await startAwaitingStdin();
    const began = performance.now();
    asking.child.kill('SIGINT');
    const { code, err } = await asking.result;
    assert.deepEqual([code, asking.child.signalCode], [null, 'SIGINT'], err);
    assert.ok(performance.now() - began < 1000);
  });

  test('during ingest: stored documents stay, and the next run continues', async () => {
    const target = join(freshFolder(), 'store');
    const stored = (): number =>
      existsSync(join(target, 'store.json'))
        ? JSON.parse(readFileSync(join(target, 'store.json'), 'utf8')).documents
        : 0;
    const env = preloaded(interruptOnStored(join(target, 'store.json')));
    const { code, err } = await start(['ingest', largeCorpus, '--store', target], { env }).result;
    assert.equal(code, 130, err);
    assert.match(err, /\d+ documents were stored[\s\S]*Interrupted/);
    const there = stored();
    assert.ok(there > 0 && there < 4000, `${there}`);
    const again = await run(['ingest', largeCorpus, '--store', target, '--json']);
    const counts = JSON.parse(again.out);
    assert.deepEqual([counts.added, counts.unchanged], [4000 - there, there]);
    const digests = await Promise.all(
      [target, largeStore].map(
        async folder => (await printed(['verify', '--store', folder])).digest,
      ),
    );
    assert.equal(digests[0], digests[1]);
  });

  test('while ingest builds indexes: exits with 130, and the next run writes them', async () => {
    const target = join(freshFolder(), 'store');
    const env = preloaded(interruptOnOutput('Writing the indexes'));
    const words = ['ingest', largeCorpus, '--store', target, '--verbose'];
    const { code, err } = await start(words, { env }).result;
    assert.equal(code, 130, err);
    assert.match(err, /Interrupted/);
    const indexed = (): boolean[] => {
      const { segments } = JSON.parse(readFileSync(join(target, 'store.json'), 'utf8'));
      return segments.map(({ indexes }: { indexes?: unknown }) => indexes !== undefined);
    };
    assert.ok(indexed().includes(false), 'no index is written after the interrupt');
    const again = await run(['ingest', largeCorpus, '--store', target, '--json']);
    assert.equal(JSON.parse(again.out).unchanged, 4000);
    assert.ok(!indexed().includes(false));
    await succeeds(['verify', '--store', target]);
  });

  test('twice: exits at once', async () => {
    const file = join(freshFolder(), 'run.jsonl');
    const words = ['ask', 'w1x w2x w3x', '--store', largeStore, '--trace', file, '-v'];
    const env = preloaded(interruptOnOutput('hop 2', 2));
    assert.equal((await start([...words, ...LONG_RUN], { env }).result).code, 130);
  });
});

describe('pipes', () => {
  test('a reader that closes the pipe early is no failure', {
    skip: process.platform === 'win32' ? 'no bash' : false,
  }, () => {
    for (const words of [
      ['list', 'measures', '--json'],
      ['ask', 'Who won the Fathom Prize?', '--store', store, '--jsonl'],
      ['search', 'the', '--store', largeStore, '-k', '3000', '--json'],
    ]) {
      const line = `COMMAND | head -n 1; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = inBash(line, words);
      assert.equal(stderr, '');
      assert.equal(stdout.trimEnd().split('\n').at(-1), '0');
    }
  });

  test('a long result arrives whole', async () => {
    const { code, out } = await start(argv`search ${'w1x w2x w3x w4x w5x w6x'} --store ${largeStore}
      -k 4000 --json`).result;
    assert.equal(code, 0);
    assert.ok(JSON.parse(out).hits.length > 500);
  });

  test('paths are relative to the working folder', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'notes'));
    writeFileSync(join(cwd, 'notes', 'a.txt'), 'The ferry left at noon.');
    const made = await start(['ingest', 'notes', '--store', 'my.store'], { cwd }).result;
    assert.equal(made.code, 0, made.err);
    const { out } = await start(['search', 'ferry', '--store', 'my.store'], { cwd }).result;
    assert.match(out, /ferry left at noon/);
  });
});
