/**
 * Checks every filter operation of an engine against a second, independent definition of filters.
 */
import type { Document, MetadataValue } from '../core/corpus/document.ts';
import type { Filter, Scalar } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import type { Ranking, Unit } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import { type Capabilities, filterOperations } from '../search/capabilities.ts';
import type { SearchEngine } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from './fixture-corpus.ts';
import { isInput, same, throws } from './law.ts';

const eq = (field: string, value: Scalar): Filter => ({ op: 'eq', field, value });
const range = (field: string, from?: string | number, to?: string | number): Filter =>
  defined({ op: 'range', field, from, to });

/** Each filter with a hand-written test for the documents of the fixture corpus that pass it. */
const JUDGED: readonly (readonly [Filter, (document: Document) => boolean])[] = [
  [eq('source', 'Coast Courier'), ({ metadata }) => metadata['source'] === 'Coast Courier'],
  [eq('year', 2024), ({ metadata }) => metadata['year'] === 2024],
  [eq('featured', true), ({ id }) => id === 'foreign-words'],
  [eq('featured', false), ({ id }) => id === 'boat-builder'],
  [eq('tags', 'glass'), ({ id }) => id === 'osk-maren'],
  [eq('published_at', '2024-03-05'), ({ id }) => id === 'furnace-smoke'],
  [eq('published_at', '2023-10-07'), ({ id }) => id === 'ropewalk-history'],
  [eq('source', 'nobody'), () => false],
  [
    { op: 'in', field: 'category', values: ['property', 'science'] },
    ({ metadata }) => isOneOf(metadata['category'], ['property', 'science']),
  ],
  [{ op: 'in', field: 'category', values: [] }, () => false],
  [
    { op: 'nin', field: 'category', values: ['property'] },
    ({ metadata }) => metadata['category'] !== 'property',
  ],
  [
    { op: 'nin', field: 'tags', values: ['glass', 'stars'] },
    ({ id }) => id !== 'osk-maren' && id !== 'vell-observatory',
  ],
  [
    range('published_at', '2024-02'),
    ({ metadata }) => String(metadata['published_at'] ?? '') >= '2024-02',
  ],
  [
    range('published_at', undefined, '2023'),
    ({ metadata }) => String(metadata['published_at'] ?? '9').startsWith('2023'),
  ],
  [
    range('published_at', '2024-02-11', '2024-02-29'),
    ({ id }) => id === 'quill-works' || id === 'foreign-words',
  ],
  [range('rating', 4, 5), ({ id }) => id === 'foreign-words'],
  [range('year', Number.NEGATIVE_INFINITY), ({ metadata }) => typeof metadata['year'] === 'number'],
  [range('year', Number.POSITIVE_INFINITY), () => false],
  [range('year', 2024), ({ metadata }) => metadata['year'] === 2024],
  [{ op: 'and', filters: [] }, () => true],
  [{ op: 'or', filters: [] }, () => false],
  [
    { op: 'and', filters: [eq('source', 'Coast Courier'), eq('category', 'property')] },
    ({ id }) => ['lighthouse-sold', 'boat-builder'].includes(id),
  ],
  [
    { op: 'or', filters: [eq('tags', 'stars'), eq('source', 'Notices')] },
    ({ id }) => ['vell-observatory', 'twin-a', 'twin-b'].includes(id),
  ],
  [
    { op: 'not', filter: eq('source', 'Coast Courier') },
    ({ metadata }) => metadata['source'] !== 'Coast Courier',
  ],
  [{ op: 'not', filter: { op: 'and', filters: [] } }, () => false],
];

function isOneOf(value: MetadataValue | undefined, values: readonly string[]): boolean {
  return typeof value === 'string' && values.includes(value);
}

/**
 * Checks each filter whose operations the engine states: a filtered search returns the hits of the
 * unfiltered one that pass, with equal scores. Other filters must be rejected.
 */
export async function checkFilters(
  engine: SearchEngine,
  { units, filters }: Capabilities,
): Promise<void> {
  const can = (filter: Filter): boolean =>
    filterOperations(filter).every(operation => filters.includes(operation));
  for (const unit of units)
    for (const [filter, passes] of JUDGED)
      if (can(filter)) await checkFilter(engine, unit, filter, passes);
  const beyond = JUDGED.find(([filter]) => !can(filter));
  if (beyond)
    await throws(
      () =>
        engine.search({ unit: units[0]!, k: 1, queries: [{ text: 'x', filter: beyond[0] }] }, call),
      isInput(),
      `an unstated filter operation, ${JSON.stringify(beyond[0])}`,
      'an InputError',
    );
}

const call = freeCall();
const TEXTS = [
  ...FIXTURE_QUESTIONS.map(({ text }) => text),
  'the a of in nobody notice ferry 東京',
];

async function checkFilter(
  engine: SearchEngine,
  unit: Unit,
  filter: Filter,
  passes: (document: Document) => boolean,
): Promise<void> {
  const allowed = new Set(FIXTURE_DOCUMENTS.filter(passes).map(({ id }) => id));
  const search = (k: number, fields: object): Promise<Ranking[]> =>
    engine.search({ unit, k, queries: TEXTS.map(text => ({ text, ...fields })) }, call);
  const expected = (await search(1000, {})).map(ranking =>
    ranking.filter(hit => allowed.has(hit.documentId)),
  );
  same(await search(1000, { filter }), expected, `${unit}s under ${JSON.stringify(filter)}`);
  // Filters apply before top-k: the first two that pass are returned even if better ones do not.
  same(
    await search(2, { filter }),
    expected.map(ranking => ranking.slice(0, 2)),
    `the first two ${unit}s under ${JSON.stringify(filter)}`,
  );
}
