/** Tests `multihop copy` from a store to each server, from there to the other, and back. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CountingModel,
  copied,
  denseHits,
  digestOf,
  fixtureFile,
  good,
  newStore,
} from '../copy-places.ts';
import { run } from '../running-command.ts';
import { anyCluster, NEEDS_OPENSEARCH, newIndex } from './opensearch-server.ts';
import { anyServer, NEEDS_POSTGRES, newSchema } from './postgres-server.ts';

const SERVERS = [
  { name: 'OpenSearch', skip: NEEDS_OPENSEARCH, open: anyCluster, place: newIndex },
  { name: 'PostgreSQL', skip: NEEDS_POSTGRES, open: anyServer, place: newSchema },
] as const;

for (const { name, skip, open, place } of SERVERS)
  describe(`copy: a store to ${name} and back`, skip, () => {
    let server: { readonly url: string; readonly remove: () => Promise<void> };
    let model: CountingModel;
    before(async () => {
      server = await open();
      model = await CountingModel.start();
    });
    after(async () => {
      await model.stop();
      await server.remove();
    });

    test('documents and vectors are the same, and no model is asked', async () => {
      const [from, back, url] = [newStore(), newStore(), place(server.url)];
      await good('ingest', fixtureFile(3).path, '--store', from, ...model.options);
      const asked = model.texts;
      const there = await copied(from, url, '--batch', '10');
      assert.deepEqual([there.added, there.vectors], [36, ['openai-compatible:toy']]);
      assert.ok(there.agreement! > 0.9, `${there.agreement}`);
      const again = await copied(from, url);
      assert.deepEqual([again.added, again.unchanged], [0, 36]);
      const refused = await run(['copy', '--from', url, '--to', back]);
      assert.equal(refused.code, 2);
      assert.match(refused.err, /the embedder openai-compatible:toy/);
      await copied(url, back, ...model.options);
      assert.equal(await digestOf(back), await digestOf(from));
      // The dimensions of the model are asked for by one text.
      assert.equal(model.texts, asked + 1);
      const expected = await denseHits(['--store', from], model);
      assert.deepEqual(await denseHits(['--store', back], model), expected);
      const remote = ['--store', url, '--embedder', 'openai-compatible:toy'];
      assert.deepEqual(await denseHits(remote, model), expected);
    });

    test('what changed is replaced, and what is more is removed', async () => {
      const [from, url] = [newStore(), place(server.url)];
      await good('ingest', fixtureFile(2).path, '--store', from);
      await copied(from, url);
      const fewer = newStore();
      await good('ingest', fixtureFile(1).path, '--store', fewer);
      const kept = await copied(fewer, url);
      assert.deepEqual([kept.unchanged, kept.extra, kept.removed], [12, 12, 0]);
      const dry = await copied(fewer, url, '--sync', '--dry-run');
      assert.deepEqual([dry.unchanged, dry.removed], [12, 12]);
      const synced = await copied(fewer, url, '--sync');
      assert.deepEqual([synced.unchanged, synced.extra, synced.removed], [12, 0, 12]);
    });

    test('a server with another chunker, or with vectors, is refused and keeps what it has', async () => {
      const [from, url] = [newStore(), place(server.url)];
      await good('ingest', fixtureFile(1).path, '--store', from, '--chunker', 'whole');
      await good('ingest', fixtureFile(2).path, '--store', url, ...model.options);
      const first = await run(['copy', '--from', from, '--to', url]);
      assert.equal(first.code, 2);
      assert.match(first.err, /another chunker/);
      const plain = newStore();
      await good('ingest', fixtureFile(1).path, '--store', plain);
      const second = await run(['copy', '--from', plain, '--to', url]);
      assert.notEqual(second.code, 0);
      assert.match(second.err, /has other vectors/);
      const { documents } = await copied(url, newStore(), '--no-vectors');
      assert.equal(documents, 24);
    });
  });
