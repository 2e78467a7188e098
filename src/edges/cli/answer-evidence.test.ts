/**
 * Evidence as people see it: one number an article, its sentences below it, stars at those that the
 * answer cites.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hop, Search } from '../../trace/trace.ts';
import { articlesOf, type ShownEvidence } from '../serving/evidence-view.ts';
import { evidenceLines, hopLines } from './run-text.ts';
import { styleOf } from './style.ts';

const page = { style: styleOf(false), width: 80 };

interface Shown {
  readonly documentId: string;
  readonly hop?: number;
  readonly cited?: boolean;
  readonly at: readonly number[];
}

/** Quotes of one character, `at` saying where. */
const item = ({ documentId, hop = 1, cited = false, at }: Shown, index: number): ShownEvidence => ({
  ...{
    id: `${documentId}#s${index}`,
    documentId,
    title: `On ${documentId}`,
    source: 'Touchline',
    date: '2025-09-04',
  },
  ...{ hop, score: 10 - index, spans: [[0, 99]], passage: `${documentId}#p0`, cited },
  quotes: at.map(start => ({ start, end: start + 1, text: `Words at ${start}.` })),
});

test('lists sentences of one article under one number, in the order of keeping', () => {
  const lines = evidenceLines(
    [
      { documentId: 'venn', at: [40] },
      { documentId: 'coyle', at: [7] },
      { documentId: 'venn', at: [3], hop: 2, cited: true },
      { documentId: 'venn', at: [90], hop: 2 },
    ].map(item),
    page,
  );
  assert.deepEqual(lines, [
    '*  1. On venn (Touchline, 2025-09-04, hops 1, 2)',
    '      “Words at 40.”',
    '*     “Words at 3.”',
    '      “Words at 90.”',
    '   2. On coyle (Touchline, 2025-09-04, hop 1)',
    '      “Words at 7.”',
  ]);
});

test('names the file with its line, its page, or alone where headings are all that is known', () => {
  const [first] = [{ documentId: 'a.docx', at: [1, 2, 3] }].map(item);
  const places = [{ heading: ['Limits'] }, { page: 3 }, {}];
  const quotes = first!.quotes.map((quote, index) => ({ ...quote, ...places[index] }));
  const shown = evidenceLines([{ ...first!, path: 'docs/a.docx', quotes }], page);
  assert.deepEqual(shown.slice(1), [
    '      docs/a.docx | Limits',
    '      “Words at 1.”',
    '      docs/a.docx, p. 3',
    '      “Words at 2.”',
    '      “Words at 3.”',
  ]);
});

test('lists articles that the answer cites first, each under its rank', () => {
  const lines = evidenceLines(
    [
      { documentId: 'venn', at: [40] },
      { documentId: 'coyle', at: [7], cited: true },
      { documentId: 'roe', at: [9] },
    ].map(item),
    page,
  );
  assert.deepEqual(
    lines.filter(line => !line.includes('“')).map(line => line.slice(0, 12)),
    ['*  2. On coy', '   1. On ven', '   3. On roe'],
  );
});

test('omits the star of a single quote, and shows an article without one by its title', () => {
  const lines = evidenceLines(
    [
      { documentId: 'venn', at: [40], cited: true },
      { documentId: 'coyle', at: [] },
    ].map(item),
    page,
  );
  assert.deepEqual(lines, [
    '*  1. On venn (Touchline, 2025-09-04, hop 1)',
    '      “Words at 40.”',
    '   2. On coyle (Touchline, 2025-09-04, hop 1)',
  ]);
});

test('quotes the shared best sentence of overlapping passages once', () => {
  for (const cited of [
    [true, false],
    [false, true],
  ]) {
    const [article] = articlesOf(
      cited.map((each, index) => item({ documentId: 'venn', at: [40], cited: each }, index)),
    );
    assert.deepEqual(article!.quotes, [{ start: 40, end: 41, text: 'Words at 40.', cited: true }]);
  }
});

test('shows exactly the evidence, for any evidence', () => {
  const shown = fc.record({
    documentId: fc.constantFrom('a', 'b', 'c', '__proto__'),
    hop: fc.integer({ min: 1, max: 3 }),
    cited: fc.boolean(),
    at: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(shown, { maxLength: 8 }), all => {
      const evidence = all.map(item);
      const articles = articlesOf(evidence);
      assert.deepEqual(
        articles.map(({ documentId }) => documentId),
        [...new Set(all.map(({ documentId }) => documentId))],
      );
      for (const { documentId, hops, cited, quotes } of articles) {
        const own = evidence.filter(one => one.documentId === documentId);
        assert.deepEqual(new Set(hops), new Set(own.map(({ hop }) => hop)));
        assert.equal(
          cited,
          own.some(one => one.cited),
        );
        const starts = new Set(own.flatMap(one => one.quotes.map(({ start }) => start)));
        assert.deepEqual(new Set(quotes.map(({ start }) => start)), starts);
        assert.equal(quotes.length, starts.size);
        for (const { start, cited: starred } of quotes)
          assert.equal(
            starred,
            own.some(one => one.cited && one.quotes.some(quote => quote.start === start)),
          );
      }
    }),
  );
});

test('lists each query and each kept article of a hop once', () => {
  const search = (more: Partial<Search>): Search => ({
    text: 'Who left?',
    retriever: 'lexical',
    unit: 'sentence',
    hits: [],
    ...more,
  });
  const kept = (documentId: string, score: number): Hop['kept'][number] => ({
    ...{
      id: `${documentId}#s${score}`,
      documentId,
      score,
      search: { hop: 0, search: 0 },
      spans: [[0, 1]],
    },
  });
  const lines = hopLines(
    0,
    {
      searches: [
        search({}),
        search({ filter: { op: 'eq', field: 'source', value: 'Touchline\u001b[2J' } }),
        search({ text: 'Who came?' }),
        search({}),
      ],
      kept: [kept('venn', 3), kept('coyle', 1), kept('venn', 4)],
      rejected: [],
      spent: {},
    },
    documentId => ({ documentId, title: `On ${documentId}` }),
    page,
  );
  assert.deepEqual(lines, [
    'hop 1',
    '  asked  Who left?',
    '  found  0 sentences by lexical',
    '  found  0 sentences by lexical where source = "Touchline [2J"',
    '  asked  Who came?',
    '  found  0 sentences by lexical',
    '  asked  Who left?',
    '  found  0 sentences by lexical',
    '  kept   On venn (2 times, 4.00 at most)',
    '  kept   On coyle (1.00)',
  ]);
});
