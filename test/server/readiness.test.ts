/** Takes the store of a server away, and gives it back. */
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { mock, test } from 'node:test';
import { nodeDisk } from '../../src/stores/disk/disk.ts';
import { serveShips } from './served-store.ts';

interface Problem {
  readonly code: string;
  readonly detail: string;
}

const DOCUMENT = { id: 'knot', text: 'The Knot is a barge of the Harbour Trust.' };

test('a server whose folder is gone is not ready until the folder is back', async () => {
  const { server, send, folder } = await serveShips();
  await using _ = server;
  assert.deepEqual(await (await send('/ready')).json(), { status: 'ready', documents: 3 });
  renameSync(folder, `${folder}-away`);
  const gone = await send('/ready');
  assert.equal(gone.status, 503);
  const { code, detail } = (await gone.json()) as Problem;
  assert.equal(code, 'no-store');
  assert.doesNotMatch(detail, /\//);
  assert.equal((await send('/health')).status, 200);
  assert.match(await (await send('/metrics')).text(), /\nmultihop_documents NaN\n/);
  renameSync(`${folder}-away`, folder);
  assert.deepEqual(await (await send('/ready')).json(), { status: 'ready', documents: 3 });
});

test('writes that failed while the folder was gone succeed once it is back', async () => {
  const { server, send, folder } = await serveShips();
  await using _ = server;
  renameSync(folder, `${folder}-away`);
  for (let count = 0; count < 2; count++) {
    const failed = await send('/v1/documents', { body: { documents: [DOCUMENT] } });
    assert.equal(failed.status, 503);
  }
  renameSync(`${folder}-away`, folder);
  const stored = await send('/v1/documents', { body: { documents: [DOCUMENT] } });
  assert.equal(stored.status, 200, await stored.clone().text());
  const found = await send('/v1/search', { body: { query: 'Knot barge' } });
  const { hits } = (await found.json()) as { readonly hits: readonly { readonly id: string }[] };
  assert.equal(hits[0]!.id, 'knot');
});

test('looks for the store are shared, and end where the disk does not answer', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  const read = mock.method(nodeDisk, 'read');
  try {
    const answers = await Promise.all(Array.from({ length: 100 }, () => send('/ready')));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(read.mock.callCount() <= 2, String(read.mock.callCount()));
    const hanging = Promise.withResolvers<never>();
    read.mock.mockImplementation(() => hanging.promise);
    const slow = await Promise.all(Array.from({ length: 100 }, () => send('/ready')));
    assert.ok(slow.every(({ status }) => status === 503));
    assert.equal(((await slow[0]!.json()) as Problem).code, 'store-unreadable');
    read.mock.restore();
    hanging.reject(Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'read' }));
    assert.equal((await send('/ready')).status, 200);
  } finally {
    read.mock.restore();
  }
});
