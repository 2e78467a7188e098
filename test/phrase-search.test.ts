/** Tests that a search puts the items with its phrases in quotes before all others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../src/index.ts';

// Each decoy holds the words, none side by side.
const decoys = Array.from({ length: 700 }, (_, at) => ({
  id: `decoy-${String(at).padStart(3, '0')}`,
  title: 'Ferry of the night',
  text: `A ferry, a night, ferry ${at}: night after night, ferry after ferry.`,
}));
const documents = [
  ...decoys,
  { id: 'long', title: '', text: `${'Quays and tarns. '.repeat(400)}The night\nferry sails.` },
  { id: 'both', title: 'Timetable', text: 'A night ferry and a day boat.' },
  { id: 'day', title: 'Day boat', text: 'It sails at noon.' },
];

describe('a phrase in quotes', () => {
  test('is first, strictly, also below hundreds of texts that score better', async () => {
    await using store = await openStore('memory:');
    await store.ingest(documents);
    const hits = await store.search('"night ferry"', { k: 5 });
    assert.deepEqual(
      hits
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
      ['both', 'long'],
    );
    assert.ok(hits[1]!.score > hits[2]!.score);
    assert.equal(hits.length, 5);
    assert.equal((await store.search('night ferry', { k: 1 }))[0]!.id.slice(0, 5), 'decoy');
  });

  test('stands after texts with more of several phrases, and is found in titles', async () => {
    await using store = await openStore('memory:');
    await store.ingest(documents);
    const hits = await store.search('"night ferry" "day boat"', { k: 4 });
    assert.equal(hits[0]!.id, 'both');
    assert.deepEqual(
      hits
        .slice(1, 3)
        .map(({ id }) => id)
        .sort(),
      ['day', 'long'],
    );
    assert.ok(hits[0]!.score > hits[1]!.score && hits[2]!.score > hits[3]!.score);
  });

  test('is first among passages, under a filter, and in the explanation of its score', async () => {
    await using store = await openStore('memory:');
    await store.ingest(documents);
    const [passage] = await store.search('"night ferry"', {
      k: 1,
      retriever: 'lexical(unit=passage)',
    });
    assert.match(passage!.id, /^(both|long)/);
    const filter = 'id = "long"';
    const [hit] = await store.search('"night ferry"', { filter, explain: true });
    assert.equal(hit!.id, 'long');
    assert.equal(hit!.explanation!.value, hit!.score);
  });

  test('is what a search for one word with hyphens, or one time, asks for', async () => {
    await using store = await openStore('memory:');
    await store.ingest([
      { id: 'exact', title: '', text: 'A page of the read-file kind, from 10:30 on.' },
      { id: 'joined', title: '', text: 'readFile' },
      { id: 'apart', title: '', text: 'Read a file, read file 10, 30 files. Read file: 30, 10.' },
    ]);
    for (const query of ['read-file', '10:30']) {
      const [first, second] = await store.search(query);
      assert.equal(first!.id, 'exact');
      assert.ok(first!.score > second!.score);
    }
  });

  test('that no text holds leaves the ranking as it is', async () => {
    await using store = await openStore('memory:');
    await store.ingest(documents.slice(-3));
    assert.deepEqual(await store.search('"boat noon"'), await store.search('boat noon'));
  });
});
