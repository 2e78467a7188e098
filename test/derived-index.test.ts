/**
 * Tests derived indexes: a kind of the test's own in memory and in a store - built, extended,
 * reduced, stored, reopened, damaged, stale - and the laws of every kind.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  fingerprint,
  packDerived,
  packText,
  unpackDerived,
  unpackText,
} from '../src/search/derived-index.ts';
import { DERIVED_KINDS } from '../src/search/derived-kinds.ts';
import { documentVectors } from '../src/search/document-vectors.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { fittedIndex, fittedRow, foldItem } from '../src/search/fitted-space-index.ts';
import { nearestSentences } from '../src/search/nearest-sentences.ts';
import { sentenceEntities } from '../src/search/sentence-entities.ts';
import { textTemplates } from '../src/search/text-templates.ts';
import { nodeDisk } from '../src/stores/disk/disk.ts';
import { Store, verifyStore } from '../src/stores/disk/index.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';

const call = freeCall();
const home = mkdtempSync(join(tmpdir(), 'derived-'));
after(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = (): string => join(home, `store-${folders++}`);

/** A small graph: the capitalised words of each document. */
type Names = ReadonlyMap<string, readonly string[]>;

const namesOf = ({ text }: Document): string[] => [
  ...new Set(Array.from(text.matchAll(/\p{Lu}\p{Ll}+/gu), ([name]) => name)),
];

function namesIndex(key: string, settings: { readonly adds: boolean }): DerivedIndex<Names> {
  const withAll = (index: Names, documents: readonly Document[]): Names =>
    new Map([...index, ...documents.map(one => [one.id, namesOf(one)] as const)]);
  return {
    key,
    build: async ({ documents }) => withAll(new Map(), documents),
    ...(settings.adds
      ? {
          add: async (index: Names, documents: readonly Document[]) => withAll(index, documents),
          remove: (index: Names, ids: ReadonlySet<string>) =>
            new Map([...index].filter(([id]) => !ids.has(id))),
        }
      : {}),
    pack: index => ({
      header: { format: 'names-1' },
      arrays: { names: packText([...index].sort(([a], [b]) => (a < b ? -1 : 1))) },
    }),
    unpack({ header, arrays }) {
      if (header['format'] !== 'names-1') throw badIndex('names-1', String(header['format']));
      return new Map(unpackText(arrays['names'], 'names') as [string, string[]][]);
    },
  };
}

const NAMES: DerivedKind<Names> = { name: 'names', of: key => namesIndex(key, { adds: true }) };
const FIXED: DerivedKind<Names> = { name: 'fixed', of: key => namesIndex(key, { adds: false }) };
const kinds = [...DERIVED_KINDS, NAMES, FIXED] as readonly DerivedKind[];
const names = NAMES.of('names document');
const fixed = FIXED.of('fixed document');

const [first, second, ...rest] = FIXTURE_DOCUMENTS;
const added: Document = { ...first!, id: 'added', text: 'Orla met Tamsin in Vell.' };
const expected = (documents: readonly Document[]): [string, string[]][] =>
  documents.map((one): [string, string[]] => [one.id, namesOf(one)]).sort();
const found = (index: Names): unknown => [...index].sort();

describe('in memory', () => {
  test('is built once, extended and reduced; an older snapshot keeps its index', async () => {
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    const before = await engine.snapshot();
    assert.deepEqual(
      found((await before.openDerived(names, call)).index),
      expected([first!, second!]),
    );
    await engine.put([added, { ...second!, text: 'Nobody.' }], call);
    await engine.remove([first!.id], call);
    const now = await engine.snapshot();
    assert.deepEqual(
      found((await now.openDerived(names, call)).index),
      expected([added, { ...second!, text: 'Nobody.' }]),
    );
    assert.deepEqual(
      found((await before.openDerived(names, call)).index),
      expected([first!, second!]),
    );
  });

  /** Remembers the ids that are added; refuses those that the index has already. */
  const recorded = (ids: string[][]): DerivedIndex<Names> => ({
    ...names,
    async add(index, documents) {
      await new Promise(resolve => setImmediate(resolve));
      for (const { id } of documents) assert.ok(!index.has(id), `${id} is added twice`);
      ids.push(documents.map(({ id }) => id));
      return new Map([...index, ...documents.map(one => [one.id, namesOf(one)] as const)]);
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
    assert.deepEqual(
      opened.map(one => found(one.index)),
      [
        ...[expected([first!, second!]), expected([first!, second!, added])],
        ...[expected([first!, second!]), expected([first!, second!, added])],
      ],
    );
  });

  test('a changed document is removed before it is added, a removed one is forgotten', async () => {
    const calls: string[][] = [];
    const index = recorded(calls);
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    await (await engine.snapshot()).openDerived(index, call);
    await engine.put([{ ...second!, text: 'Nobody.' }], call);
    await (await engine.snapshot()).openDerived(index, call);
    await engine.remove([first!.id], call);
    await engine.put([first!], call);
    await (await engine.snapshot()).openDerived(index, call);
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
    const { index } = await (await engine.snapshot()).openDerived(names, call);
    assert.deepEqual([found(index), damaged], [expected([first!]), [names.key]]);
  });

  test('without additions it is stale, with its number of documents, until it is rebuilt', async () => {
    const engine = new EmbeddedEngine({ documents: [first!, second!] });
    assert.equal((await (await engine.snapshot()).openDerived(fixed, call)).stale, undefined);
    await engine.put([added, { ...second!, text: 'Nobody.' }], call);
    await engine.remove([first!.id], call);
    const now = await engine.snapshot();
    const { index, stale } = await now.openDerived(fixed, call);
    assert.deepEqual(found(index), expected([first!, second!]), 'serves what it has');
    assert.deepEqual(stale, {
      ...{ key: 'fixed document', documents: 2 },
      ...{ added: 1, changed: 1, removed: 1 },
    });
    await now.openDerived(fixed, call, { fresh: true });
    assert.equal((await now.openDerived(fixed, call)).stale, undefined);
  });

  test('a stale lsa folds new documents in, drops removed ones, and is rebuilt on command', async () => {
    const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
    const search = async (text: string) =>
      (
        await engine.current.search(
          { unit: 'document', space: 'lsa', k: 99, queries: [{ text }] },
          call,
        )
      )[0]!;
    await search('lighthouse');
    const twin = { ...first!, id: 'twin' };
    await engine.put(
      [twin, { ...twin, id: 'strange', text: 'Zzyzx', title: '', metadata: {} }],
      call,
    );
    await engine.remove([second!.id], call);
    const hits = await search(first!.text);
    assert.ok(Math.abs(hits[0]!.score - hits[1]!.score) < 1e-5);
    assert.deepEqual([hits[0]!.id, hits[1]!.id].sort(), [first!.id, 'twin'].sort());
    assert.ok(!hits.some(({ id }) => id === second!.id || id === 'strange'));
    assert.equal((await engine.snapshot()).stale()[0]?.added, 2);
    assert.deepEqual(await engine.rebuild(call), ['lsa document']);
    await search('lighthouse');
    assert.deepEqual((await engine.snapshot()).stale(), []);
    const { documents } = await engine.snapshot();
    const fresh = new EmbeddedEngine({ documents });
    const request = { unit: 'document', space: 'lsa', k: 9, queries: [{ text: 'ferry' }] } as const;
    assert.deepEqual(
      await engine.current.search(request, call),
      await fresh.current.search(request, call),
    );
  });
});

describe('in a store', () => {
  const opened = (folder: string, warned: string[] = []): Promise<Store> =>
    Store.open(folder, { create: true, kinds, onWarning: ({ code }) => warned.push(code) });
  const filled = async (folder: string): Promise<Store> => {
    const store = await opened(folder);
    await store.put([first!, second!], call);
    await store.keep(names, call);
    await store.keep(fixed, call);
    return store;
  };
  const read = async (store: Store, index: DerivedIndex<Names>): Promise<unknown> =>
    found((await (await store.snapshot()).openDerived(index, call)).index);

  test('is stored with checksum and documents, and reopened without a build', async () => {
    const folder = newFolder();
    const { manifest } = await filled(folder);
    assert.deepEqual(
      manifest.derived!.map(({ key, documents, behind }) => [key, documents, behind]),
      [
        ['names document', 2, undefined],
        ['fixed document', 2, undefined],
      ],
    );
    const never = { ...names, build: () => assert.fail('built'), add: () => assert.fail('added') };
    assert.deepEqual(await read(await opened(folder), never), expected([first!, second!]));
    assert.deepEqual((await verifyStore(folder, nodeDisk, kinds)).problems, []);
  });

  test('is extended and reduced, or stale if it cannot be, which verify reports and rebuild repairs', async () => {
    const folder = newFolder();
    const store = await filled(folder);
    await store.put([added], call);
    await store.remove([first!.id], call);
    const reader = await opened(folder);
    assert.deepEqual(await read(reader, names), expected([added, second!]));
    assert.deepEqual(await read(reader, fixed), expected([first!, second!]));
    const { stale, ok } = await verifyStore(folder, nodeDisk, kinds);
    assert.equal(ok, true);
    assert.deepEqual(
      stale.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
      [
        { key: 'fixed document', documents: 2, added: 1, changed: 0, removed: 1 },
        { key: 'names document', documents: 1, added: 1, changed: 0, removed: 0 },
      ].sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
    await reader.rebuild(call);
    const report = await verifyStore(folder, nodeDisk, kinds);
    assert.deepEqual([report.problems, report.stale], [[], []]);
    assert.deepEqual(await read(await opened(folder), fixed), expected([added, second!]));
  });

  test('a changed document leaves it behind by one, until it is rebuilt', async () => {
    const folder = newFolder();
    const store = await filled(folder);
    const changed = { ...second!, text: 'Orla met Tamsin.' };
    await store.put([changed], call);
    const { stale, problems } = await verifyStore(folder, nodeDisk, kinds);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      stale.find(({ key }) => key === names.key),
      { key: names.key, documents: 1, added: 1, changed: 0, removed: 0 },
    );
    await store.rebuild(call);
    const report = await verifyStore(folder, nodeDisk, kinds);
    assert.deepEqual([report.problems, report.stale], [[], []]);
    assert.deepEqual(await read(await opened(folder), names), expected([first!, changed]));
  });

  test('one of documents that another process replaced meanwhile is not kept', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put([first!, second!], call);
    const other = await opened(folder);
    const slow: DerivedIndex<Names> = {
      ...fixed,
      async build(source, building) {
        await other.put([added], call);
        return fixed.build(source, building);
      },
    };
    await store.keep(slow as DerivedIndex, call);
    await store.snapshot();
    assert.deepEqual([store.manifest.documents, store.manifest.derived ?? []], [3, []]);
  });

  test('a damaged file is left out of the next generation that another index is written in', async () => {
    for (const write of ['keep', 'writeIndexes'] as const) {
      const folder = newFolder();
      const store = await filled(folder);
      await store.put([added], call);
      const { file } = store.manifest.derived!.find(({ key }) => key === names.key)!;
      writeFileSync(join(folder, file), 'damaged');
      if (write === 'keep') await store.keep(fixed as DerivedIndex, call);
      else await store.writeIndexes();
      assert.deepEqual(
        store.manifest.derived!.map(({ key }) => key),
        [fixed.key],
        write,
      );
    }
  });

  test('a damaged file is reported, rebuilt by its reader, and rewritten by rebuild', async () => {
    const folder = newFolder();
    const { manifest } = await filled(folder);
    for (const { file } of manifest.derived!) {
      const bytes = readFileSync(join(folder, file));
      bytes[bytes.length - 12]! ^= 1;
      writeFileSync(join(folder, file), bytes);
    }
    assert.deepEqual(
      (await verifyStore(folder, nodeDisk, kinds)).problems.map(({ effect }) => effect),
      ['rebuilt', 'rebuilt'],
    );
    const warned: string[] = [];
    const store = await opened(folder, warned);
    assert.deepEqual(await read(store, names), expected([first!, second!]));
    assert.deepEqual(await read(store, fixed), expected([first!, second!]));
    assert.deepEqual(warned, ['derived-damaged', 'derived-damaged']);
    await store.rebuild(call);
    assert.deepEqual((await verifyStore(folder, nodeDisk, kinds)).problems, []);
  });

  test('an unknown kind is a typed error', async () => {
    const folder = newFolder();
    await filled(folder);
    const store = await Store.open(folder);
    await assert.rejects(store.remove([first!.id], call), {
      code: 'unknown-derived-index',
      message: /"names document".*one of vectors, links, lsa/,
    });
    assert.match((await verifyStore(folder)).problems[0]!.problem, /Unknown derived index/);
  });
});

describe('laws', () => {
  const template = textTemplates.create('header');
  const source = (documents: readonly Document[]) =>
    new EmbeddedEngine({ documents, chunker: 'sentences(per=1)' }).current.derivedSource;
  const incremental: readonly (readonly [string, () => DerivedIndex<never>])[] = [
    ['names', () => names as unknown as DerivedIndex<never>],
    [
      'vectors',
      () => documentVectors(hashedEmbedder('toy', 8), 'passage', template) as DerivedIndex<never>,
    ],
    ['entities', () => sentenceEntities() as DerivedIndex<never>],
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
          const all = source(FIXTURE_DOCUMENTS);
          const there = new Map<string, Document>();
          let index = await derived.build(source([]), call);
          for (const { at, adds } of steps) {
            const document = FIXTURE_DOCUMENTS[at]!;
            if (adds && !there.has(document.id)) {
              index = await derived.add!(index, [document], all, call);
              there.set(document.id, document);
            } else if (!adds && there.delete(document.id))
              index = derived.remove!(index, new Set([document.id]));
          }
          const once = await derived.build(source([...there.values()]), call);
          assert.deepEqual(derived.pack(index), derived.pack(once));
        }),
        { numRuns: 40 },
      );
    });

  const every: readonly DerivedIndex<never>[] = [
    ...incremental.map(([, make]) => make()),
    fixed as unknown as DerivedIndex<never>,
    fittedIndex('passage', 'lsa(dimensions=4)') as unknown as DerivedIndex<never>,
    fittedIndex('document', 'lsa(dimensions=256)') as unknown as DerivedIndex<never>,
  ];
  for (const derived of every)
    test(`${derived.key}: unpacking and packing keeps the bytes; other bytes are a typed error`, async () => {
      for (const documents of [FIXTURE_DOCUMENTS, [first!], []]) {
        const index = await derived.build(source(documents), call);
        const members = new Map(documents.map(one => [one.id, fingerprint(one)]));
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

  test('lsa: folding in an item of the corpus yields its fitted row', async () => {
    const { derivedSource } = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS }).current;
    const index = await fittedIndex('document', 'lsa(dimensions=8)').build(derivedSource, call);
    for (const document of [first!, second!, ...rest]) {
      const [item] = derivedSource.cut('document', document);
      const [row, folded] = [fittedRow(index, document.id, 0), foldItem(index, item!, document)!];
      for (const [at, value] of row.entries()) assert.ok(Math.abs(value - folded[at]!) < 1e-5);
    }
  });

  test('fingerprints depend on title, text and metadata, not on the order of keys', () => {
    const one: Document = { id: 'a', title: 'T', text: 'x', metadata: { a: 1, b: 'y' } };
    const others: Document[] = [
      { ...one, title: 'U' },
      { ...one, text: 'xx' },
      { ...one, title: 'Tx', text: '' },
      { ...one, metadata: { a: 1 } },
      { ...one, metadata: { a: '1', b: 'y' } },
    ];
    for (const other of others) assert.notEqual(fingerprint(other), fingerprint(one));
    assert.equal(fingerprint({ ...one, metadata: { b: 'y', a: 1 } }), fingerprint(one));
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const [x, y] = [fingerprint({ ...one, text: a }), fingerprint({ ...one, text: b })];
        assert.equal(x === y, a === b);
      }),
    );
  });
});
