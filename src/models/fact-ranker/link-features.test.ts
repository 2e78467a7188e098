/**
 * Checks the link features: each against a slow computation over small views, with whole words
 * only, and no document counting for itself.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rankDiscount } from './features.ts';
import { linksOf, titleName } from './link-features.ts';
import type { QuestionView } from './question-view.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const vocabulary = new Vocabulary();

interface Sentence {
  readonly document: string;
  readonly title?: string;
  readonly text: string;
}

function viewOf(
  question: string,
  sentences: readonly Sentence[],
  named: readonly number[] = sentences.map(() => 0),
): QuestionView {
  const zeros = new Float64Array(sentences.length);
  return {
    lanes: [question],
    vocabulary,
    candidates: sentences.map(({ document, text, title = '' }) => ({
      documentId: document,
      text: new TextWords(text, vocabulary),
      title: new TextWords(title, vocabulary),
      header: new TextWords(title, vocabulary),
    })),
    words: [zeros],
    vectors: [zeros],
    documents: [zeros],
    own: [zeros],
    topics: [zeros],
    source: zeros,
    day: zeros,
    names: [],
    named: Float64Array.from(named),
  };
}

/** Returns the link features of candidates that are given best first. */
function links(
  question: string,
  sentences: readonly Sentence[],
  named?: readonly number[],
): Record<string, number[]> {
  const features = linksOf(
    viewOf(question, sentences, named),
    Float64Array.from(sentences, (_, at) => -at),
  );
  return Object.fromEntries(Object.entries(features).map(([name, column]) => [name, [...column]]));
}

const near = (
  actual: readonly number[] | undefined,
  expected: readonly number[],
  what: string,
): void => {
  assert.equal(actual?.length, expected.length, what);
  for (const [at, value] of expected.entries())
    assert.ok(
      Math.abs(actual![at]! - value) < 1e-12,
      `${what}[${at}]: ${actual![at]} not ${value}`,
    );
};

/** Returns whole words; combining marks belong to their letters. */
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
const within = (words: readonly string[], all: readonly string[]): boolean =>
  words.length > 0 && all.some((_, from) => words.every((word, at) => all[from + at] === word));
const nameOf = (title: string): string[] => {
  const words = wordsIn(
    title.trimEnd().endsWith(')') ? title.slice(0, title.lastIndexOf('(')) : title,
  );
  return words.join(' ').length < 3 ? [] : words;
};

/** Computes the definitions directly, one pair at a time. */
function slowLinks(
  question: string,
  sentences: readonly Sentence[],
  scores: readonly number[],
): Record<string, number[]> {
  const order = scores.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const discount = (at: number): number =>
    order.indexOf(at) < 30 ? rankDiscount(order.indexOf(at)) : 0;
  const inQuestion = wordsIn(question);
  const title = (at: number): string[] => nameOf(sentences[at]!.title ?? '');
  const greatest = (of: number, mentions: (other: number) => boolean): number =>
    Math.max(
      0,
      ...sentences.map((other, at) =>
        other.document !== sentences[of]!.document && mentions(at) ? discount(at) : 0,
      ),
    );
  return {
    'title in the question': sentences.map((_, at) => Number(within(title(at), inQuestion))),
    'title mentioned elsewhere': sentences.map((_, at) =>
      within(title(at), inQuestion)
        ? 0
        : greatest(at, other => within(title(at), wordsIn(sentences[other]!.text))),
    ),
    'mentions a title': sentences.map(({ text }, at) =>
      greatest(
        at,
        other => !within(title(other), inQuestion) && within(title(other), wordsIn(text)),
      ),
    ),
  };
}

const TITLES = [
  ...[
    'Inn',
    'Inna',
    'Inna (singer)',
    'The Inn',
    '',
    'Osk Maren',
    'A',
    'Ab',
    '(film)',
    '?',
    'a.c',
    'Vell (town) (old)',
    'Ёлка',
    'Ёлка (фильм)',
  ],
  ...['東京都', '.*', '[Inn]', '$&', 'Straße', '1811', 'Inn-keeper', 'हिन्दी'],
];
const pieces = fc.constantFrom(
  ...TITLES,
  'inna',
  'INN',
  'abc',
  'of',
  'keeper',
  'Vell',
  'old',
  'Innate',
  'фильм',
  ',',
  '(',
  ')',
  'singer',
  'axc',
  'मे',
);
const sentence = fc.array(pieces, { maxLength: 6 }).map(words => words.join(' '));
const views = fc
  .record({
    question: sentence,
    titles: fc.array(fc.constantFrom(...TITLES), { minLength: 5, maxLength: 5 }),
    sentences: fc.array(
      fc.record({
        document: fc.nat({ max: 4 }),
        text: sentence,
        score: fc.constantFrom(0, 0.5, 1, -2),
      }),
      { maxLength: 45 },
    ),
  })
  .map(({ question, titles, sentences }) => ({
    question,
    sentences: sentences.map(
      ({ document, text }): Sentence => ({
        document: `d${document}`,
        title: titles[document]!,
        text,
      }),
    ),
    scores: sentences.map(({ score }) => score),
  }));

describe('links', () => {
  test('equal a slow computation for any titles and texts', () => {
    fc.assert(
      fc.property(views, ({ question, sentences, scores }) => {
        const features = linksOf(viewOf(question, sentences), Float64Array.from(scores));
        for (const [name, expected] of Object.entries(slowLinks(question, sentences, scores)))
          near([...features[name]!], expected, name);
      }),
      { numRuns: 300 },
    );
  });

  test('hand-worked: a chain of three whose first title is in the question', () => {
    const { inQuestion, mentioned, mentioning } = named(
      links('Who founded the works of Ines Quill?', [
        { document: 'a', title: 'Ines Quill', text: 'She owns the Tarn Works.' },
        {
          document: 'b',
          title: 'Tarn Works (glass)',
          text: 'Osk Maren founded it, for Ines Quill.',
        },
        { document: 'c', title: 'Osk Maren', text: 'He was born in Vell.' },
        { document: 'd', title: 'Ropes', text: 'Not a word of Tarn.' },
      ]),
    );
    near(inQuestion, [1, 0, 0, 0], 'inQuestion');
    near(mentioned, [0, rankDiscount(0), rankDiscount(1), 0], 'mentioned');
    near(mentioning, [rankDiscount(1), rankDiscount(2), 0, 0], 'mentioning');
  });

  test('a document does not count for itself', () => {
    const scores = [0, 1, 2].map(
      (): Sentence => ({ document: 'a', title: 'Osk Maren', text: 'Osk Maren ground lenses.' }),
    );
    const { mentioned, mentioning } = named(links('Who?', scores));
    near(mentioned, [0, 0, 0], 'mentioned');
    near(mentioning, [0, 0, 0], 'mentioning');
    // The best-ranked mention is its own sentence; the next one counts.
    const more = named(
      links('Who?', [...scores, { document: 'b', title: 'Notice', text: 'See Osk Maren.' }]),
    );
    near(more.mentioned, [rankDiscount(3), rankDiscount(3), rankDiscount(3), 0], 'mentioned by b');
    near(more.mentioning, [0, 0, 0, rankDiscount(0)], 'mentioning of b');
  });

  test('accents of Latin letters are left out, as questions leave them out', () => {
    for (const [title, text] of [
      ['Akinoshū', 'Akinoshu left.'],
      ['Cafe', 'The cafe\u0301 is closed.'],
      ['Caf\u00e9', 'The cafe\u0301 is closed.'],
    ] as const) {
      const all = links('Who?', [
        { document: 'a', title: 'X', text },
        { document: 'b', title, text: 'Nothing.' },
      ]);
      assert.equal(all['title mentioned elsewhere']![1], 1, `${title} in ${text}`);
    }
  });

  test('another combining mark belongs to its letter: no Hindi word mentions another of the same consonants', () => {
    for (const [title, text] of [
      ['कमल', 'कमाल'],
      ['नाम', 'नम'],
    ] as const) {
      const all = links('Who?', [
        { document: 'a', title: 'X', text },
        { document: 'b', title, text: 'Nothing.' },
      ]);
      assert.deepEqual(
        [all['title mentioned elsewhere']![1], all['mentions a title']![0]],
        [0, 0],
        `${title} in ${text}`,
      );
    }
  });

  test('titles that are no names link nothing: empty, a sign, an initial, a parenthesis alone', () => {
    for (const title of ['', ' ', '?', 'A', '(film)', '…', '\n', '😀']) {
      const all = links(`What is ${title} of a film?`, [
        { document: 'a', title: 'Notice', text: `${title} a film ? 😀` },
        { document: 'b', title, text: `${title}` },
      ]);
      for (const name of [
        'title in the question',
        'title mentioned elsewhere',
        'mentions a title',
      ] as const)
        assert.deepEqual(all[name], [0, 0], `${name} "${title}"`);
    }
  });

  test('the score of name searches is passed through; no candidates are no error; a title with 100,000 blanks takes linear time', () => {
    near(
      links(
        'Who?',
        [
          { document: 'a', text: 'x' },
          { document: 'b', text: 'y' },
        ],
        [0.25, 1],
      )['found by a name'],
      [0.25, 1],
      'named',
    );
    for (const column of Object.values(links('Who?', []))) assert.deepEqual(column, []);
    const blank = `Inn${' '.repeat(100_000)}x`;
    assert.deepEqual(
      links('Who?', [{ document: 'a', title: blank, text: 'x' }])['title in the question'],
      [0],
    );
  });
});

const named = (
  all: Record<string, number[]>,
): { inQuestion: number[]; mentioned: number[]; mentioning: number[] } => ({
  inQuestion: all['title in the question']!,
  mentioned: all['title mentioned elsewhere']!,
  mentioning: all['mentions a title']!,
});

describe('titleName', () => {
  test('is the title without a parenthesis, of 3 to 80 letters', () => {
    assert.equal(titleName('Inna (singer)'), 'Inna');
    assert.equal(titleName('Ina'), 'Ina');
    assert.equal(titleName('In'), '');
    assert.equal(titleName('In (town)'), '');
    assert.equal(titleName('x'.repeat(80)), 'x'.repeat(80));
    assert.equal(titleName('x'.repeat(81)), '');
    assert.equal(titleName(`Inna (${'x'.repeat(153)})`), 'Inna');
    assert.equal(titleName(`Inna (${'x'.repeat(154)})`), '');
  });
});
