/**
 * Evidence as people see it: one number an article, its texts below it, stars at articles that the
 * answer cites, a gutter at marked sentences, and long texts folded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hop, Search } from '../core/trace/trace.ts';
import type { ArticleText, ShownArticle } from '../session/shown-evidence.ts';
import { evidenceLines } from './evidence-text.ts';
import { hopLines } from './run-text.ts';
import { styleOf } from './style.ts';

const page = { style: styleOf(false), width: 60 };

const textAt = (start: number, text: string, more: Partial<ArticleText> = {}): ArticleText => ({
  start,
  end: start + text.length,
  text,
  marks: [],
  ...more,
});

const article = (more: Partial<ShownArticle>): ShownArticle => ({
  documentId: 'venn',
  title: 'On venn',
  source: 'Touchline',
  date: '2025-09-04',
  number: 1,
  hops: [1],
  cited: false,
  texts: [],
  ...more,
});

test('lists texts below one number, with the gap between those that are apart', () => {
  const lines = evidenceLines(
    [
      article({
        hops: [1, 2],
        cited: true,
        texts: [textAt(0, 'Words at nought.'), textAt(17, 'Words next.'), textAt(90, 'Words far.')],
      }),
      article({ number: 2, documentId: 'coyle', title: 'On coyle' }),
    ],
    page,
  );
  assert.deepEqual(lines, [
    '*  1. On venn (Touchline, 2025-09-04, hops 1, 2)',
    '      Words at nought.',
    '      Words next.',
    '      [...]',
    '      Words far.',
    '   2. On coyle (Touchline, 2025-09-04, hop 1)',
  ]);
});

test('a marked sentence stands on lines of its own behind a gutter', () => {
  const text = 'It rained. Petra Quill founded the works at Oddle in the old cannery. It is so.';
  const marks = [[11, 69]] as const;
  assert.deepEqual(
    evidenceLines([article({ texts: [textAt(0, text, { marks })] })], page).slice(1),
    [
      '      It rained.',
      '    » Petra Quill founded the works at Oddle in the old',
      '    » cannery.',
      '      It is so.',
    ],
  );
});

test('says once below neighbouring texts in how many places they stand', () => {
  const twice = { places: 2 };
  const texts = [textAt(0, 'One.', twice), textAt(5, 'Two.', twice), textAt(30, 'Three.', twice)];
  assert.deepEqual(
    evidenceLines([article({ texts: [...texts, textAt(37, 'Four.')] })], page).slice(1),
    [
      '      One.',
      '      Two.',
      '      the same text in 2 places',
      '      [...]',
      '      Three.',
      '      the same text in 2 places',
      '      Four.',
    ],
  );
});

test('keeps the lines of a section, and the indentation of code', () => {
  const text = 'Set it:\n\nconst app = {\n  limit: 8192,\n};';
  assert.deepEqual(evidenceLines([article({ texts: [textAt(0, text)] })], page).slice(1), [
    '      Set it:',
    '      const app = {',
    '        limit: 8192,',
    '      };',
  ]);
});

test('names the file with its line, its page, or alone where headings are all that is known', () => {
  const places = [{ heading: ['Limits'] }, { page: 3 }, {}];
  const texts = places.map((place, index) => textAt(30 * index, `Words ${index}.`, place));
  const shown = evidenceLines(
    [article({ documentId: 'a.docx', path: 'docs/a.docx', texts })],
    page,
  );
  assert.deepEqual(shown.slice(1), [
    '      docs/a.docx | Limits',
    '      Words 0.',
    '      docs/a.docx, p. 3',
    '      Words 1.',
    '      [...]',
    '      Words 2.',
  ]);
});

const rows = (count: number): string =>
  Array.from({ length: count }, (_, row) => `Row ${row}.`).join('\n');

test('folds a text past 12 lines around what is marked, and says how to see the rest', () => {
  const text = rows(40);
  const start = text.indexOf('Row 30.');
  const marks = [[start, start + 7]] as const;
  const folded = evidenceLines([article({ texts: [textAt(0, text, { marks })] })], page, '--all');
  assert.equal(folded[1], '      … 24 more lines (--all)');
  assert.deepEqual(
    folded.slice(2, -1).map(line => line.trim()),
    [
      ...['Row 24.', 'Row 25.', 'Row 26.', 'Row 27.', 'Row 28.', 'Row 29.', '» Row 30.'],
      ...['Row 31.', 'Row 32.', 'Row 33.', 'Row 34.', 'Row 35.'],
    ],
  );
  assert.equal(folded.at(-1), '      … 4 more lines (--all)');
  const [, first] = evidenceLines([article({ texts: [textAt(0, text)] })], page, '--all');
  assert.equal(first, '      Row 0.');
  const whole = evidenceLines([article({ texts: [textAt(0, rows(13))] })], page, '--all');
  assert.ok(!whole.join().includes('--all'));
});

test('folding leaves out exactly the lines that it counts, and marked lines last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(39), fc.nat(39), (count, one, other) => {
      const text = rows(count);
      const from = Math.max(0, text.indexOf(`Row ${Math.min(one, other)}.`));
      const to = text.indexOf(`Row ${Math.max(one, other)}.`);
      const marks = to > from ? [[from, to] as const] : [];
      const articles = [article({ texts: [textAt(0, text, { marks })] })];
      const whole = evidenceLines(articles, page);
      const folded = evidenceLines(articles, page, '--all');
      const counts = folded.map(line => Number(/… (\d+) more/.exec(line)?.[1] ?? 0));
      const kept = folded.filter(line => !line.includes('--all'));
      assert.equal(kept.length + counts.reduce((sum, left) => sum + left), whole.length);
      assert.ok(!counts.includes(1) && kept.length - 1 >= Math.min(count, 12));
      assert.ok(kept.length - 1 <= 14);
      assert.deepEqual(
        kept,
        whole.filter(line => kept.includes(line)),
      );
      const marked = (lines: readonly string[]): number =>
        lines.filter(line => line.includes('»')).length;
      assert.ok(marked(kept) >= Math.min(12, marked(whole)));
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
    id: `${documentId}#s${score}`,
    documentId,
    score,
    search: { hop: 0, search: 0 },
    spans: [[0, 1]],
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
    { ...page, width: 80 },
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
