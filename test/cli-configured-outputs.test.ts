/**
 * Tests the outputs that a configuration names: they stay below its folder, and replace no file
 * that multihop did not write.
 */
import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { commands } from '../src/cli/commands.ts';
import { CONFIGURATION_FILE } from '../src/cli/configuration-file.ts';
import type { Option } from '../src/cli/option.ts';
import { TraceLines } from '../src/session/trace-lines.ts';
import { cacheFileName, VectorCacheFolder } from '../src/stores/disk/vector-cache.ts';
import {
  argv,
  demoDataSet,
  demoStore,
  freshFolder,
  PACKAGE,
  type Result,
  run,
  succeeds,
} from './running-command.ts';

const PATHS = ['DIR', 'FILE', 'KEYFILE', 'PATH', 'PLACE'];
const MINE = 'the only copy of my work\n';
const QUESTION = 'Which company has hired the biologist of the Brannoch Institute?';

/** A folder outside, with a file of the user, and beside it a folder with a configuration. */
interface Folders {
  readonly outside: string;
  readonly victim: string;
  readonly project: string;
}

function folders(): Folders {
  const parent = realpathSync(freshFolder());
  const [outside, project] = [join(parent, 'outside'), join(parent, 'project')];
  for (const folder of [outside, project]) mkdirSync(folder);
  const victim = join(outside, '.bashrc');
  writeFileSync(victim, MINE);
  return { outside, victim, project };
}

const configure = (folder: string, content: object): void =>
  writeFileSync(join(folder, CONFIGURATION_FILE), JSON.stringify(content));

let store: string;
let data: string[];
let results: string;
let traced: string;
before(async () => {
  store = await demoStore();
  const folder = realpathSync(freshFolder());
  data = demoDataSet(folder);
  [results, traced] = [join(folder, 'results'), join(folder, 'run.jsonl')];
  await succeeds(['eval', 'multihop-rag', ...data, '--out', results]);
  await succeeds(['ask', QUESTION, '--store', store, '--trace', traced]);
});

/** Runs of commands whose output a configuration names. */
const RUNS: readonly (readonly [command: string, option: string, words: () => string[]])[] = [
  ['ask', 'trace', () => [QUESTION, '--store', store]],
  ['ask', 'trace', () => [QUESTION, '--store', store, '--full-trace']],
  ['inspect', 'output', () => [traced]],
  ['report', 'output', () => [results]],
  ['report', 'output', () => [results, '--format', 'markdown']],
  ['report', 'output', () => [results, '--format', 'html']],
  ['report', 'output', () => [results, '--format', 'svg']],
  ['eval', 'out', () => ['multihop-rag', ...data]],
  ['eval', 'run-out', () => ['multihop-rag', ...data]],
];

const refused = ({ code, out, err }: Result, option: string, says: RegExp): void => {
  assert.deepEqual([code, out], [2, ''], err);
  assert.ok(err.includes(CONFIGURATION_FILE) && err.includes(`pass --${option}`), err);
  assert.match(err, says);
};

for (const [command, option, words] of RUNS) {
  const name = (): string => [command, ...words().filter(word => !word.includes('/'))].join(' ');
  describe(`${command} --${option} of a configuration`, () => {
    test('stays below the folder of the configuration, after links', async () => {
      const { outside, victim, project } = folders();
      symlinkSync(outside, join(project, 'linked'));
      symlinkSync(victim, join(project, 'to-file'));
      symlinkSync(join(outside, 'new'), join(project, 'to-nothing'));
      const escaping =
        '../outside/.bashrc linked/.bashrc to-file ../outside/new linked/a/b to-nothing to-nothing/a . .. ./linked/../linked/x ../project-2/x';
      for (const path of [victim, ...escaping.split(' ')]) {
        configure(project, { [command]: { [option]: path } });
        const result = await run([command, ...words()], { folder: project });
        refused(result, option, /does not lie below/);
      }
      assert.equal(readFileSync(victim, 'utf8'), MINE);
      assert.deepEqual(readdirSync(outside), ['.bashrc']);
    });

    test('replaces what multihop wrote, and no file of the user', async () => {
      const { victim, project } = folders();
      configure(project, { [command]: { [option]: 'a/output' } });
      const at = join(project, 'a', 'output');
      for (const _ of ['first', 'second']) {
        if (command === 'ask' || command === 'report')
          mkdirSync(join(project, 'a'), { recursive: true });
        await succeeds([command, ...words()], { folder: project });
        assert.ok(existsSync(at), name());
      }
      for (const text of [MINE, '', '{}', '<!doctype html>\n<html>mine</html>']) {
        const folder = folders().project;
        configure(folder, { [command]: { [option]: 'output' } });
        writeFileSync(join(folder, 'output'), text);
        refused(
          await run([command, ...words()], { folder }),
          option,
          /multihop did not write .*and would replace it/,
        );
        assert.equal(readFileSync(join(folder, 'output'), 'utf8'), text);
      }
      configure(project, { [command]: { [option]: 'hard' } });
      linkSync(victim, join(project, 'hard'));
      refused(await run([command, ...words()], { folder: project }), option, /did not write/);
      assert.equal(readFileSync(victim, 'utf8'), MINE);
    });

    test('given on the command line is written where the user says', async () => {
      const { outside, project } = folders();
      configure(project, { [command]: { [option]: '../outside/.bashrc' } });
      const to = join(outside, 'mine');
      await succeeds([command, ...words(), `--${option}`, to], {
        folder: project,
      });
      assert.ok(existsSync(to));
    });
  });
}

describe('a folder that a configuration names as an output', () => {
  test('is not written if its files are of somebody else, or lead out by a link', async () => {
    const { victim, project } = folders();
    configure(project, { eval: { out: 'out' } });
    const words = ['eval', 'multihop-rag', ...data];
    mkdirSync(join(project, 'out'));
    writeFileSync(join(project, 'out', 'questions.json'), MINE);
    refused(await run(words, { folder: project }), 'out', /multihop did not write/);
    writeFileSync(join(project, 'out', 'result.json'), '{"rows":[]}');
    refused(await run(words, { folder: project }), 'out', /multihop did not write/);
    const other = folders().project;
    configure(other, { eval: { out: 'out' } });
    await succeeds(words, { folder: other });
    const [trace] = readdirSync(join(other, 'out', 'traces'));
    for (const planted of [join('traces', `${trace}-more`), 'scores.json.part']) {
      symlinkSync(victim, join(other, 'out', planted));
      refused(await run(words, { folder: other }), 'out', /the link .* leads out of/);
    }
    assert.equal(readFileSync(victim, 'utf8'), MINE);
  });

  test('of pages beside a report keeps what multihop did not write', async () => {
    const { outside, project } = folders();
    configure(project, { report: { output: 'r.html', format: 'html' } });
    mkdirSync(join(project, 'r.traces'));
    writeFileSync(join(project, 'r.traces', '0001.html'), MINE);
    refused(await run(['report', results], { folder: project }), 'output', /did not write/);
    assert.equal(readFileSync(join(project, 'r.traces', '0001.html'), 'utf8'), MINE);
    const other = folders().project;
    configure(other, { report: { output: 'r.html', format: 'html' } });
    writeFileSync(join(outside, '0001.html'), MINE);
    symlinkSync(outside, join(other, 'r.traces'));
    refused(await run(['report', results], { folder: other }), 'output', /does not lie below/);
    assert.equal(readFileSync(join(outside, '0001.html'), 'utf8'), MINE);
  });

  test('of a store lies below it too, for commands that write there, and not for a search', async () => {
    const { outside, project } = folders();
    const theirs = join(outside, 'their.store');
    const corpus = join(PACKAGE, 'demo', 'corpus.jsonl');
    await succeeds(['ingest', corpus, '--store', theirs]);
    configure(project, { store: '../outside/their.store' });
    await succeeds(['search', 'kelp'], { folder: project });
    await succeeds(['verify'], { folder: project });
    for (const words of [
      ['ingest', corpus],
      ['remove', 'x'],
      ['verify', '--repair'],
      ['demo'],
      ['serve'],
    ])
      refused(await run(words, { folder: project }), 'store', /does not lie below/);
    configure(project, { store: 'own.store' });
    for (const _ of ['first', 'second']) await succeeds(['ingest', corpus], { folder: project });
  });
});

test('a draft beside an output follows no link', async () => {
  const { victim, project } = folders();
  const out = join(project, 'out');
  const drafts = ['out/result.json.part', 'out/unfinished.json.part', 'a.run.part', 'q.part'];
  mkdirSync(out);
  for (const draft of drafts) symlinkSync(victim, join(project, draft));
  const more = argv`--out ${out} --run-out ${join(project, 'a.run')}
      --qrels-out ${join(project, 'q')}`;
  await succeeds(['eval', 'multihop-rag', ...data, ...more]);
  configure(project, { inspect: { output: 'p.html' } });
  symlinkSync(victim, join(project, 'p.html.part'));
  await succeeds(['inspect', traced], { folder: project });
  assert.equal(readFileSync(victim, 'utf8'), MINE);
});

test('an output that became a link after its check is not written', () => {
  const { victim, project } = folders();
  const path = join(project, 'run.jsonl');
  symlinkSync(victim, path);
  const lines = new TraceLines(path, { unlinked: true });
  assert.throws(() => lines.seal(), { code: 'trace-not-writable' });
  assert.equal(readFileSync(victim, 'utf8'), MINE);
});

test('the vectors of a store are not written through a link in its cache', async () => {
  const { victim, project } = folders();
  symlinkSync(victim, join(project, cacheFileName('space')));
  const cache = new VectorCacheFolder(project);
  const written = cache.put('space', [['0'.repeat(64), new Float32Array(2)]]);
  await assert.rejects(written, { code: 'store-failed' });
  await cache.close();
  assert.equal(readFileSync(victim, 'utf8'), MINE);
});

test('every option with a path says if it is read or written', async () => {
  for (const { name: command, load } of commands) {
    const { options } = (await load()).command;
    for (const { name, value = '', access } of options as readonly Option[]) {
      const isPath = PATHS.includes(value);
      assert.equal(access !== undefined, isPath, `${command} --${name} ${value}`);
    }
  }
});
