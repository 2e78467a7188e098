/**
 * Tests metadata extraction by hand: sources and aliases, dates and ranges, unknown outlets,
 * recorded filters.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { matches } from '../../core/corpus/filter.ts';
import { printFilter } from '../../core/corpus/filter-expression.ts';
import { freeCall } from '../../core/trace/call.ts';
import {
  type ExtractedFilter,
  type MetadataCatalogue,
  unknownSourceOnly,
} from '../../language/catalogue.ts';
import { findSources, sourceAliases } from '../../language/english/names/source-names.ts';
import { extractByRules } from '../../language/english/question/extract-by-rules.ts';
import { findDayRanges } from '../../language/english/values/day-ranges.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { metadataCatalogue } from './extractor.ts';
import { extractorsWith, metadataExtractors } from './extractors.ts';
import { groundedFilter, metadataFilter, relaxations } from './metadata-filter.ts';
import { cleanedFilter, readRecordedFilters } from './replayed.ts';

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
const printed = (question: string): string => {
  const filter = metadataFilter(extract(question));
  return filter ? printFilter(filter) : '';
};
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

describe('days and ranges', () => {
  const ranges = (text: string): string =>
    findDayRanges(text, CATALOGUE.days)
      .map(({ from, to }) => (from === to ? from : `${from ?? ''}..${to ?? ''}`))
      .join(' ');
  for (const [text, expected] of [
    ['on October 7, 2023 and 2024-01-20', '2023-10-07 2024-01-20'],
    ['on 2 November 2023', '2023-11-02'],
    ['on October 7', '2023-10-07'],
    ['on the 20th of January', '2024-01-20'],
    ['on July 4', ''],
    ['in November', '2023-11-01..2023-11-30'],
    ['in early March', '2024-03-01..2024-03-31'],
    ['in February 2024', '2024-02-01..2024-02-29'],
    ['you may march in may', ''],
    ['May the army march', ''],
    ['between October 7, 2023 and January 20, 2024', '2023-10-07..2024-01-20'],
    ['between October 7 and November 2, 2023', '2023-10-07..2023-11-02'],
    ['from October to November', '2023-10-01..2023-11-30'],
    [
      'between the report of October 7, 2023 and the one of January 20, 2024',
      '2023-10-07 2024-01-20',
    ],
    ['between October 7 and 9, 2023', '2023-10-07..2023-10-09'],
    ['from October 7 to 9', '2023-10-07..2023-10-09'],
    ['October 7-9, 2023', '2023-10-07..2023-10-09'],
    ['between 7 and 9 October 2023', '2023-10-07..2023-10-09'],
    ['between October 7 and November 2', '2023-10-07..2023-11-02'],
    ['on October 7 and 9 others', '2023-10-07'],
    ['between October 7 and 40 days later', '2023-10-07'],
    ['after October 7, 2023, and before January 20, 2024', '2023-10-07..2024-01-20'],
    ['before January 20, 2024 but after October 7, 2023', '2023-10-07..2024-01-20'],
    ['after January 20, 2024 and before October 7, 2023', '2024-01-20.. ..2023-10-07'],
    [
      'after October 7, 2023 Fortune and before January 20, 2024 Kettle',
      '2023-10-07.. ..2024-01-20',
    ],
    ['before October 7, 2023', '..2023-10-07'],
    ['until October 7, 2023', '..2023-10-07'],
    ['after December 31, 2023', '2023-12-31..'],
    ['since October', '2023-10-01..'],
    ['after the report on October 7, 2023', '2023-10-07'],
    ['on February 31, 2024 or February 31', ''],
  ] as const)
    test(text, () => assert.equal(ranges(text), expected));
});

describe('the filter', () => {
  test('a day applies to the adjacent source', () => {
    assert.equal(
      printed('Did the Tarn Gazette report of March 5, 2024 agree with Fortune?'),
      printFilter({
        op: 'or',
        filters: [
          {
            op: 'and',
            filters: [
              { op: 'in', field: 'source', values: ['Tarn Gazette'] },
              { op: 'range', field: 'published_at', from: '2024-03-05', to: '2024-03-05' },
            ],
          },
          { op: 'in', field: 'source', values: ['Fortune'] },
        ],
      }),
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

  test('a day far from any source applies to all sources without days of their own', () => {
    const filter = metadataFilter({
      ...extract('Fortune'),
      days: [{ from: '2023-10-07', to: '2023-10-07' }],
    })!;
    assert.equal(
      matches(filter, { source: 'Fortune', published_at: '2023-10-07T10:00:00Z' }),
      true,
    );
    assert.equal(
      matches(filter, { source: 'Fortune', published_at: '2023-10-08T00:00:00Z' }),
      false,
    );
    assert.equal(matches(filter, { source: 'Tarn Gazette', published_at: '2023-10-07' }), false);
    assert.equal(metadataFilter(extract('Who built the bridge?')), undefined);
  });

  test('relaxation drops days first, then sources', () => {
    const steps = relaxations(extract('Did Fortune report on October 7, 2023?'));
    assert.deepEqual(
      steps.map(({ filter, relaxed }) => [filter ? printFilter(filter) : '', relaxed]),
      [
        [printed('Did Fortune report on October 7, 2023?'), undefined],
        [printed('Fortune'), 'dates dropped: nothing passed them'],
        ['', 'dates and sources dropped: nothing passed them'],
      ],
    );
    assert.deepEqual(relaxations(extract('Who?')), [{}]);
    assert.equal(relaxations(extract('Fortune')).length, 2);
  });

  test('drops sources for a corpus without sources, and days for one without days', () => {
    const extracted = extract(
      'Did the Fortune report of October 7, 2023 and a Rolling Boat piece agree?',
    );
    assert.deepEqual(groundedFilter(extracted, { sources: [], days: CATALOGUE.days }, true), {
      sources: [],
      excluded: [],
      unknown: [],
      days: [],
    });
    assert.deepEqual(groundedFilter(extracted, { ...CATALOGUE, days: [] }, true).days, []);
    assert.deepEqual(groundedFilter(extracted, CATALOGUE, false).days, []);
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
    assert.equal(
      printFilter(metadataFilter(only)!),
      printFilter({ op: 'in', field: 'source', values: ['Rolling Boat', 'Reefers'] }),
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

describe('recorded filters', () => {
  test('are cleaned: case folded, unknown sources reported, all dates dropped for one bad date', () => {
    const raw = {
      source: { $in: ['fortune', 'Bloomberg'] },
      published_at: { $in: ['October 7, 2023'] },
      extra: 1,
    };
    assert.deepEqual(cleanedFilter(raw, CATALOGUE), {
      sources: ['Fortune'],
      excluded: [],
      unknown: ['Bloomberg'],
      days: [{ from: '2023-10-07', to: '2023-10-07' }],
    });
    assert.deepEqual(
      cleanedFilter({ published_at: { $in: ['October 7, 2023', 'soon'] } }, CATALOGUE).days,
      [],
    );
    assert.deepEqual(cleanedFilter({ source: { $nin: ['Fortune'] } }, CATALOGUE).excluded, [
      'Fortune',
    ]);
    assert.deepEqual(cleanedFilter({ source: { $ne: 'Fortune' } }, CATALOGUE).excluded, [
      'Fortune',
    ]);
  });

  test('accepts any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), raw => {
        cleanedFilter(raw, CATALOGUE);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        question => void metadataFilter(extractByRules(question, CATALOGUE)),
      ),
    );
  });

  test('"replayed" looks recorded filters up, and fails without them', async () => {
    const recorded = readRecordedFilters([
      { query: 'q', filter: { source: { $in: ['Fortune'] } } },
    ]);
    const extractor = extractorsWith(recorded).create('replayed');
    assert.deepEqual((await extractor.extract('q', CATALOGUE, freeCall())).sources, ['Fortune']);
    assert.deepEqual((await extractor.extract('another', CATALOGUE, freeCall())).sources, []);
    await assert.rejects(
      metadataExtractors.create('replayed').extract('q', CATALOGUE, freeCall()),
      { code: 'no-filters' },
    );
    const nothing = await metadataExtractors
      .create('none')
      .extract('What did Fortune say on May 1, 2023?', CATALOGUE, freeCall());
    assert.equal(metadataFilter(nothing), undefined);
    for (const bad of [{}, [1], [{ filter: {} }]])
      assert.throws(() => readRecordedFilters(bad), { code: 'bad-filters' });
  });
});

test('reads the catalogue of an engine once per snapshot', async () => {
  const engine = new EmbeddedEngine({
    documents: [
      {
        id: 'a',
        title: '',
        text: 'x',
        metadata: { source: 'Fortune', published_at: '2024-01-20T09:00:00Z' },
      },
      { id: 'b', title: '', text: 'y', metadata: { source: 'Fortune', published_at: 'soon' } },
    ],
  });
  const read = async (of: EmbeddedEngine) => {
    const { hasDays, spellings, ...catalogue } = await metadataCatalogue(of.current, freeCall());
    return { catalogue, hasDays: hasDays!, spellings };
  };
  const { catalogue, hasDays } = await read(engine);
  assert.deepEqual(catalogue, {
    sources: ['Fortune'],
    aliases: [{ text: 'Fortune', folds: true, names: ['Fortune'] }],
    days: ['2024-01-20'],
  });
  assert.deepEqual(await hasDays(['2024-01-20', '2024-01-21'], freeCall()), ['2024-01-20']);
  assert.equal((await read(engine)).catalogue.aliases, catalogue.aliases);
  assert.equal((await read(engine)).spellings, (await read(engine)).spellings);
  assert.deepEqual((await read(new EmbeddedEngine())).catalogue, {
    sources: [],
    aliases: [],
    days: [],
  });
});
