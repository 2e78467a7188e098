/** Tests the boundaries of lanes and the sources of each, with any text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FIXTURE_QUESTIONS, HOSTILE_QUESTIONS } from '../../../testing/fixture-corpus.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { findSources } from '../names/source-names.ts';
import { findDayRanges } from '../values/day-ranges.ts';
import { type Lane, lanesOf } from './lanes.ts';

const catalogue: MetadataCatalogue = {
  sources: [
    'Coast Courier',
    'Tarn Gazette',
    'The Meridian',
    'Life and Style',
    'Glass! Weekly',
    'Sand, Sea and Sky',
  ],
  days: ['2023-10-07', '2024-03-05'],
};
const texts = (question: string, known = catalogue): string[] =>
  lanesOf(question, known).map(({ text }) => text);
const shown = ({ text, sources, days }: Lane): unknown[] => [
  text,
  sources,
  days.map(({ from, to }) => [from, to]),
];

describe('boundaries', () => {
  test('splits at conjunctions, semicolons, commas and sentence ends', () => {
    assert.deepEqual(
      texts(
        'Did the council measure the smoke of furnaces, while the observatory counted fewer clear nights; or did the lamp burn blue?',
      ),
      [
        'Did the council measure the smoke of furnaces',
        'the observatory counted fewer clear nights',
        'did the lamp burn blue?',
      ],
    );
    assert.deepEqual(
      texts('The lighthouse at Harrow Point was sold. Who bought the old ropewalk there?'),
      ['The lighthouse at Harrow Point was sold.', 'Who bought the old ropewalk there?'],
    );
  });

  test('drops parts of fewer than four words', () => {
    assert.deepEqual(texts('Was the lighthouse at Harrow Point sold, lamp, rope, and boat?'), [
      'Was the lighthouse at Harrow Point sold',
    ]);
  });

  test('returns the question itself if it cannot be split', () => {
    assert.deepEqual(texts('Who bought the lighthouse?'), ['Who bought the lighthouse?']);
    assert.deepEqual(texts('ferry'), ['ferry']);
    assert.deepEqual(texts('lamp and rope'), ['lamp and rope']);
    assert.deepEqual(texts(''), ['']);
  });

  test('does not split a number at its comma', () => {
    assert.deepEqual(texts('Did the fair sell 4,000 tickets to summer visitors?'), [
      'Did the fair sell 4,000 tickets to summer visitors?',
    ]);
  });

  test('never splits a source’s name at its conjunction, comma or exclamation mark', () => {
    for (const name of ['Life and Style', 'Sand, Sea and Sky', 'Glass! Weekly']) {
      const question = `Which prize did ${name} praise for its large purse and who grinds lenses in Vell?`;
      assert.deepEqual(lanesOf(question, catalogue).map(shown), [
        [`Which prize did ${name} praise for its large purse`, [name], []],
        ['who grinds lenses in Vell?', [], []],
      ]);
    }
  });

  test('splits names that the catalogue lacks', () => {
    assert.deepEqual(
      texts('Which old prize did Life and Style praise for its large purse?', {
        sources: [],
        days: [],
      }),
      ['Which old prize did Life', 'Style praise for its large purse?'],
    );
  });

  test('never splits a date or a range of days', () => {
    const one = 'Was the long rope for the harbour measured on October 7, 2023 by the grinder?';
    assert.deepEqual(lanesOf(one, catalogue).map(shown), [
      [one, [], [['2023-10-07', '2023-10-07']]],
    ]);
    const both =
      'Did anyone measure the smoke of Tarn between October 7, 2023 and March 5, 2024 or count clear winter nights?';
    const [first, second] = lanesOf(both, catalogue);
    assert.equal(
      first!.text,
      'Did anyone measure the smoke of Tarn between October 7, 2023 and March 5, 2024',
    );
    assert.equal(second!.text, 'count clear winter nights?');
  });
});

describe('sources of lanes', () => {
  test('a part that only cites a source passes it to the next lane, once', () => {
    assert.deepEqual(
      lanesOf(
        'According to the Coast Courier article, which lens grinder won the Silver Prism, and whose lighthouse lamp burned blue on Friday?',
        catalogue,
      ).map(shown),
      [
        ['which lens grinder won the Silver Prism', ['Coast Courier'], []],
        ['whose lighthouse lamp burned blue on Friday?', [], []],
      ],
    );
  });

  test('a lane that names a source has that source', () => {
    const question =
      'According to the Coast Courier article, did the Tarn Gazette see furnace smoke, and was it the winter sky of The Meridian that cleared?';
    assert.deepEqual(
      lanesOf(question, catalogue).map(({ sources }) => sources),
      [['Tarn Gazette'], ['The Meridian']],
    );
  });

  test('lists a repeated source once', () => {
    assert.deepEqual(
      lanesOf('Did the Coast Courier sell a boat to the Coast Courier?', catalogue)[0]!.sources,
      ['Coast Courier'],
    );
  });
});

test('returns a repeated lane once', () => {
  const question = 'Did the lamp at Harrow burn, and did the lamp at Harrow burn';
  assert.deepEqual(texts(question), ['Did the lamp at Harrow burn', 'did the lamp at Harrow burn']);
  assert.deepEqual(texts('the lamp at Harrow burned; the lamp at Harrow burned'), [
    'the lamp at Harrow burned',
  ]);
});

/** Checks the invariants of the lanes of any text. */
function check(question: string, known: MetadataCatalogue): void {
  const lanes = lanesOf(question, known);
  assert.ok(lanes.length > 0);
  assert.equal(new Set(lanes.map(({ text }) => text)).size, lanes.length);
  for (const { text, sources } of lanes) {
    assert.ok(question.includes(text), `${text} is not part of ${question}`);
    assert.ok(text === question || text === text.trim());
    assert.equal(new Set(sources).size, sources.length);
    for (const source of sources) assert.ok(known.sources.includes(source));
  }
  const named = [...findSources(question, known.sources), ...findDayRanges(question, known.days)];
  for (const { text } of lanes)
    assert.ok(
      placesOf(text, question).some(start =>
        named.every(place => isWhole(place, start, start + text.length)),
      ),
      `${text} cuts a name or a date in ${question}`,
    );
  // Lanes are in the order of the question.
  let from = 0;
  for (const { text } of lanes) {
    assert.ok(question.indexOf(text, from) >= 0, `${text} precedes its predecessor`);
    from = question.indexOf(text, from) + 1;
  }
}

/** Returns all positions of the text in the question. */
function placesOf(text: string, question: string): number[] {
  const places: number[] = [];
  for (let at = question.indexOf(text); at >= 0; at = question.indexOf(text, at + 1)) {
    places.push(at);
    if (text === '') break;
  }
  return places;
}

/** Returns true if the range contains the place entirely or not at all. */
const isWhole = (
  place: { readonly start: number; readonly end: number },
  start: number,
  end: number,
): boolean =>
  place.end <= start || place.start >= end || (place.start >= start && place.end <= end);

test('invariants for questions of the fixture and the demo, and for hostile ones', () => {
  const demo = JSON.parse(
    readFileSync(new URL('../../../../demo/questions.json', import.meta.url), 'utf8'),
  ) as { query: string }[];
  const corpus = readFileSync(new URL('../../../../demo/corpus.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const documents = corpus.map(
    line => JSON.parse(line) as { source: string; published_at: string },
  );
  const known = {
    sources: [...new Set(documents.map(({ source }) => source))],
    days: [...new Set(documents.map(document => document.published_at.slice(0, 10)))].sort(),
  };
  for (const { query } of demo) {
    check(query, known);
  }
  for (const { text } of [...FIXTURE_QUESTIONS, ...HOSTILE_QUESTIONS]) check(text, catalogue);
});

const fragment = fc.oneof(
  fc.constantFrom(
    ...[
      'while',
      'and',
      ', ',
      '; ',
      '. ',
      'October 7, 2023',
      'between March 5 and October 7',
      'according to',
      'report',
      '😀',
      '\ud800',
      'İ',
      '\n\n',
    ],
    ...catalogue.sources,
    ...['lamp', 'rope', 'lens grinder', 'The', 'whose', 'Silver Prism', '4,000'],
  ),
  fc.string({ maxLength: 8 }),
);

test('invariants for any text: lanes are distinct parts of it, in order, and split no name', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), fc.constantFrom(' ', ''), (parts, joint) => {
      const question = parts.join(joint);
      check(question, catalogue);
      check(question, { sources: [], days: [] });
    }),
    { numRuns: 300 },
  );
});
