/** Tests `multihop copy` between stores: equal, resumable, online, refused where it cannot be. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { Place } from '../src/search/place.ts';
import { openPlace } from '../src/session/places/open-place.ts';
import { copyDocuments } from '../src/stores/copying/copy-documents.ts';
import { Store } from '../src/stores/disk/index.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import {
  CountingModel,
  copied,
  denseHits,
  digestOf,
  fixtureFile,
  good,
  newStore,
} from './copy-places.ts';
import { argv, demoStore, printed, refuses, run, start } from './running-command.ts';

const call = freeCall();
const placeOf = (folder: string): Promise<Place> => openPlace(folder, { env: {} });
const targetAt = (folder: string) => (chunker: string) =>
  openPlace(folder, { env: {}, create: true, chunker });
/** The place, but for what is changed. */
const changedPlace = (place: Place, changes: Partial<Place>): Place =>
  Object.assign(Object.create(place), changes);
const OPTIONS = { batch: 3, sample: 5, sync: false, vectors: true, dryRun: false, models: [] };
/** A store with the fixture, and the path of another that is not there. */
async function stores(...words: string[]): Promise<readonly [from: string, to: string]> {
  const from = newStore();
  await good('ingest', fixtureFile().path, '--store', from, ...words);
  return [from, newStore()];
}

describe('copy: from store to store', () => {
  test('holds the same, answers the same, and writes nothing twice', async () => {
    const [from, to] = [await demoStore(), newStore()];
    const first = await copied(from, to, '--batch', '7');
    assert.deepEqual([first.added, first.unchanged, first.agreement], [44, 0, 1]);
    assert.equal(await digestOf(to), await digestOf(from));
    const question =
      "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?";
    const asked = async (store: string): Promise<unknown> => {
      const result = await printed(['ask', question, '--store', store]);
      // Paths of files stay behind.
      return JSON.parse(
        JSON.stringify([result.answer, result.citations, result.evidence]),
        (key, value) => (key === 'path' ? undefined : value),
      );
    };
    assert.deepEqual(await asked(to), await asked(from));
    const again = await copied(from, to);
    assert.deepEqual([again.added, again.unchanged, again.checksum], [0, 44, first.checksum]);
    await good('verify', '--store', to);
  });

  test('replaces what changed, names what is more, and removes it when asked to', async () => {
    const [from, to] = await stores();
    await copied(from, to);
    {
      await using store = await Store.open(to);
      const changed = { ...FIXTURE_DOCUMENTS[0]!, id: `${FIXTURE_DOCUMENTS[0]!.id}-0` };
      const more = { id: 'more', title: '', text: 'One more.', metadata: {} };
      await store.put([more, { ...changed, text: 'Another text.' }], call);
    }
    const dry = await copied(from, to, '--sync', '--dry-run');
    assert.deepEqual([dry.added, dry.changed, dry.removed, dry.agreement], [0, 1, 1, undefined]);
    const kept = await copied(from, to);
    assert.deepEqual([kept.changed, kept.removed, kept.extra], [1, 0, 1]);
    assert.notEqual(await digestOf(to), await digestOf(from));
    const synced = await copied(from, to, '--sync');
    assert.deepEqual([synced.changed, synced.removed, synced.extra], [0, 1, 0]);
    assert.equal(await digestOf(to), await digestOf(from));
  });

  test('a dry run writes nothing', async () => {
    const [from, to] = [await demoStore(), newStore()];
    const { added, agreement } = await copied(from, to, '--dry-run');
    assert.deepEqual([added, agreement, existsSync(to)], [44, undefined, false]);
  });

  test('goes on where it was killed', async () => {
    const [from, to] = [newStore(), newStore()];
    const { path, documents } = fixtureFile(40);
    await good('ingest', path, '--store', from);
    const { child, result } = start(['copy', '--from', from, '--to', to, '--batch', '1']);
    const stored = async (): Promise<number> =>
      existsSync(`${to}/store.json`) ? (await Store.open(to)).manifest.documents : 0;
    while ((await stored()) < 5) await wait(5);
    child.kill('SIGKILL');
    await result;
    const before = await stored();
    assert.ok(before >= 5 && before < documents, `${before} of ${documents}`);
    const { added, unchanged } = await copied(from, to);
    assert.deepEqual([unchanged, added], [before, documents - before]);
    assert.equal(await digestOf(to), await digestOf(from));
  });

  test('reads one state of a source that others write to', async () => {
    const [from, to] = await stores();
    const expected = await digestOf(from);
    const other = await Store.open(from);
    let writes = 0;
    const writing = async (chunker: string): Promise<Place> => {
      const target = await targetAt(to)(chunker);
      return changedPlace(target, {
        async put(documents, context) {
          if (documents.length > 0) {
            const id = `later-${writes++}`;
            await other.put([{ id, title: '', text: 'Written meanwhile.', metadata: {} }], call);
            await other.remove([`${FIXTURE_DOCUMENTS[writes]!.id}-0`], call);
          }
          return target.put(documents, context);
        },
      });
    };
    await using source = await placeOf(from);
    const { added } = await copyDocuments({ ...OPTIONS, from: source, to: writing }, call);
    assert.deepEqual([added, writes], [FIXTURE_DOCUMENTS.length, 4]);
    assert.equal(await digestOf(to), expected);
  });

  for (const [lie, says] of [
    ['forgets', 'missing'],
    ['changes', '1 changed'],
  ] as const)
    test(`notices a target that ${lie} what was written`, async () => {
      const [from, to] = await stores();
      const lying = async (chunker: string): Promise<Place> => {
        const target = await targetAt(to)(chunker);
        return changedPlace(target, {
          async snapshot() {
            const snapshot = await target.snapshot();
            return {
              ...snapshot,
              async page(request, context) {
                const page = await snapshot.page(request, context);
                const [first, ...rest] = page;
                if (!first || request.after !== undefined) return page;
                return lie === 'forgets' ? rest : [{ ...first, text: `${first.text} ` }, ...rest];
              },
            };
          },
        });
      };
      await using source = await placeOf(from);
      const copying = copyDocuments({ ...OPTIONS, from: source, to: lying }, call);
      const error = await copying.then(
        () => assert.fail('copied'),
        (thrown: unknown) => thrown,
      );
      assert.ok(PortError.is(error) && error.code === 'copy-differs', String(error));
      assert.ok(error.message.includes(says), error.message);
    });
});

describe('copy: what it refuses', () => {
  test('a target with another chunker, before anything is written', async () => {
    const [to, from] = [(await stores('--chunker', 'whole'))[0], await demoStore()];
    const before = await digestOf(to);
    for (const dry of [[], ['--dry-run']])
      await refuses(argv`copy --from ${from} --to ${to} ${dry}`, /uses another chunker/);
    assert.equal(await digestOf(to), before);
  });

  for (const [what, from, to, says, code] of [
    ['a source that is no store', newStore(), newStore(), /no store/i, 4],
    ['one place twice', 'some.store', 'some.store', /two places/, 2],
    ['an unknown kind of server', 'ftp://x/y', newStore(), /ftp/, 2],
  ] as const)
    test(what, () => refuses(['copy', '--from', from, '--to', to], says, { code }));

  test('a server that is misspelt', async () => {
    const says = /expected opensearch:\/\/.*postgres:\/\/\/typo/;
    await refuses(['copy', '--from', await demoStore(), '--to', 'postgres:/typo'], says);
  });
});

describe('copy: vectors', () => {
  let model: CountingModel;
  before(async () => {
    model = await CountingModel.start();
  });
  after(() => model.stop());

  test('travel without a model, and find what they found', async () => {
    const [from, to] = await stores(...model.options, ...argv`--unit passage --unit sentence`);
    await good('ingest', '--store', from, '--graph', 'names');
    const asked = model.texts;
    assert.ok(asked > 0);
    const { vectors, leftOut } = await copied(from, to, '--batch', '5');
    assert.deepEqual([vectors, leftOut], [['openai-compatible:toy'], ['the graph']]);
    assert.equal(model.texts, asked);
    const [there, here] = [
      await denseHits(['--store', to], model),
      await denseHits(['--store', from], model),
    ];
    assert.deepEqual(there, here);
    // Each search asks for the dimensions and for its query, again where two texts are equal.
    assert.equal(model.texts, asked + 6);
    assert.deepEqual((await copied(from, newStore(), '--no-vectors')).vectors, []);
  });

  test('are refused where the source lacks some of them, before anything is written', async () => {
    const [from, to] = await stores(...model.options);
    await good('ingest', fixtureFile(2).path, '--store', from);
    const says = /lacks vectors of openai-compatible:toy/;
    await refuses(['copy', '--from', from, '--to', to], says, { code: 1 });
    assert.ok(!existsSync(to));
  });

  test('are refused by a store of another model, before anything is written', async () => {
    const [from, to] = await stores(...model.options);
    const other = ['--embedder', 'openai-compatible:other', ...model.options.slice(2)];
    await good('ingest', fixtureFile(2).path, '--store', to, ...other);
    const before = await digestOf(to);
    const { code, err } = await run(['copy', '--from', from, '--to', to]);
    assert.equal(code, 6, err);
    assert.equal(await digestOf(to), before);
  });
});
