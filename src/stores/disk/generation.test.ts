/** Tests that a manifest is read anew each time, and parsed only where it has changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeDisk } from './disk.ts';
import { manifestReader } from './generation.ts';
import { emptyManifest } from './manifest.ts';
import { printManifest } from './manifest-file.ts';

interface Folder {
  /** The text of its one file; undefined if it has none. */
  text: string | undefined;
  readonly read: ReturnType<typeof manifestReader>;
}

function folder(): Folder {
  const file: { text: string | undefined } = { text: undefined };
  const disk = {
    ...nodeDisk,
    async read(): Promise<Uint8Array<ArrayBuffer>> {
      if (file.text === undefined) throw Object.assign(new Error('none'), { code: 'ENOENT' });
      return new TextEncoder().encode(file.text);
    },
  };
  return Object.assign(file, { read: manifestReader(disk, 'store') });
}

test('a manifest that did not change is the same object; another one is parsed', async () => {
  const state = folder();
  assert.equal(await state.read(), undefined);
  state.text = printManifest(emptyManifest('whole'));
  const first = await state.read();
  assert.equal(first?.chunker, 'whole');
  assert.equal(await state.read(), first);
  state.text = printManifest({ ...emptyManifest('whole'), generation: 7 });
  assert.equal((await state.read())?.generation, 7);
  state.text = printManifest(emptyManifest('whole'));
  assert.deepEqual(await state.read(), first);
});

test('a manifest that is damaged or gone is so each time', async () => {
  const state = folder();
  state.text = printManifest(emptyManifest('whole'));
  const good = state.text;
  await state.read();
  state.text = good.replace('"generation": ', '"generation": 1');
  for (let time = 0; time < 2; time++)
    await assert.rejects(state.read(), { code: 'store-damaged' });
  state.text = undefined;
  assert.equal(await state.read(), undefined);
  state.text = good;
  assert.equal((await state.read())?.chunker, 'whole');
});
