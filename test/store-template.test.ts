/**
 * Tests the text template in a store's record: written, enforced, shown; early records without one
 * mean `header`.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { sha256 } from '../src/platform/sha256.ts';
import type { SpaceRecord } from '../src/stores/disk/manifest.ts';
import { parseManifest, printManifest } from '../src/stores/disk/manifest-file.ts';
import { Store } from '../src/stores/disk/store.ts';
import type { StoreEmbedder } from '../src/stores/disk/store-embedders.ts';
import { verifyStore } from '../src/stores/disk/verify-store.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { embeddings, ModelServer } from './providers-server.ts';
import { allowOrigin, argv, DEMO_CORPUS, freshFolder, run } from './running-command.ts';

const call = freeCall();
const TOY = 'dense(openai-compatible:toy)';
let server: ModelServer;
before(async () => {
  server = await ModelServer.start(embeddings);
  allowOrigin(server.url);
});
after(() => server.stop());
beforeEach(() => server.reset());

const toy = (): string[] => ['--embedder', 'openai-compatible:toy', '--base-url', server.url];

async function embedded(): Promise<string> {
  const store = join(freshFolder(), 'demo.store');
  const { code, err } = await run(['ingest', DEMO_CORPUS, '--store', store, ...toy()]);
  assert.equal(code, 0, err);
  server.reset();
  return store;
}

const manifestOf = (folder: string) =>
  parseManifest(folder, readFileSync(join(folder, 'store.json')));

/** Records the template of another release. */
function recorded(folder: string, template: string | undefined): void {
  const { spaces, ...rest } = manifestOf(folder);
  const changed = spaces!.map(
    ({ template: _, ...record }): SpaceRecord =>
      template === undefined ? record : { ...record, template },
  );
  writeFileSync(join(folder, 'store.json'), printManifest({ ...rest, spaces: changed }));
}

/** Returns every file of the store except cache and locks. */
const image = (folder: string): string[] =>
  readdirSync(folder)
    .filter(name => name !== 'cache' && !name.startsWith('lock'))
    .sort()
    .map(name => `${name} ${sha256(readFileSync(join(folder, name)))}`);

test('is written at ingest, under its canonical name', async () => {
  const folder = await embedded();
  assert.deepEqual(
    manifestOf(folder).spaces!.map(({ name, template }) => [name, template]),
    [['openai-compatible:toy', 'header']],
  );
});

describe('a store of another template', () => {
  for (const template of ['title-context', 'text', 'of a later release']) {
    test(`${template}: is rejected, naming both, and nothing is written`, async () => {
      const folder = await embedded();
      recorded(folder, template);
      const before = image(folder);
      for (const words of [
        ['search', 'ferry', '--store', folder, '--retriever', TOY],
        ['ask', 'Who runs the ferry?', '--store', folder, '--retriever', `fused(lexical, ${TOY})`],
        ['ingest', DEMO_CORPUS, '--store', folder, ...toy()],
        ['ingest', '--store', folder, ...toy(), '--unit', 'sentence'],
      ]) {
        const result = await run(words);
        assert.deepEqual([result.code, result.out], [6, ''], result.err);
        assert.ok(
          result.err.includes(`expected the template ${template}, received header`),
          result.err,
        );
        assert.match(result.err, /Nothing was changed/);
        assert.deepEqual(image(folder), before);
      }
      const told = await run(['search', 'ferry', '--store', folder, '--retriever', TOY, '--json']);
      assert.equal(
        (JSON.parse(told.err) as { error: { code: string } }).error.code,
        'other-template',
      );
      assert.ok(
        server.requests.every(({ body }) => body.input.length === 1),
        'no text was embedded in vain',
      );
    });
  }

  test('supports lexical search, and verify shows its template', async () => {
    const folder = await embedded();
    recorded(folder, 'title-context');
    assert.equal((await run(['search', 'ferry', '--store', folder])).code, 0);
    const { code, out } = await run(['verify', '--store', folder]);
    assert.equal(code, 0);
    assert.match(
      out,
      /other template title-context was read by openai-compatible:toy, and this release reads header/,
    );
    const { templates, ok } = JSON.parse((await run(['verify', '--store', folder, '--json'])).out);
    assert.deepEqual(
      { templates, ok },
      {
        templates: [{ space: 'openai-compatible:toy', template: 'title-context', readable: false }],
        ok: true,
      },
    );
  });

  test('is not repaired with vectors of this template', async () => {
    const folder = await embedded();
    recorded(folder, 'title-context');
    const file = join(folder, readdirSync(folder).find(name => name.startsWith('derived-'))!);
    const bytes = readFileSync(file);
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(file, bytes);
    const { err } = await run(['verify', '--store', folder, '--repair']);
    assert.match(err, /expected the template title-context, received header/);
    const { spaces, derived = [] } = manifestOf(folder);
    assert.deepEqual([spaces![0]!.template, derived.length], ['title-context', 0]);
  });

  test('rejects writes if the template changes while it is open', async () => {
    const folder = join(freshFolder(), 'open.store');
    const one: StoreEmbedder = {
      name: 'toy',
      embedder: hashedEmbedder('toy@1', 16),
      units: ['passage'],
    };
    const store = await Store.open(folder, { create: true, embedders: [one] });
    await store.put(FIXTURE_DOCUMENTS, call);
    await store.embed(call);
    await store.close();
    const { generation, spaces, ...rest } = manifestOf(folder);
    const other = spaces!.map(record => ({ ...record, template: 'text' }));
    writeFileSync(
      join(folder, 'store.json'),
      printManifest({ ...rest, generation: generation + 1, spaces: other } as never),
    );
    await store.snapshot();
    const before = image(folder);
    await assert.rejects(store.embed(call), { code: 'other-template' });
    assert.deepEqual(image(folder), before);
  });
});

test('a record without a template means header: searched without re-embedding, and completed by the next ingest', async () => {
  const folder = await embedded();
  const hits = async (): Promise<unknown> => {
    const { code, out, err } = await run(
      argv`search ferry --store ${folder} --retriever ${TOY} --json`,
    );
    assert.equal(code, 0, err);
    return (JSON.parse(out) as { hits: unknown }).hits;
  };
  const before = await hits();
  recorded(folder, undefined);
  server.reset();
  assert.deepEqual(await hits(), before);
  // One text for the dimensions, one for the query.
  assert.equal(server.requests.flatMap(({ body }) => body.input).length, 2);
  assert.deepEqual((await verifyStore(folder)).templates, [
    { space: 'openai-compatible:toy', template: 'header', readable: true },
  ]);
  assert.equal((await run(['ingest', '--store', folder, ...toy()])).code, 0);
  assert.equal(manifestOf(folder).spaces![0]!.template, 'header');
  const written = image(folder);
  assert.equal((await run(['ingest', '--store', folder, ...toy()])).code, 0);
  assert.deepEqual(image(folder), written, 'nothing is left to write');
});
