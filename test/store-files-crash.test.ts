/**
 * Tests that a store that dies between any two steps never loses which file a document came from,
 * and never takes a file for read whose documents are not stored.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { readManifest } from '../src/stores/disk/generation.ts';
import {
  type KnownFiles,
  readSources,
  type SourceRecord,
} from '../src/stores/disk/source-files.ts';
import { Store } from '../src/stores/disk/store.ts';
import { CrashingDisk, Died, randomOf } from './oracles/crashing-disk.ts';

const FOLDER = '/store';
const ROOTS = [{ name: 'notes', bare: true as const, at: '../notes', sha256: '0' }];
/** Files of the workload and the ids of their documents. */
const FILES: Readonly<Record<string, readonly string[]>> = { one: ['a', 'b'], two: ['c', 'd'] };

const documentOf = (id: string, version = 1): Document => ({
  id,
  title: '',
  text: `Ferry ${id}`,
  metadata: { version },
});

/** The digest of a file stands for the versions of its documents. */
function recordOf(path: string, versions: readonly number[]): SourceRecord {
  const read = { size: 1, modified: 1, sha256: versions.join(), by: 'test' };
  return { root: 'notes', path, id: path, ids: FILES[path]!, read };
}

function partOf(path: string, ids: readonly string[]): SourceRecord & { readonly more: true } {
  return { root: 'notes', path, id: path, ids, more: true };
}

async function workload(disk: CrashingDisk): Promise<void> {
  const store = await Store.open(FOLDER, { create: true, disk });
  const put = (documents: Document[], line: SourceRecord): Promise<unknown> =>
    store.put(documents, freeCall(), { roots: ROOTS, lines: [line] });
  await put([documentOf('a'), documentOf('b')], recordOf('one', [1, 1]));
  await put([documentOf('c')], partOf('two', ['c']));
  await put([documentOf('d')], recordOf('two', [1, 1]));
  // A document that a program replaces is no longer the file's.
  await store.put([documentOf('a', 2)], freeCall());
  await put([documentOf('b', 2)], recordOf('one', [2, 2]));
  await store.remove(['c'], freeCall());
  await store.recordFiles(freeCall(), known => ({
    roots: ROOTS,
    lines: [...known.records.values()],
  }));
  await store.close();
}

interface State {
  readonly documents: ReadonlyMap<string, Document>;
  readonly known: KnownFiles;
}

async function stateOf(disk: CrashingDisk): Promise<State | undefined> {
  const manifest = await readManifest(disk, FOLDER);
  if (!manifest) return undefined;
  const store = await Store.open(FOLDER, { disk });
  const { documents } = await store.snapshot();
  const fail = (warning: { readonly message: string }): never => assert.fail(warning.message);
  const known = await readSources(disk, FOLDER, manifest, fail);
  assert.deepEqual((await store.verify()).problems, []);
  return { documents: new Map(documents.map(one => [one.id, one])), known };
}

function check({ documents, known }: State, place: string): void {
  const held = [...known.records.values()].flatMap(({ ids }) => ids);
  const unheld = [...documents.values()].filter(({ id }) => !held.includes(id));
  const replaced = unheld.every(({ id, metadata }) => id === 'a' && metadata['version'] === 2);
  assert.ok(replaced, `${place}: no file holds ${unheld.map(({ id }) => id)}`);
  assert.deepEqual(
    held.filter(id => !documents.has(id)),
    [],
    `${place}: ids that are not stored`,
  );
  if (documents.size > 0) assert.deepEqual(known.roots, ROOTS, place);
  for (const { path, read } of known.records.values()) {
    if (!read) continue;
    const versions = FILES[path]!.map(id => documents.get(id)?.metadata['version']);
    assert.equal(read.sha256, versions.join(), `${place}: ${path} counts as read`);
  }
}

async function dieAt(step: number): Promise<CrashingDisk> {
  const disk = new CrashingDisk();
  disk.failAt = step;
  await assert.rejects(workload(disk), Died);
  return disk;
}

test('after the workload a changed and a removed document leave their files unread', async () => {
  const disk = new CrashingDisk();
  await workload(disk);
  const { known } = (await stateOf(disk))!;
  const read = [...known.records.values()].map(record => [record.path, record.ids, !!record.read]);
  assert.deepEqual(read, [
    ['one', ['a', 'b'], true],
    ['two', ['d'], false],
  ]);
});

test('kill -9 and a power cut before every step leave files and documents in agreement', async () => {
  const whole = new CrashingDisk();
  await workload(whole);
  assert.ok(whole.steps > 60, `${whole.steps} steps`);
  for (let step = 0; step < whole.steps; step++) {
    const killed = await stateOf((await dieAt(step)).afterKill());
    if (killed) check(killed, `killed before step ${step}`);
    for (let seed = 1; seed <= 3; seed++) {
      const cut = await stateOf((await dieAt(step)).afterPowerCut(randomOf(step * 10 + seed)));
      if (cut) check(cut, `power cut before step ${step}, seed ${seed}`);
    }
  }
});
