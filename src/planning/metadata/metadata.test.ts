/** Tests filters of extracted metadata, their relaxation, recorded filters, the catalogue. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { matches } from '../../core/corpus/filter.ts';
import { printFilter } from '../../core/corpus/filter-expression.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { ExtractedFilter, MetadataCatalogue } from '../../language/catalogue.ts';
import { extractByRules } from '../../language/english/question/extract-by-rules.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { metadataCatalogue } from './extractor.ts';
import { extractorsWith, metadataExtractors } from './extractors.ts';
import { groundedFilter, metadataFilter, relaxations } from './metadata-filter.ts';
import { cleanedFilter, readRecordedFilters } from './replayed.ts';

const CATALOGUE: MetadataCatalogue = {
  sources: ['Fortune', 'Tarn Gazette'],
  days: ['2023-10-07', '2023-11-02', '2024-01-20', '2024-03-05'],
};
const extract = (question: string): ExtractedFilter => extractByRules(question, CATALOGUE);
const printed = (question: string): string => {
  const filter = metadataFilter(extract(question));
  return filter ? printFilter(filter) : '';
};

describe('the filter', () => {
  test('restricts the sources that have days of their own to these; unknown sources stand too', () => {
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
      printed('What did a Rolling Boat piece say?'),
      printFilter({ op: 'in', field: 'source', values: ['Rolling Boat'] }),
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
