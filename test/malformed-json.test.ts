/** Tests that malformed manifests and JSON nested too deeply are typed errors. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sha256 } from '../src/platform/sha256.ts';
import { DEMO_CORPUS, freshFolder, run } from './running-command.ts';

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const WRONG: readonly unknown[] = [
  ...JSON.parse('[null, 5, -1, 1.5, "x", "", true, [], [null], [{}], {}]'),
  undefined,
];

const BUG = /This is a bug in multihop|call stack/;

const REFUSED = ['search 4', 'verify 4', 'documents 4', 'remove 4'];

type Path = readonly (string | number)[];

/** Returns the paths of the fields of a value; of each list the first entry alone. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [0].slice(0, value.length) : Object.keys(value);
  const own = path.length === 0 ? [] : [path];
  return [...own, ...keys.flatMap(key => pathsIn(value[key as never], [...path, key]))];
}

function replaced(value: object, path: Path, by: unknown): object {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at: object, key) => at[key as never], copy);
  (parent as Record<string | number, unknown>)[path.at(-1)!] = by;
  return copy;
}

let store: string;
let trace: string;
before(async () => {
  const folder = freshFolder();
  [store, trace] = [join(folder, 'a.store'), join(folder, 'a.jsonl')];
  const words = ['--store', store, '--graph', 'names'];
  for (const line of [
    ['ingest', DEMO_CORPUS, ...words],
    ['ask', 'Who runs the harbour ferry?', '--store', store, '--trace', trace],
  ]) {
    const { code, err } = await run(line);
    assert.ok(code === 0 || code === 5 || line[0] === 'ask', err);
  }
});

const manifest = (): object => JSON.parse(readFileSync(join(store, 'store.json'), 'utf8'));

/** Returns the exits of commands over the store with this manifest. */
async function exits(content: string): Promise<string[]> {
  const copy = join(freshFolder(), 'b.store');
  cpSync(store, copy, { recursive: true });
  writeFileSync(join(copy, 'store.json'), content);
  const words = ['--store', copy];
  const lines = [
    ['search', 'ferry', ...words],
    ['verify', ...words],
    ['documents', ...words],
    ['remove', 'no-such-id', ...words],
  ];
  return Promise.all(
    lines.map(async line => {
      const { code, err } = await run(line);
      assert.ok(!BUG.test(err), `${line[0]}: ${err}`);
      return `${line[0]} ${code}`;
    }),
  );
}

describe('a malformed manifest', () => {
  test('whose checksum fits leads to typed errors, whatever field is wrong', async () => {
    const { checksum: _, ...sound } = manifest() as { readonly checksum: string };
    const failed = new Set<string>();
    for (const path of pathsIn(sound))
      for (const wrong of WRONG) {
        const text = JSON.stringify(replaced(sound, path, wrong));
        const content = JSON.parse(text) as object;
        const seen = await exits(
          JSON.stringify({ ...content, checksum: sha256(JSON.stringify(content)) }),
        );
        if (!seen.includes('verify 0')) failed.add(path.join('.'));
      }
    for (const path of ['segments.0.bytes', 'derived.0.key', 'chunker', 'documents'])
      assert.ok(failed.has(path), path);
  });

  test('names no file outside the folder of its store', async () => {
    const { checksum: _, ...sound } = manifest() as { readonly checksum: string };
    for (const file of ['../a.jsonl', '/etc/passwd', 'a/b', '..', 'C:x', 'a\\b', 'a\0b']) {
      const content = replaced(sound, ['segments', 0, 'file'], file);
      const checksum = sha256(JSON.stringify(content));
      const seen = await exits(JSON.stringify({ ...content, checksum }));
      assert.deepEqual(seen, REFUSED, file);
    }
  });

  test('that is nested too deeply is damaged', async () => {
    for (const key of Object.keys(manifest())) {
      const text = JSON.stringify({ ...manifest(), [key]: '@' }).replace('"@"', DEEP);
      assert.deepEqual(await exits(text), REFUSED, key);
    }
  });
});

test('a line of a trace that is nested too deeply is not sound', async () => {
  const lines = readFileSync(trace, 'utf8').trim().split('\n');
  for (const [at, line] of lines.entries())
    for (const key of Object.keys(JSON.parse(line))) {
      const deep = JSON.stringify({ ...JSON.parse(line), [key]: '@' }).replace('"@"', DEEP);
      const path = join(freshFolder(), 'deep.jsonl');
      writeFileSync(path, `${lines.with(at, deep).join('\n')}\n`);
      const { code, out, err } = await run(['verify-trace', path]);
      assert.ok(code !== 0 && !BUG.test(err), err);
      assert.match(out + err, /not a line of a trace/);
    }
});

test('a header of safetensors that is nested too deeply is refused', async () => {
  const header = Buffer.from(`{"a":${DEEP}}`);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const path = join(freshFolder(), 'deep.safetensors');
  writeFileSync(path, Buffer.concat([length, header]));
  const { code, err } = await run(['treehop', 'import', path, '--out', `${path}.out`]);
  assert.equal(code, 2);
  assert.match(err, /The header is not JSON/);
});
