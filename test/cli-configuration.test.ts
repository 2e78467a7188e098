/** Tests the configuration file, the default store, completion, and `multihop` alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { candidates } from '../src/edges/cli/candidates.ts';
import { commands } from '../src/edges/cli/commands.ts';
import { CONFIGURATION_FILE } from '../src/edges/cli/configuration.ts';
import { strategies } from '../src/strategies/strategies.ts';
import { DEMO_CORPUS, freshFolder, type Result, run, start } from './running-command.ts';

/** Runs a command in a folder, as a process of it would. */
const inFolder = (folder: string, ...words: string[]): Promise<Result> =>
  start(words, { cwd: folder, env: { MULTIHOP_DEBUG: '' } }).result;

function configure(folder: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, CONFIGURATION_FILE), text);
}

const KELP = 'Which company has hired the biologist of the Brannoch Institute?';

describe('the default store', () => {
  test('is made by ingest and found from folders below it', async () => {
    const folder = realpathSync(freshFolder());
    const below = join(folder, 'a', 'b');
    mkdirSync(below, { recursive: true });
    const missing = await inFolder(below, 'ask', KELP);
    assert.equal(missing.code, 4);
    assert.match(missing.err, /No store in "\.multihop\/store".*multihop ingest PATH/);
    const made = await inFolder(folder, 'ingest', DEMO_CORPUS, '-v');
    assert.equal(made.code, 0, made.err);
    assert.match(made.err, /Store: \.multihop\/store/);
    const listed = await inFolder(below, 'documents', '--json');
    const { store } = JSON.parse(listed.out) as { store: string };
    assert.equal(store, join(folder, '.multihop', 'store'));
    const named = await inFolder(folder, 'documents', '--store', 'other');
    assert.match(named.err, /No store in "other"/);
  });
});

describe('the configuration', () => {
  test('gives options to every command that has them, and to one alone; words win', async () => {
    const folder = realpathSync(freshFolder());
    const below = join(folder, 'below');
    mkdirSync(below);
    assert.equal((await inFolder(folder, 'ingest', DEMO_CORPUS, '--store', 'n.store')).code, 0);
    configure(folder, { store: 'n.store', k: 7, search: { k: 2, json: undefined }, context: 'x' });
    const count = ({ out, err }: Result): number => {
      assert.notEqual(out, '', err);
      return (JSON.parse(out) as { hits: unknown[] }).hits.length;
    };
    assert.equal(count(await inFolder(below, 'search', 'kelp', '--json')), 2);
    assert.equal(count(await inFolder(below, 'search', 'kelp', '--json', '-k', '3')), 3);
    configure(folder, { store: 'n.store', k: 4 });
    assert.equal(count(await inFolder(below, 'search', 'kelp', '--json')), 4);
  });

  const refused = async (content: unknown, says: RegExp): Promise<void> => {
    const folder = freshFolder();
    configure(folder, content);
    const { code, err } = await run(['search', 'x'], { folder });
    assert.equal(code, 2, err);
    assert.match(err, says);
    assert.ok(err.includes(CONFIGURATION_FILE));
  };

  test('names what is wrong in it', async () => {
    await refused('{ "store": ', /cannot be read/);
    await refused('[]', /expected one object/);
    await refused({ stroe: 'x' }, /"stroe" is no option of a command.*Did you mean --?store|store/);
    await refused({ serch: { k: 1 } }, /"serch" is no option.*Did you mean search/);
    await refused({ search: { kk: 1 } }, /"search\.kk" is no option.*Did you mean k/);
    await refused({ k: 'ten' }, /--k: expected a whole number/);
    await refused({ k: [1, 2] }, /"k" takes one value, not 2/);
    await refused({ store: { a: 1 } }, /"store" is no option of a command/);
    await refused({ store: null }, /"store" is a text or a number/);
  });

  test('holds no secrets', async () => {
    for (const key of ['apiKey', 'MULTIHOP_API_KEY', 'password', 'authToken'])
      await refused(
        { [key]: 'sk-very-secret' },
        /is a secret.*environment, as MULTIHOP_MODEL_API_KEY/,
      );
    const folder = freshFolder();
    configure(folder, { apiKey: 'sk-very-secret' });
    const { err } = await run(['search', 'x'], { folder });
    assert.doesNotMatch(err, /sk-very/);
  });

  test('of any JSON ends in a result or an error that names it', async () => {
    const folder = freshFolder();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 2 }), async content => {
        configure(folder, content as unknown);
        const { code, err } = await run(['search', 'x'], { folder });
        assert.ok(code === 2 ? err.includes(CONFIGURATION_FILE) : code === 4, err);
      }),
      { numRuns: 50 },
    );
  });

  test('does not keep help from explaining', async () => {
    const folder = freshFolder();
    configure(folder, '{');
    assert.equal((await run(['search', '--help'], { folder })).code, 0);
  });
});

describe('multihop alone', () => {
  test('says what to type next, by whether there is a store', async () => {
    const folder = freshFolder();
    const first = await run([], { folder });
    assert.equal(first.code, 0);
    assert.match(
      first.out,
      /no store in this folder yet.*\n {2}multihop demo .*\n {2}multihop ing/,
    );
    mkdirSync(join(folder, '.multihop', 'store'), { recursive: true });
    const second = await run([], { folder });
    assert.match(second.out, /The store of this folder is .*\n {2}multihop ask "QUESTION"/);
  });
});

describe('completion', () => {
  test('lists commands, options, names and arguments that fit', async () => {
    assert.deepEqual(await candidates(['se']), ['search', 'serve']);
    assert.deepEqual(await candidates(['help', 'as']), ['ask']);
    assert.ok((await candidates([''])).length === commands.length + 1);
    assert.deepEqual(await candidates(['ask', '--strat']), ['--strategy']);
    const all = strategies.members.map(({ name }) => name).sort();
    assert.deepEqual(await candidates(['ask', 'Who?', '--strategy', '']), all);
    assert.deepEqual(await candidates(['eval', 'musique']), ['musique', 'musique-pooled']);
    assert.deepEqual(await candidates(['list', 'strat']), ['strategies']);
    assert.deepEqual(await candidates(['completion', 'f']), ['fish']);
  });

  test('leaves paths and texts to the shell, and options that are given out', async () => {
    assert.deepEqual(await candidates(['ask', '--store', '']), []);
    assert.deepEqual(await candidates(['ask', '']), []);
    assert.deepEqual(await candidates(['ask', 'Who?', '--store', 'x', '--stor']), []);
    assert.deepEqual(await candidates(['eval', '--measure', 'x', '--meas']), ['--measure']);
    assert.deepEqual(await candidates(['nothing', 'x']), []);
  });

  test('of any words is without an error', async () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('ask', 'eval', '--store', '-k', '--', '-'));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async words => {
        const last = words.at(-1) ?? '';
        for (const found of await candidates(words)) assert.ok(found.startsWith(last));
      }),
    );
  });

  test('works in bash', async () => {
    const { out } = await run(['completion', 'bash']);
    const script = `multihop() { local IFS=' '; printf '%s\\n' "$*"; }
${out}
COMP_WORDS=(multihop ask --str); COMP_CWORD=2; _multihop; printf '%s' "\${COMPREPLY[0]}"`;
    const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    assert.equal(said, 'completion words -- ask --str');
  });

  test('refuses other shells', async () => {
    const { code, err } = await run(['completion', 'zhs']);
    assert.equal(code, 2);
    assert.match(err, /expected one of bash, zsh, fish.*Did you mean zsh/);
  });
});
