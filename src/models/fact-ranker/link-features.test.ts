/**
 * Links between documents: each number against a slow reading of its name over small views, whole
 * words alone, nobody speaking for themselves.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { rankDiscount } from './features.ts';
import { linksOf } from './link-features.ts';
import type { QuestionView } from './question-view.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const vocabulary = new Vocabulary();

interface ModelOutput {
  readonly document: string;
  readonly title?: string;
  readonly text: string;
}

function viewOf(
  question: string,
  said: readonly ModelOutput[],
  named: readonly number[] = said.map(() => 0),
): QuestionView {
  const zeros = new Float64Array(said.length);
  return {
    lanes: [question],
    vocabulary,
    candidates: said.map(({ document, text, title = '' }) => ({
      documentId: document,
      text: new TextWords(text, vocabulary),
      title: new TextWords(title, vocabulary),
      header: new TextWords(title, vocabulary),
    })),
    ...{
      words: [zeros],
      vectors: [zeros],
      documents: [zeros],
      own: [zeros],
      topics: [zeros],
      source: zeros,
      day: zeros,
      names: [],
    },
    named: Float64Array.from(named),
  };
}

/** Candidates in the order of their scores. */
function links(
  question: string,
  said: readonly ModelOutput[],
  named?: readonly number[],
): Record<string, number[]> {
  const features = linksOf(
    viewOf(question, said, named),
    Float64Array.from(said, (_, at) => -at),
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

/** Whole words, marks belonging to their letters. */
const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
const within = (words: readonly string[], all: readonly string[]): boolean =>
  words.length > 0 && all.some((_, from) => words.every((word, at) => all[from + at] === word));
const nameOf = (title: string): string[] => {
  const words = wordsIn(
    title.trimEnd().endsWith(')') ? title.slice(0, title.lastIndexOf('(')) : title,
  );
  return words.join(' ').length < 3 ? [] : words;
};

/** From the words of the definitions, one pair at a time. */
function slowLinks(
  question: string,
  said: readonly ModelOutput[],
  scores: readonly number[],
): Record<string, number[]> {
  const order = scores.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const voice = (at: number): number =>
    order.indexOf(at) < 30 ? rankDiscount(order.indexOf(at)) : 0;
  const asked = wordsIn(question);
  const title = (at: number): string[] => nameOf(said[at]!.title ?? '');
  const loudest = (of: number, says: (other: number) => boolean): number =>
    Math.max(
      0,
      ...said.map((other, at) =>
        other.document !== said[of]!.document && says(at) ? voice(at) : 0,
      ),
    );
  return {
    'title is asked': said.map((_, at) => Number(within(title(at), asked))),
    'title is said': said.map((_, at) =>
      within(title(at), asked)
        ? 0
        : loudest(at, other => within(title(at), wordsIn(said[other]!.text))),
    ),
    'says a title': said.map(({ text }, at) =>
      loudest(at, other => !within(title(other), asked) && within(title(other), wordsIn(text))),
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
    said: fc.array(
      fc.record({
        document: fc.nat({ max: 4 }),
        text: sentence,
        score: fc.constantFrom(0, 0.5, 1, -2),
      }),
      { maxLength: 45 },
    ),
  })
  .map(({ question, titles, said }) => ({
    question,
    said: said.map(
      ({ document, text }): ModelOutput => ({
        document: `d${document}`,
        title: titles[document]!,
        text,
      }),
    ),
    scores: said.map(({ score }) => score),
  }));

describe('links', () => {
  test('are what a slow reading says, whatever the titles and texts', () => {
    fc.assert(
      fc.property(views, ({ question, said, scores }) => {
        const features = linksOf(viewOf(question, said), Float64Array.from(scores));
        for (const [name, expected] of Object.entries(slowLinks(question, said, scores)))
          near([...features[name]!], expected, name);
      }),
      { numRuns: 300 },
    );
  });

  test('by hand: a chain of three, of which the question names the first', () => {
    const { asked, told, says } = named(
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
    near(asked, [1, 0, 0, 0], 'asked');
    near(told, [0, rankDiscount(0), rankDiscount(1), 0], 'said');
    near(says, [rankDiscount(1), rankDiscount(2), 0, 0], 'says');
  });

  test('whole words alone: "Inn" is not in "Inna", nor "Ed" in "founded"; case and signs between words do not matter', () => {
    const said = (text: string): number =>
      links('Who?', [
        { document: 'a', title: 'X', text },
        { document: 'b', title: 'The Inn', text: 'Nothing.' },
      ])['title is said']![1]!;
    for (const text of ['the inna', 'Bathe inn', 'The Inns', 'Inn the', 'The  old Inn', 'Theinn'])
      assert.equal(said(text), 0, text);
    for (const text of [
      'The Inn',
      'at THE INN.',
      '“The-Inn”',
      'the\n inn',
      'In the Inn’s yard',
      '(the inn)',
    ])
      assert.equal(said(text), 1, text);
  });

  test('a document never speaks for itself', () => {
    const own = [0, 1, 2].map(
      (): ModelOutput => ({ document: 'a', title: 'Osk Maren', text: 'Osk Maren ground lenses.' }),
    );
    const { told, says } = named(links('Who?', own));
    near(told, [0, 0, 0], 'said');
    near(says, [0, 0, 0], 'says');
    // Its own sentence is the loudest, and the next one counts.
    const more = named(
      links('Who?', [...own, { document: 'b', title: 'Notice', text: 'See Osk Maren.' }]),
    );
    near(more.told, [rankDiscount(3), rankDiscount(3), rankDiscount(3), 0], 'said by b');
    near(more.says, [0, 0, 0, rankDiscount(0)], 'b says');
  });

  test('a mark belongs to its letter: "Cafe" is not said by "Cafe\u0301", nor one Hindi word by another of the same consonants', () => {
    for (const [title, text] of [
      ['Cafe', 'The cafe\u0301 is closed.'],
      ['कमल', 'कमाल'],
      ['नाम', 'नम'],
    ] as const) {
      const all = links('Who?', [
        { document: 'a', title: 'X', text },
        { document: 'b', title, text: 'Nothing.' },
      ]);
      assert.deepEqual(
        [all['title is said']![1], all['says a title']![0]],
        [0, 0],
        `${title} in ${text}`,
      );
    }
  });

  test('titles that name nothing link nothing: none, a sign, an initial, a parenthesis alone', () => {
    for (const title of ['', ' ', '?', 'A', '(film)', '…', '\n', '😀']) {
      const all = links(`What is ${title} of a film?`, [
        { document: 'a', title: 'Notice', text: `${title} a film ? 😀` },
        { document: 'b', title, text: `${title}` },
      ]);
      for (const name of ['title is asked', 'title is said', 'says a title'] as const)
        assert.deepEqual(all[name], [0, 0], `${name} "${title}"`);
    }
  });

  test('what lies behind the thirtieth place says nothing for others, but is spoken of', () => {
    const quiet = Array.from(
      { length: 30 },
      (_, at): ModelOutput => ({ document: `q${at}`, title: `Quiet ${at}`, text: 'Hm.' }),
    );
    const far: ModelOutput[] = [
      { document: 'x', title: 'Far Tower', text: 'Near Gate.' },
      { document: 'y', title: 'Near Gate', text: 'Far Tower; Quiet 29.' },
    ];
    const { told, says } = named(links('Who?', [...quiet, ...far]));
    near(told, [...quiet.map(() => 0), 0, 0], 'said');
    near(says, [...quiet.map(() => 0), 0, rankDiscount(29)], 'says');
  });

  test('found by a name: as the view has it; no candidates, no trouble; a title of a hundred thousand blanks is read at once', () => {
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
      links('Who?', [{ document: 'a', title: blank, text: 'x' }])['title is asked'],
      [0],
    );
  });
});

const named = (
  all: Record<string, number[]>,
): { asked: number[]; told: number[]; says: number[] } => ({
  asked: all['title is asked']!,
  told: all['title is said']!,
  says: all['says a title']!,
});
