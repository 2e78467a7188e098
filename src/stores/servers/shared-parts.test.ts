/** Checks the parts that engines on servers share: texts, terms, hashes, addresses. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { STEM_MARK } from '../../core/text/search-form.ts';
import { cutBy } from '../../search/corpus/items.ts';
import { termText } from '../../search/indexes/lexical/dictionary.ts';
import { LexicalIndex } from '../../search/indexes/lexical/lexical-index.ts';
import { scorers } from '../../search/indexes/lexical/scorers.ts';
import { FIXTURE_DOCUMENTS } from '../../testing/fixture-corpus.ts';
import { engineAddress, withoutCredentials } from './engine-address.ts';
import { bm25Of, lexicalPlan, plannedTerms } from './lexical-plan.ts';
import { openEngine } from './open-engine.ts';
import { contentHash, prepareDocument, recordedDocument } from './prepared-document.ts';
import { originalText, storedText } from './stored-text.ts';
import { queryTerms, termsOf } from './terms.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 12 }).chain(text =>
  fc
    .array(fc.constantFrom('\0', '\x01', '\x02', '\ud800', '\udfff', '\uffff', 'a', '😀'), {
      maxLength: 4,
    })
    .map(more => text + more.join('')),
);

describe('stored texts', () => {
  test('come back, without NUL and lone surrogates, in the order of code units', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [left, right] = [storedText(a), storedText(b)];
        assert.equal(originalText(left), a);
        assert.ok(left.isWellFormed() && !left.includes('\0'));
        const order = Buffer.compare(Buffer.from(left), Buffer.from(right));
        assert.equal(order, a < b ? -1 : a > b ? 1 : 0);
        assert.equal(left.startsWith(right), a.startsWith(b));
      }),
      { numRuns: 2000 },
    );
  });

  test('are plain texts as they are', () => {
    assert.equal(storedText('Straße, café and 東京'), 'Straße, café and 東京');
  });
});

describe('terms', () => {
  test('of items and queries are those of the lexical index', () => {
    fc.assert(
      fc.property(anyText, fc.string({ unit: 'grapheme' }), (a, b) => {
        const text = `${a} ${b} İstanbul x_y 図書館 도서관`;
        const item = { id: 'x', title: '', text, metadata: {} };
        const { counts, length } = termsOf(item);
        const { inverted } = LexicalIndex.build([item], 'plain').segment;
        assert.equal(length, inverted.lengths[0]);
        assert.deepEqual(
          [...counts.keys()].sort(),
          Array.from(inverted.dictionary.ends, (_, term) =>
            termText(inverted.dictionary, term),
          ).sort(),
        );
        // Stems of languages stand beside the words of documents in these languages alone.
        for (const { word } of queryTerms(text))
          assert.ok(counts.has(word) || word.startsWith(STEM_MARK), word);
      }),
    );
  });

  test('are weighed so that the score is that of the lexical index, to the bit', () => {
    const items = [...FIXTURE_DOCUMENTS].sort((a, b) => (a.id < b.id ? -1 : 1));
    const index = LexicalIndex.build(items, 'plain');
    const bags = items.map(termsOf);
    const counts = { items: bags.length, terms: bags.reduce((sum, bag) => sum + bag.length, 0) };
    for (const name of ['bm25', 'bm25(k1=0.9, b=0.4, stop=english)']) {
      const plan = lexicalPlan(bm25Of(name), counts);
      const query = 'Who sold the lighthouse at Harrow Point, and to whom? the sold';
      const frequencyOf = (word: string): number => bags.filter(bag => bag.counts.has(word)).length;
      const terms = plannedTerms(queryTerms(query), plan, frequencyOf);
      const scores = bags.map(({ counts: frequencies, length }) => {
        const norm = plan.k1 * (1 - plan.b + (plan.b * length) / plan.average);
        return terms.reduce((sum, { word, idf }) => {
          const tf = frequencies.get(word) ?? 0;
          return tf === 0 ? sum : sum + idf * ((tf * (plan.k1 + 1)) / (tf + norm));
        }, 0);
      });
      const [hits] = index.search([{ text: query }], 100, scorers.create(name));
      assert.ok(hits!.length > 2);
      for (const { item, score } of hits!) assert.equal(scores[item], score, name);
    }
  });
});

describe('prepared documents', () => {
  const cut = cutBy(chunkers.create('tokens(size=20, overlap=6)'));

  test('restore the document, and hash its content whatever the order of its metadata', () => {
    for (const document of FIXTURE_DOCUMENTS) {
      const prepared = prepareDocument(document, cut);
      assert.deepEqual(recordedDocument(prepared.record, 'here'), document);
      const turned: Document = {
        ...document,
        metadata: Object.fromEntries(Object.entries(document.metadata).reverse()),
      };
      assert.equal(contentHash(turned), prepared.hash);
      assert.notEqual(contentHash({ ...document, title: `${document.title}!` }), prepared.hash);
      assert.equal(prepared.items.filter(({ unit }) => unit === 'document').length, 1);
    }
    assert.throws(() => recordedDocument('{}', 'here'), { code: 'engine-damaged' });
  });
});

describe('addresses', () => {
  test('show no credentials', async () => {
    const address = engineAddress('postgres://ada:s%3Acret@db.example:5433/news?schema=a', {});
    const { password, ...rest } = address;
    assert.equal(password!.reveal(), 's:cret');
    assert.deepEqual(rest, {
      scheme: 'postgres',
      host: 'db.example',
      port: 5433,
      name: 'news',
      user: 'ada',
      query: { schema: 'a' },
      label: '"postgres://db.example:5433/news"',
    });
    assert.doesNotMatch(JSON.stringify(address), /cret/);
    assert.equal(withoutCredentials(address, 'login s:cret'), 'login [redacted]');
    for (const wrong of ['nonsense', 'postgres://ada:secret@h', 'redis://ada:secret@h/x'])
      await assert.rejects(openEngine(wrong, { env: {} }), error => {
        assert.equal((error as { code?: string }).code, 'bad-engine');
        assert.doesNotMatch(String((error as Error).message), /secret/);
        return true;
      });
  });

  test('take credentials from the environment', () => {
    const env = { MULTIHOP_ENGINE_USER: 'bo', MULTIHOP_ENGINE_PASSWORD: 'hidden' };
    const { user, password } = engineAddress('opensearch://h:9200/news', env);
    assert.equal(user, 'bo');
    assert.equal(password!.reveal(), 'hidden');
  });
});
