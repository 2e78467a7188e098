/** Tests that `ingest` stores the index of links, and that questions are served from it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { freeCall } from '../src/core/trace/call.ts';
import { openStore } from '../src/index.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { DOCUMENT_LINKS } from '../src/search/links/document-links.ts';
import { NEIGHBOURS } from '../src/search/ports/neighbours-port.ts';
import type { Snapshot } from '../src/search/snapshot.ts';
import { keepLinks } from '../src/session/ingest.ts';
import { type Disk, nodeDisk } from '../src/stores/disk/disk.ts';
import { Store, verifyStore } from '../src/stores/disk/index.ts';
import { LINKED_DOCUMENTS } from '../src/testing/linked-documents.ts';

const call = freeCall();
const home = mkdtempSync(join(tmpdir(), 'stored-links-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(home, `folder-${folders++}`);

function written(files: Readonly<Record<string, string>>, folder: string = newFolder()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const edgesOf = async (snapshot: Snapshot, id: string) =>
  (await snapshot.port(NEIGHBOURS)!.neighbours({ unit: 'document', ids: [id] }, call))[0]!;

const linksFile = ({ manifest }: Store) =>
  manifest.derived?.find(({ key }) => key === DOCUMENT_LINKS.key);

test('ingest stores the links, and the next one keeps them up to date', async () => {
  const docs = written({ 'a.md': '# A\n\nSee [b](b.md).\n', 'b.md': '# B\n\nWords.\n' });
  const folder = newFolder();
  const ingest = async (sync = false): Promise<Store> => {
    await using store = await openStore(folder);
    await store.ingest({ paths: [docs], sync });
    return Store.open(folder);
  };
  const first = await ingest();
  assert.equal(linksFile(first)?.behind, undefined);
  assert.equal(linksFile(first)?.documents, 2);
  assert.deepEqual(await edgesOf(await first.snapshot(), 'b.md'), [
    { to: 'a.md', label: 'link', direction: 'in', weight: 1 },
  ]);
  assert.equal(linksFile(await ingest())?.file, linksFile(first)?.file, 'nothing changed');
  written({ 'c.md': '# C\n\nSee [b](b.md) and [d](d.md).\n', 'd.md': '# D\n\n[a](a.md)\n' }, docs);
  rmSync(join(docs, 'a.md'));
  const next = await ingest(true);
  assert.equal(linksFile(next)?.behind, undefined);
  assert.deepEqual(
    (await edgesOf(await next.snapshot(), 'b.md')).map(({ to }) => to),
    ['c.md'],
  );
  assert.deepEqual(
    (await edgesOf(await next.snapshot(), 'd.md')).map(({ to }) => to),
    ['c.md'],
  );
  assert.equal((await verifyStore(folder)).ok, true);
});

test('a store of documents without structure has no index of links', async () => {
  const folder = newFolder();
  await using store = await openStore(folder);
  await store.ingest([{ id: 'a', text: 'Words.' }]);
  assert.equal(linksFile(await Store.open(folder)), undefined);
});

test('a stored index serves edges without reading the documents at their other ends', async () => {
  const folder = newFolder();
  {
    await using store = await openStore(folder);
    await store.ingest([...LINKED_DOCUMENTS]);
  }
  const read: number[] = [];
  const disk: Disk = {
    ...nodeDisk,
    open(path) {
      const bytes = nodeDisk.readNow(path);
      const readNow = (at: number, length: number): Uint8Array => {
        if (/documents-.*jsonl$/.test(path)) read.push(at);
        return bytes.subarray(at, at + length);
      };
      return { size: bytes.length, readNow };
    },
  };
  const store = await Store.open(folder, { disk });
  const snapshot = await store.snapshot();
  assert.deepEqual(read, []);
  const served = await edgesOf(snapshot, 'egret/limits.md');
  assert.ok(new Set(read).size <= 1, `only the document that is asked for, not ${read.length}`);
  const whole = new EmbeddedEngine({ documents: LINKED_DOCUMENTS }).current;
  assert.deepEqual(served, await edgesOf(whole, 'egret/limits.md'));
  assert.equal(served.length, 3);
});

test('of any order of writes the stored index equals one built at once, to the byte', async () => {
  const whole = async (ids: ReadonlySet<string>) => {
    const documents = LINKED_DOCUMENTS.filter(({ id }) => ids.has(id));
    const { current } = new EmbeddedEngine({ documents });
    return {
      current,
      packed: DOCUMENT_LINKS.pack((await current.openDerived(DOCUMENT_LINKS, call)).index),
    };
  };
  const action = fc.record({
    at: fc.nat(LINKED_DOCUMENTS.length - 1),
    what: fc.constantFrom('put', 'remove', 'change', 'keep', 'reopen'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 10 }), async actions => {
      const folder = newFolder();
      let store = await Store.open(folder, { create: true });
      const there = new Set<string>();
      for (const { at, what } of actions) {
        const document = LINKED_DOCUMENTS[at]!;
        const { id } = document;
        if (what === 'put') await store.put([document], call);
        else if (what === 'change') {
          await store.put(
            [{ ...document, outline: [{ start: 0, heading: [], links: ['x'] }] }],
            call,
          );
          await store.put([document], call);
        } else if (what === 'remove' && there.has(id)) await store.remove([id], call);
        else if (what === 'keep') await keepLinks(store, call);
        else if (what === 'reopen') store = await Store.open(folder);
        if (what === 'put' || what === 'change') there.add(id);
        else if (what === 'remove') there.delete(id);
      }
      await keepLinks(store, call);
      const again = await (await Store.open(folder)).snapshot();
      const { index } = await again.openDerived(DOCUMENT_LINKS, call);
      const { current, packed } = await whole(there);
      assert.deepEqual(DOCUMENT_LINKS.pack(index), packed);
      for (const id of there)
        assert.deepEqual(await edgesOf(again, id), await edgesOf(current, id));
    }),
    { numRuns: 25 },
  );
});
