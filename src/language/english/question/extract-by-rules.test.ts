/** Tests the sources and days that questions name, by hand: aliases, days, unknown outlets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ExtractedFilter,
  type MetadataCatalogue,
  unknownSourceOnly,
} from '../../catalogue.ts';
import { findSources, sourceAliases } from '../names/source-names.ts';
import { extractByRules } from './extract-by-rules.ts';

const SOURCES = [
  'The Meridian',
  'Fortune',
  'Tarn Gazette',
  'The Harbour Daily Post',
  'Coast TV - Weather',
  'Coast TV - People',
  'VTSports.com',
  'The Roar | Boat Writers Blog',
];
const CATALOGUE: MetadataCatalogue = {
  sources: SOURCES,
  days: ['2023-10-07', '2023-11-02', '2024-01-20', '2024-03-05'],
};
const extract = (question: string): ExtractedFilter => extractByRules(question, CATALOGUE);
const sourcesIn = (question: string): readonly string[] => extract(question).sources;

describe('aliases of the catalogue', () => {
  test('are the part before a separator, without "The", without a web ending, split words, initials', () => {
    assert.deepEqual(sourceAliases('The Roar | Boat Writers Blog'), ['The Roar', 'Roar', 'ROAR']);
    assert.deepEqual(sourceAliases('Coast TV - Weather'), ['Coast TV']);
    assert.deepEqual(sourceAliases('VTSports.com').sort(), [
      'VT Sports',
      'VT Sports.com',
      'VTSports',
    ]);
    assert.deepEqual(sourceAliases('The Harbour Daily Post'), ['Harbour Daily Post', 'HDP']);
    assert.deepEqual(sourceAliases('Live Tides: All the Tides'), ['Live Tides']);
    assert.deepEqual(sourceAliases('Cnbz | Leader'), ['Cnbz', 'CNBZ']);
    assert.deepEqual(sourceAliases('Fortune'), []);
  });

  test('prefers the longest name; an ambiguous alias names all its sources', () => {
    assert.deepEqual(sourcesIn('What did Coast TV - Weather say?'), ['Coast TV - Weather']);
    assert.deepEqual(sourcesIn('What did Coast TV say?'), [
      'Coast TV - People',
      'Coast TV - Weather',
    ]);
    assert.deepEqual(sourcesIn("Did the HDP, VT Sports' crew and 'The Roar' agree?"), [
      'The Harbour Daily Post',
      'VTSports.com',
      'The Roar | Boat Writers Blog',
    ]);
    assert.deepEqual(findSources('the Meridian', SOURCES), [
      { names: ['The Meridian'], start: 0, end: 12 },
    ]);
  });

  test('matches no part of a word, no common noun, no part of a longer name', () => {
    assert.deepEqual(sourcesIn('Who made a fortune, and who is unFortunes?'), []);
    assert.deepEqual(sourcesIn('Did FORTUNE and tarn gazette report it?'), [
      'Fortune',
      'Tarn Gazette',
    ]);
    assert.deepEqual(sourcesIn('Is Prime Meridian Park in Tarn?'), []);
    assert.deepEqual(sourcesIn('Did the Meridian report it?'), ['The Meridian']);
    assert.deepEqual(sourcesIn('Which Meridian article reported it?'), ['The Meridian']);
    assert.deepEqual(sourcesIn('By whom? Per Meridian, by nobody.'), ['The Meridian']);
  });
});

describe('days of a question', () => {
  test('a day applies to the adjacent source', () => {
    assert.deepEqual(
      extract('Did the Tarn Gazette report of March 5, 2024 agree with Fortune?').days,
      [{ from: '2024-03-05', to: '2024-03-05', source: 'Tarn Gazette' }],
    );
    assert.equal(
      extract('After Fortune reported it on October 7, 2023, did Fortune report it again?').days
        .length,
      0,
    );
    assert.deepEqual(extract('On October 7, 2023, Fortune reported it').days, [
      { from: '2023-10-07', to: '2023-10-07', source: 'Fortune' },
    ]);
  });

  test('dates of events are not days of publication; two days of one source both apply', () => {
    const days = (question: string): string =>
      extract(question)
        .days.map(({ from, source }) => `${source ?? 'all'} ${from}`)
        .join(', ');
    assert.equal(
      days(
        'Which works, named by Fortune as the best of all the many works in the whole wide valley of Tarn, opens on March 5, 2024?',
      ),
      '',
    );
    assert.equal(days('Which works opens on March 5, 2024?'), 'all 2024-03-05');
    assert.equal(
      days(
        'Between the Fortune report on the glass works and its many ovens in the valley published on October 7, 2023, and the Fortune report of March 5, 2024, did Fortune change?',
      ),
      'Fortune 2023-10-07, Fortune 2024-03-05',
    );
  });
});

describe('unknown outlets', () => {
  test('are cited outlets that are not in the catalogue', () => {
    const only = extract(
      "Which singer, according to a Rolling Boat piece and reported by 'Reefers', likes glass?",
    );
    assert.deepEqual(
      [only.sources, only.unknown, unknownSourceOnly(only)],
      [[], ['Rolling Boat', 'Reefers'], true],
    );
    const both = extract('Do the Fortune article and the Rolling Boat article agree?');
    assert.deepEqual(
      [both.sources, both.unknown, unknownSourceOnly(both)],
      [['Fortune'], ['Rolling Boat'], false],
    );
    assert.deepEqual(
      extract(
        'Did The Roar report and the Tarn Gazette article agree on the October 7, 2023 report?',
      ).unknown,
      [],
    );
  });
});
