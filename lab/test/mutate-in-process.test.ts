/** Checks the process that runs many mutants against `node:test` in a process of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Answer, TestWorker } from '../mutate/in-process/test-worker.ts';
import { ProcessTests } from '../mutate/process-tests.ts';
import type { TestRuns } from '../mutate/run.ts';
import { SwitchedTests } from '../mutate/switched-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-in-process-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const LIMIT_MS = 60_000;
const HEAD = `import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test';
import { appendFileSync } from 'node:fs';
const log = text => appendFileSync(process.env.TEST_LOG, text + '\\n');\n`;

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

async function inProcess(file: string, log: string, mutant = ''): Promise<Answer> {
  const worker = new TestWorker(folder, mutant, { TEST_LOG: log });
  try {
    return await worker.run({ file, mutant }, LIMIT_MS);
  } finally {
    worker.kill();
  }
}

test('tests and hooks run in the order of node:test', async () => {
  const file = written(
    'order.test.mjs',
    `${HEAD}
before(() => log('before all')); after(() => log('after all'));
beforeEach(() => log('before each')); afterEach(() => log('after each'));
test('first', async t => { t.after(() => log('own after')); await null; log('first'); });
describe('suite', () => {
  before(() => log('suite before')); after(async () => log('suite after'));
  beforeEach(() => log('inner before each')); afterEach(() => log('inner after each'));
  it('second', t => { log('second'); t.diagnostic('told'); });
  describe('deeper', async () => { await null; test('third', () => log('third')); });
  test('second', () => log('again'));
});
describe('without tests', () => { before(() => log('not run')); });
test('skipped', { skip: 'why' }, () => log('skipped'));
test.skip('skipped too', () => log('skipped'));
test('skips itself', t => { t.skip(); log('rest'); });
test('to do', { todo: true }, () => { log('to do'); throw new Error('not yet'); });
describe('skipped suite', { skip: true }, () => test('in it', () => log('skipped')));
test('last', () => log('last'));`,
  );
  const [ours, theirs] = [join(folder, 'ours.log'), join(folder, 'theirs.log')];
  const { status } = spawnSync(process.execPath, [join(folder, file)], {
    env: { ...process.env, TEST_LOG: theirs, NODE_TEST_CONTEXT: '' },
  });
  assert.equal(status, 0);
  assert.equal((await inProcess(file, ours)).outcome, 'passed');
  assert.equal(readFileSync(ours, 'utf8'), readFileSync(theirs, 'utf8'));
});

describe('what fails under node:test fails here', () => {
  const bodies: Record<string, string> = {
    'a test that throws': `test('x', () => { throw new Error('no'); });`,
    'a test that rejects': `test('x', async () => { await null; throw new Error('no'); });`,
    'a hook before all': `before(() => { throw new Error('no'); }); test('x', () => {});`,
    'a hook after all': `describe('s', () => { after(() => { throw 1; }); test('x', () => {}); });`,
    'a hook after each': `afterEach(() => { throw new Error('no'); }); test('x', () => {});`,
    'the hook of a test': `test('x', t => { t.after(() => { throw new Error('no'); }); });`,
    'a test in a test': `test('x', t => t.test('y', () => { throw new Error('no'); }));`,
    'a file that does not load': `throw new Error('no');`,
    'an error that nobody catches': `test('x', async () => {
      setTimeout(() => { throw new Error('no'); }); await new Promise(end => setTimeout(end, 300)); });`,
    'a suite that throws': `describe('s', () => { throw new Error('no'); });`,
    'a process that ends': `test('x', () => process.exit(3));`,
    nothing: `test('x', t => t.test('y', { skip: true }, () => { throw new Error('no'); }));`,
  };
  for (const [name, body] of Object.entries(bodies))
    test(name, async () => {
      const file = written(`${name.replaceAll(' ', '-')}.test.mjs`, HEAD + body);
      const log = join(folder, 'failing.log');
      const { status } = spawnSync(process.execPath, [join(folder, file)], {
        env: { ...process.env, TEST_LOG: log, NODE_TEST_CONTEXT: '' },
      });
      const { outcome } = await inProcess(file, log);
      assert.equal(outcome, status === 0 ? 'passed' : 'failed');
      assert.equal(status === 0, name === 'nothing');
    });
});

test('a test that does not end is ended', async () => {
  const file = written('endless.test.mjs', `${HEAD}test('x', () => { for (;;); });`);
  const worker = new TestWorker(folder);
  assert.equal((await worker.run({ file, mutant: '' }, 2_000)).outcome, 'timeout');
  assert.equal(worker.ended, true);
});

/** Written as by the instrumenter: each mutant counts its code as run, and has a number. */
const SWITCHED = `const { __STRYKER_ACTIVE_MUTANT__: activeMutant } = process.env;
const state = () => globalThis.__stryker__ ??= { activeMutant };
const on = id => {
  const ns = state();
  if (ns.activeMutant === id) return true;
  const all = ns.mutantCoverage ??= { static: {}, perTest: {} };
  const counts = ns.currentTestId ? (all.perTest[ns.currentTestId] ??= {}) : all.static;
  counts[id] = 1;
  return false;
};
export const limit = on('0') ? 6 : 5;
export const double = n => on('1') ? n : 2 * n;
export const triple = n => on('2') ? n : 3 * n;
export const unused = () => on('3') ? 1 : 2;
`;
const USING = `${HEAD}import { double, limit, triple } from './switched.mjs';
import assert from 'node:assert';
const six = double(3);
describe('suite', () => {
  let nine;
  before(() => { nine = triple(3); });
  test('limit', () => assert.equal(limit, 5));
  test('six', () => assert.equal(six, 6));
  test('nine', () => assert.equal(nine, 9));
});
test('ten', () => assert.equal(double(5), 10));`;

describe('switched mutants', () => {
  const file = written('switched.test.mjs', USING);
  written('switched.mjs', SWITCHED);

  test('a worker sees the mutant of each job, at the top of the test file too', async () => {
    const worker = new TestWorker(folder);
    const told = async (mutant: string, only?: readonly string[]): Promise<string | undefined> => {
      const answer = await worker.run({ file, mutant, only }, LIMIT_MS);
      return answer.outcome === 'failed' ? answer.test : answer.outcome;
    };
    try {
      assert.equal(await told(''), 'passed');
      assert.equal(await told('1'), 'suite > six');
      assert.equal(await told(''), 'passed');
      assert.equal(await told('2'), 'suite > nine');
      assert.equal(await told('2', ['suite > six', 'ten']), 'passed');
      assert.equal(await told('2', ['suite']), 'suite > nine');
      assert.equal(await told('3'), 'passed');
      // Loaded before with the mutant off: SwitchedTests starts another process for it.
      assert.equal(await told('0'), 'passed');
    } finally {
      worker.kill();
    }
    assert.equal((await inProcess(file, '', '0')).test, 'suite > limit');
  });

  test('coverage tells loading from testing, and hooks of suites from tests', async () => {
    const worker = new TestWorker(folder);
    try {
      const { coverage } = await worker.run({ file, mutant: '', cover: true }, LIMIT_MS);
      assert.deepEqual(coverage?.loading, ['0', '1']);
      assert.deepEqual(coverage.byTest, { '*': ['1'], suite: ['2'], ten: ['1'] });
    } finally {
      worker.kill();
    }
  });

  const mutant = (key: string) => ({
    key,
    path: 'switched.mjs',
    file: '',
    line: 1,
    start: 0,
    end: 1,
    operator: '',
    original: '',
    replacement: '',
  });
  const switchedCopy = {
    copy: { root: folder } as never,
    numbers: new Map(['0', '1', '2', '3'].map(id => [id, id])),
  };
  const verdictsBy = async (tests: TestRuns): Promise<string[]> => {
    const verdicts: string[] = [];
    for (const id of '0123') verdicts.push(await tests.verdict(file, mutant(id)));
    return verdicts;
  };

  test('verdicts of a process a test file', async () => {
    const tests = new ProcessTests(switchedCopy, join(folder, 'kept'), 'state');
    assert.deepEqual(await verdictsBy(tests), ['failed', 'failed', 'failed', 'uncovered']);
    assert.ok((await tests.time(file))! > 0);
  });

  test('verdicts', async () => {
    const coverage = { loading: ['0'], byTest: { '*': ['1'], suite: ['2'] } };
    for (const ms of [1, 10_000]) {
      const tests = new SwitchedTests(
        switchedCopy,
        {
          of: (path: string) => Promise.resolve(path === file ? { ms, coverage } : undefined),
        } as never,
        { time: () => Promise.resolve(7), verdict: () => Promise.resolve('passed'), end: () => {} },
      );
      try {
        assert.deepEqual(await verdictsBy(tests), ['failed', 'failed', 'failed', 'uncovered']);
        assert.equal(await tests.verdict('other.test.mjs', mutant('0')), 'passed');
        assert.deepEqual([await tests.time(file), await tests.time('other.test.mjs')], [ms, 7]);
      } finally {
        tests.end();
      }
    }
  });
});
