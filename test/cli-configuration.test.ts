/** Tests the configuration file, the default store, completion, and `multihop` alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  lchownSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { candidates } from '../src/cli/candidates.ts';
import { commands } from '../src/cli/commands.ts';
import { CONFIGURATION_FILE } from '../src/cli/configuration-file.ts';
import { strategies } from '../src/strategies/strategies.ts';
import {
  DEMO_CORPUS,
  freshFolder,
  type Result,
  refuses,
  run,
  start,
  succeeds,
} from './running-command.ts';

/** Runs a command in a folder, as a process of it would. */
const inFolder = (folder: string, ...words: string[]): Promise<Result> =>
  start(words, { cwd: folder, env: { MULTIHOP_DEBUG: '' } }).result;

function configure(folder: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, CONFIGURATION_FILE), text);
}

const KELP = 'Which company has hired the biologist of the Brannoch Institute?';

async function hits(folder: string, home = '/nowhere', ...more: string[]): Promise<number> {
  const env = { HOME: home };
  const { out, err } = await run(['search', 'kelp', '--json', ...more], { folder, env });
  assert.notEqual(out, '', err);
  return JSON.parse(out).hits.length;
}

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
    const { store } = JSON.parse(listed.out);
    assert.equal(store, join(folder, '.multihop', 'store'));
    const other = await inFolder(folder, 'documents', '--store', 'other');
    assert.match(other.err, /No store in "other"/);
  });
});

describe('the configuration', () => {
  test('gives options to every command that has them, and to one alone; words win', async () => {
    const folder = realpathSync(freshFolder());
    const below = join(folder, 'below');
    mkdirSync(below);
    mkdirSync(join(folder, '.git'));
    const store = join(folder, 'n.store');
    await succeeds(['ingest', DEMO_CORPUS, '--store', store]);
    configure(folder, { store: 'n.store', k: 7, search: { k: 2, json: undefined }, context: 'x' });
    assert.equal(await hits(below), 2);
    assert.equal(await hits(below, undefined, '-k', '3'), 3);
    configure(folder, { store: 'n.store', k: 4 });
    assert.equal(await hits(below), 4);
  });

  const SECRET = /^(?!.*sk-very).*is a secret.*environment, as MULTIHOP_MODEL_API_KEY/s;
  for (const [content, says] of [
    ['{ "store": ', /cannot be read/],
    ['[]', /expected one object/],
    [{ stroe: 'x' }, /"stroe" is no option of a command.*Did you mean --?store|store/],
    [{ serch: { k: 1 } }, /"serch" is no option.*Did you mean search/],
    [{ search: { kk: 1 } }, /"search\.kk" is no option.*Did you mean k/],
    [{ k: 'ten' }, /--k: expected a whole number/],
    [{ k: [1, 2] }, /"k" takes one value, not 2/],
    [{ store: { a: 1 } }, /"store" is no option of a command/],
    [{ store: null }, /"store" is a text or a number/],
    [{ apiKey: 'sk-very-secret' }, SECRET],
    [{ MULTIHOP_API_KEY: 'sk-very-secret' }, SECRET],
    [{ password: 'sk-very-secret' }, SECRET],
    [{ authToken: 'sk-very-secret' }, SECRET],
  ] as const)
    test(`${JSON.stringify(content)} is refused by the name of the file`, async () => {
      const folder = freshFolder();
      configure(folder, content);
      const { code, err } = await run(['search', 'x'], { folder });
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.ok(err.includes(CONFIGURATION_FILE));
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
    await succeeds(['search', '--help'], { folder });
  });
});

describe('the configuration is looked for', () => {
  /** Hits of "kelp" in the demo corpus. */
  const ALL = 5;
  /** A folder above, the root with a store, and a folder below. */
  async function folders(): Promise<{ above: string; root: string; below: string }> {
    const above = realpathSync(freshFolder());
    const root = join(above, 'root');
    const below = join(root, 'below', 'deep');
    mkdirSync(below, { recursive: true });
    const store = join(root, '.multihop', 'store');
    await succeeds(['ingest', DEMO_CORPUS, '--store', store]);
    return { above, root, below };
  }

  test('up to the root of the repository, be .git a folder or a file', async () => {
    for (const isFolder of [true, false]) {
      const { above, root, below } = await folders();
      if (isFolder) mkdirSync(join(root, '.git'));
      else writeFileSync(join(root, '.git'), 'gitdir: elsewhere');
      configure(above, { k: 1 });
      assert.equal(await hits(below), ALL, 'above the root');
      configure(root, { k: 2 });
      assert.equal(await hits(below), 2, 'in the root');
      configure(below, { k: 3 });
      assert.equal(await hits(below), 3, 'in the working folder');
    }
  });

  test('up to the home folder, and not above', async () => {
    const { above, root, below } = await folders();
    configure(above, { k: 1 });
    assert.equal(await hits(below, root), ALL);
    configure(root, { k: 2 });
    assert.equal(await hits(below, root), 2);
    symlinkSync(root, join(above, 'home'));
    assert.equal(await hits(below, join(above, 'home')), 2, 'a home that is a link');
  });

  test('elsewhere in the working folder only', async () => {
    const { above, root, below } = await folders();
    for (const folder of [above, root, join(root, 'below')]) configure(folder, { k: 1 });
    assert.equal(await hits(below), ALL);
    configure(below, { k: 3 });
    assert.equal(await hits(below), 3);
  });

  const noOwners = process.getuid?.() === 0 ? false : 'only root can give files away';
  test('and named and not read if another user owns it', { skip: noOwners }, async () => {
    const { root, below } = await folders();
    mkdirSync(join(root, '.git'));
    configure(root, { k: 2 });
    const theirs = join(below, CONFIGURATION_FILE);
    writeFileSync(theirs, '{');
    chownSync(theirs, 12_345, 12_345);
    assert.equal(await hits(below), 2, 'the next one above is read');
    const { err } = await run(['search', 'kelp'], { folder: below });
    assert.ok(err.includes(`Not read, since another user owns it: ${theirs}`), err);
    assert.ok(!(await run(['search', 'kelp', '-q'], { folder: below })).err.includes(theirs));
    const link = join(root, 'below', CONFIGURATION_FILE);
    symlinkSync(join(root, CONFIGURATION_FILE), link);
    lchownSync(link, 12_345, 12_345);
    const linked = await run(['search', 'kelp'], { folder: join(root, 'below') });
    assert.ok(linked.err.includes(`owns it: ${link}`), linked.err);
  });

  test('and named once if it is read, on stderr alone, unless --quiet', async () => {
    const { root } = await folders();
    const said = `settings from ${join(root, CONFIGURATION_FILE)}\n`;
    const count = async (...words: string[]): Promise<number> => {
      const { out, err } = await run(words, { folder: root });
      assert.ok(!out.includes('settings from'));
      return err.split(said).length - 1;
    };
    configure(root, { search: { k: 2 } });
    assert.equal(await count('search', 'kelp'), 1);
    assert.equal(await count('search', 'kelp', '--json'), 1);
    assert.equal(await count('search', 'kelp', '-q'), 0);
    assert.equal(await count('documents'), 0, 'nothing of it is used');
    assert.equal(await count('search', '--help'), 0);
  });

  test('as a file: a pipe or a folder of its name is refused at once', async () => {
    const folder = freshFolder();
    execFileSync('mkfifo', [join(folder, CONFIGURATION_FILE)]);
    const piped = await run(['search', 'x'], { folder });
    assert.match(piped.err, /cannot be read: .*a device or a pipe/);
    const other = freshFolder();
    mkdirSync(join(other, CONFIGURATION_FILE));
    assert.match((await run(['search', 'x'], { folder: other })).err, /cannot be read: .*a folder/);
  });
});

describe('multihop alone', () => {
  test('says what to type next, by whether there is a store', async () => {
    const folder = freshFolder();
    const first = await succeeds([], { folder });
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
  const all = strategies.members.map(({ name }) => name).sort();
  for (const [words, found] of [
    ['se', ['search', 'serve']],
    ['help as', ['ask']],
    ['ask --strat', ['--strategy']],
    ['ask Who? --strategy ', all],
    ['eval musique', ['musique', 'musique-pooled']],
    ['list strat', ['strategies']],
    ['completion f', ['fish']],
    // Paths and texts are left to the shell, and options are offered once.
    ['ask --store ', []],
    ['ask ', []],
    ['ask Who? --store x --stor', []],
    ['eval --measure x --meas', ['--measure']],
    ['nothing x', []],
  ] as const)
    test(`offers ${found.length} words for "${words}"`, async () => {
      assert.deepEqual(await candidates(commands, words.split(' ')), found);
    });

  test('offers every command, and help', async () => {
    assert.equal((await candidates(commands, [''])).length, commands.length + 1);
  });

  test('of any words is without an error', async () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('ask', 'eval', '--store', '-k', '--', '-'));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async words => {
        const last = words.at(-1) ?? '';
        for (const found of await candidates(commands, words)) assert.ok(found.startsWith(last));
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
    await refuses(['completion', 'zhs'], /expected one of bash, zsh, fish.*Did you mean zsh/);
  });
});
