/**
 * Tests derived indexes: entities in memory and in a store - built, extended, reduced, stored,
 * reopened, damaged, behind - and the laws of every kind.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { ruleClaims } from '../src/planning/claims/rule-claims.ts';
import { claimBase } from '../src/search/claims/stored-claims.ts';
import {
  type DerivedIndex,
  type DerivedSource,
  fingerprint,
  packDerived,
  packText,
  unpackDerived,
} from '../src/search/derived/derived-index.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { nearestSentences } from '../src/search/graphs/nearest-sentences.ts';
import { type SentenceEntities, sentenceEntities } from '../src/search/graphs/sentence-entities.ts';
import { DOCUMENT_LINKS } from '../src/search/links/document-links.ts';
import { documentVectors } from '../src/search/vectors/document-vectors.ts';
import { textTemplates } from '../src/search/vectors/text-templates.ts';
import { Store, verifyStore } from '../src/stores/disk/index.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { freshFolder } from './fresh-folder.ts';

const call = freeCall();

type Names = SentenceEntities;
const names = sentenceEntities();
const others = DOCUMENT_LINKS as DerivedIndex;

const [first, second] = FIXTURE_DOCUMENTS;
const added: Document = { ...first!, id: 'added', text: 'Orla met Tamsin in Vell.' };
const sourceOf = (documents: readonly Document[]): DerivedSource =>
  new EmbeddedEngine({ documents, chunker: 'sentences(per=1)' }).current.derivedSource;
const built = <T>(index: DerivedIndex<T>, documents: readonly Document[]): Promise<T> =>
  index.add(index.empty(), documents, sourceOf(documents), call);
const found = (index: Names): unknown => [...index].sort();
const expected = async (documents: readonly Document[]): Promise<unknown> =>
  found(await built(names, documents));

describe('in memory', () => {
  test('is built once, extended and reduced; an older snapshot keeps its index', async () => {
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    const before = await engine.snapshot();
    const opened = async (snapshot = before) =>
      found((await snapshot.openDerived(names, call)).index);
    assert.deepEqual(await opened(), await expected([first!, second!]));
    await engine.put([added, { ...second!, text: 'Nobody.' }], call);
    await engine.remove([first!.id], call);
    assert.deepEqual(
      await opened(engine.current),
      await expected([added, { ...second!, text: 'Nobody.' }]),
    );
    assert.deepEqual(await opened(), await expected([first!, second!]));
  });

  /** Remembers the ids that are added; refuses those that the index has already. */
  const recorded = (ids: string[][]): DerivedIndex<Names> => ({
    ...names,
    async add(index, documents, source, adding) {
      await new Promise(resolve => setImmediate(resolve));
      for (const { id } of documents) assert.ok(!index.has(id), `${id} is added twice`);
      ids.push(documents.map(({ id }) => id));
      return names.add(index, documents, source, adding);
    },
  });

  test('opened twice at once it adds each document once', async () => {
    const calls: string[][] = [];
    const index = recorded(calls);
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    const before = await engine.snapshot();
    await engine.put([added], call);
    const now = await engine.snapshot();
    const opened = await Promise.all(
      [before, now, before, now].map(snapshot => snapshot.openDerived(index, call)),
    );
    assert.deepEqual(calls, [[first!.id, second!.id].sort(), ['added']]);
    const [fewer, more] = [
      await expected([first!, second!]),
      await expected([first!, second!, added]),
    ];
    assert.deepEqual(
      opened.map(opening => found(opening.index)),
      [fewer, more, fewer, more],
    );
  });

  test('opened twice at once it is built once, and each opening ends at its own limit', async () => {
    const calls: string[][] = [];
    const { current } = new EmbeddedEngine({ documents: [first!, second!] });
    const index = recorded(calls);
    const ended = new AbortController();
    const opening = current.openDerived(index, freeCall(ended.signal));
    const two = current.openDerived(index, call);
    ended.abort(new Error('its time is over'));
    await assert.rejects(opening, /its time is over/);
    assert.deepEqual(found((await two).index), await expected([first!, second!]));
    assert.equal(calls.length, 1);
  });

  test('a changed document is removed before it is added, a removed one is forgotten', async () => {
    const calls: string[][] = [];
    const index = recorded(calls);
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    await engine.current.openDerived(index, call);
    await engine.put([{ ...second!, text: 'Nobody.' }], call);
    await engine.current.openDerived(index, call);
    await engine.remove([first!.id], call);
    await engine.put([first!], call);
    await engine.current.openDerived(index, call);
    assert.deepEqual(calls.slice(1), [[second!.id], [first!.id]]);
  });

  test('a stored one that cannot be unpacked is reported and built again', async () => {
    const damaged: string[] = [];
    const packed = packDerived(names, new Map(), new Map());
    const other = { ...packed, header: { ...packed.header, index: { format: 'names-0' } } };
    const engine = new EmbeddedEngine({
      documents: [first!],
      derived: { read: () => other, damaged: key => damaged.push(key) },
    });
    const { index } = await engine.current.openDerived(names, call);
    assert.deepEqual([found(index), damaged], [await expected([first!]), [names.key]]);
  });
});

describe('in a store', () => {
  const opened = (folder: string, warned: string[] = []): Promise<Store> =>
    Store.open(folder, { create: true, onWarning: ({ code }) => warned.push(code) });
  const filled = async (folder: string): Promise<Store> => {
    const store = await opened(folder);
    await store.put([first!, second!], call);
    await store.keep(names as DerivedIndex, call);
    await store.keep(others, call);
    return store;
  };
  const read = async (store: Store, index = names): Promise<unknown> =>
    found((await (await store.snapshot()).openDerived(index, call)).index);
  const behindIn = async (folder: string, index = names) =>
    (await verifyStore(folder)).stale.find(({ key }) => key === index.key);

  test('is stored with checksum and documents, and reopened without a build', async () => {
    const folder = freshFolder();
    const { manifest } = await filled(folder);
    assert.deepEqual(
      manifest.derived!.map(({ key, documents, behind }) => [key, documents, behind]),
      [
        [names.key, 2, undefined],
        [others.key, 2, undefined],
      ],
    );
    const never = { ...names, empty: () => assert.fail('built'), add: () => assert.fail('added') };
    assert.deepEqual(await read(await opened(folder), never), await expected([first!, second!]));
    assert.deepEqual((await verifyStore(folder)).problems, []);
  });

  test('is extended and reduced; verify reports what it lacks, and rebuild adds it', async () => {
    const folder = freshFolder();
    const store = await filled(folder);
    await store.put([added], call);
    await store.remove([first!.id], call);
    const reader = await opened(folder);
    assert.deepEqual(await read(reader), await expected([added, second!]));
    const lacking = { key: names.key, documents: 1, added: 1, changed: 0, removed: 0 };
    assert.deepEqual(await behindIn(folder), lacking);
    await reader.rebuild(call);
    const report = await verifyStore(folder);
    assert.deepEqual([report.problems, report.stale], [[], []]);
    assert.deepEqual(await read(await opened(folder)), await expected([added, second!]));
  });

  test('a changed document leaves it behind by one, until it is rebuilt', async () => {
    const folder = freshFolder();
    const store = await filled(folder);
    const changed = { ...second!, text: 'Orla met Tamsin.' };
    await store.put([changed], call);
    const lacking = { key: names.key, documents: 1, added: 1, changed: 0, removed: 0 };
    assert.deepEqual(await behindIn(folder), lacking);
    await store.rebuild(call);
    const report = await verifyStore(folder);
    assert.deepEqual([report.problems, report.stale], [[], []]);
    assert.deepEqual(await read(await opened(folder)), await expected([first!, changed]));
  });

  test('one of documents that another process replaced meanwhile is not kept', async () => {
    const folder = freshFolder();
    const store = await opened(folder);
    await store.put([first!, second!], call);
    const other = await opened(folder);
    const slow: DerivedIndex<Names> = {
      ...names,
      async add(index, documents, source, building) {
        await other.put([added], call);
        return names.add(index, documents, source, building);
      },
    };
    await store.keep(slow as DerivedIndex, call);
    await store.snapshot();
    assert.deepEqual([store.manifest.documents, store.manifest.derived ?? []], [3, []]);
  });

  test('a damaged file is left out of the next generation that another index is written in', async () => {
    for (const write of ['keep', 'writeIndexes'] as const) {
      const folder = freshFolder();
      const store = await filled(folder);
      await store.put([added], call);
      const { file } = store.manifest.derived!.find(({ key }) => key === names.key)!;
      writeFileSync(join(folder, file), 'damaged');
      if (write === 'keep') await store.keep(others, call);
      else await store.writeIndexes();
      assert.deepEqual(
        store.manifest.derived!.map(({ key }) => key),
        [others.key],
        write,
      );
    }
  });

  test('a damaged file is reported, rebuilt by its reader, and rewritten by rebuild', async () => {
    const folder = freshFolder();
    const { manifest } = await filled(folder);
    for (const { file } of manifest.derived!) {
      const bytes = readFileSync(join(folder, file));
      bytes[bytes.length - 12]! ^= 1;
      writeFileSync(join(folder, file), bytes);
    }
    assert.deepEqual(
      (await verifyStore(folder)).problems.map(({ effect }) => effect),
      ['rebuilt', 'rebuilt'],
    );
    const warned: string[] = [];
    const store = await opened(folder, warned);
    assert.deepEqual(await read(store), await expected([first!, second!]));
    assert.deepEqual(warned, ['derived-damaged']);
    await store.rebuild(call);
    assert.deepEqual((await verifyStore(folder)).problems, []);
  });

  test('an unknown kind is a typed error', async () => {
    const folder = freshFolder();
    const store = await opened(folder);
    await store.put([first!, second!], call);
    await store.keep({ ...names, key: 'strange document' } as DerivedIndex, call);
    await assert.rejects(store.remove([first!.id], call), {
      code: 'unknown-derived-index',
      message: /"strange document".*one of vectors, links, entities/,
    });
    assert.match((await verifyStore(folder)).problems[0]!.problem, /Unknown derived index/);
  });
});

describe('laws', () => {
  const template = textTemplates.create('header');
  const incremental: readonly (readonly [string, () => DerivedIndex<never>])[] = [
    [
      'vectors',
      () => documentVectors(hashedEmbedder('toy', 8), 'passage', template) as DerivedIndex<never>,
    ],
    ['entities', () => sentenceEntities() as DerivedIndex<never>],
    ['claims', () => claimBase(ruleClaims) as DerivedIndex<never>],
    // Dimensions that are no multiple of 4 are searched in another way.
    ...[8, 6].map((dimensions): readonly [string, () => DerivedIndex<never>] => [
      `nearest of ${dimensions} dimensions`,
      () => nearestSentences(hashedEmbedder('toy', dimensions), template) as DerivedIndex<never>,
    ]),
  ];
  for (const [name, make] of incremental)
    test(`${name}: any order of additions and removals yields the bytes of one build`, async () => {
      const step = fc.record({
        at: fc.nat({ max: FIXTURE_DOCUMENTS.length - 1 }),
        adds: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
          const derived = make();
          const all = sourceOf(FIXTURE_DOCUMENTS);
          const there = new Map<string, Document>();
          let index = derived.empty();
          for (const { at, adds } of steps) {
            const document = FIXTURE_DOCUMENTS[at]!;
            if (adds && !there.has(document.id)) {
              index = await derived.add(index, [document], all, call);
              there.set(document.id, document);
            } else if (!adds && there.delete(document.id))
              index = derived.remove(index, new Set([document.id]));
          }
          const once = await built(derived, [...there.values()]);
          assert.deepEqual(derived.pack(index), derived.pack(once));
        }),
        { numRuns: 40 },
      );
    });

  for (const derived of incremental.map(([, make]) => make()))
    test(`${derived.key}: unpacking and packing keeps the bytes; other bytes are a typed error`, async () => {
      for (const documents of [FIXTURE_DOCUMENTS, [first!], []]) {
        const index = await built(derived, documents);
        const members = new Map(documents.map(document => [document.id, fingerprint(document)]));
        const packed = packDerived(derived, index, members);
        const again = unpackDerived(derived, packed);
        assert.deepEqual(packDerived(derived, again.index, again.members), packed);
        const { members: _, ...arrays } = packed.arrays;
        assert.throws(() => unpackDerived(derived, { ...packed, arrays }), { code: 'bad-index' });
        assert.throws(() => unpackDerived(derived, { ...packed, header: {} }), {
          code: 'bad-index',
        });
        const header = { ...packed.header, index: { format: 'other' } };
        assert.throws(() => unpackDerived(derived, { ...packed, header }), { code: 'bad-index' });
      }
    });

  test('claims of another shape are a typed error', () => {
    const index = claimBase(ruleClaims);
    const header = { format: 'multihop-claims-1' };
    const parts = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.tuple(fc.string(), fc.array(fc.jsonValue()))),
    );
    fc.assert(
      fc.property(parts, value => {
        const packed = { header, arrays: { claims: packText(value) } };
        try {
          assert.deepEqual(index.pack(index.unpack(packed)).header, header);
        } catch (error) {
          assert.equal((error as { readonly code?: string }).code, 'bad-index');
        }
      }),
    );
  });

  test('fingerprints depend on title, text and metadata, not on the order of keys', () => {
    const document: Document = { id: 'a', title: 'T', text: 'x', metadata: { a: 1, b: 'y' } };
    const others: Document[] = [
      { ...document, title: 'U' },
      { ...document, text: 'xx' },
      { ...document, title: 'Tx', text: '' },
      { ...document, metadata: { a: 1 } },
      { ...document, metadata: { a: '1', b: 'y' } },
    ];
    for (const other of others) assert.notEqual(fingerprint(other), fingerprint(document));
    assert.equal(fingerprint({ ...document, metadata: { b: 'y', a: 1 } }), fingerprint(document));
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const [x, y] = [
          fingerprint({ ...document, text: a }),
          fingerprint({ ...document, text: b }),
        ];
        assert.equal(x === y, a === b);
      }),
    );
  });
});
