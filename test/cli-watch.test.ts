/** Tests that `ingest --watch` follows a folder until it is interrupted, and loses nothing. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../src/cli/command-line.ts';
import { sleep } from '../src/platform/clock.ts';
import { Store } from '../src/stores/disk/store.ts';

const PATIENCE_MS = 60_000;

/** Collects what is printed. */
class Printed {
  text = '';
  isTTY = false;
  columns = 200;
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await holds()); await sleep(20))
    assert.ok(performance.now() - began < PATIENCE_MS, what);
}

async function storedTexts(store: string): Promise<string> {
  const { documents } = await (await Store.open(store)).snapshot();
  return documents.map(({ id, text }) => `${id}: ${text.trim()}`).join('; ');
}

test('follows new, changed, replaced and removed files, and ends with 0 at an interrupt', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'multihop-watch-'));
  const [notes, store] = [join(folder, 'notes'), join(folder, 'notes.store')];
  await mkdir(notes);
  await writeFile(join(notes, 'a.txt'), 'The ferry left.');
  const interrupt = new AbortController();
  const [stdout, stderr] = [new Printed(), new Printed()];
  const words = ['ingest', notes, '--store', store, '--sync', '--watch'];
  const running = main(words, { stdout, stderr, signal: interrupt.signal });
  // A failed assertion must not leave the watch running.
  t.after(() => interrupt.abort());
  const follows = async (expected: string): Promise<void> =>
    until(`${expected}, not ${await storedTexts(store)}`, async () => {
      return (await storedTexts(store)) === expected;
    });
  await until('the first ingest', () => stderr.text.includes('Watching'));
  assert.match(stdout.text, /1 read, 1 added/);
  assert.equal(await storedTexts(store), 'a.txt: The ferry left.');

  await mkdir(join(notes, 'later'));
  await writeFile(join(notes, 'later', 'b.txt'), 'Rain fell.');
  await follows('a.txt: The ferry left.; later/b.txt: Rain fell.');
  await writeFile(join(notes, 'later', 'b.txt'), 'Rain fell for two days.');
  await follows('a.txt: The ferry left.; later/b.txt: Rain fell for two days.');
  // Editors save by renaming.
  await writeFile(join(folder, 'draft'), 'The ferry came back.');
  await rename(join(folder, 'draft'), join(notes, 'a.txt'));
  await follows('a.txt: The ferry came back.; later/b.txt: Rain fell for two days.');
  await rm(join(notes, 'later'), { recursive: true });
  await follows('a.txt: The ferry came back.');

  await until('the line of the last change', () => stdout.text.includes('1 removed'));
  const before = stdout.text;
  await writeFile(join(notes, 'a.txt'), 'The ferry came back.');
  await sleep(1000);
  assert.equal(stdout.text, before, 'prints nothing where nothing changed');
  interrupt.abort(new DOMException('Interrupted', 'AbortError'));
  assert.equal(await running, 0, stderr.text);
  assert.equal(await storedTexts(store), 'a.txt: The ferry came back.');
  await rm(folder, { recursive: true });
});
