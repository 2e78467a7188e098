/** FilterAccuracy by hand-worked traces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metadata } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import type { ModelOutput, Trace } from '../core/trace/trace.ts';
import type { Example, Records } from './example.ts';
import { emptyLawTrace } from './measure-fixtures.ts';
import { measure } from './measures.ts';

const metadata: Readonly<Record<string, Metadata>> = {
  a: { source: 'Alpha', published_at: '2024-01-01T10:00:00Z' },
  b: { source: 'Beta', published_at: '2024-01-02' },
};
const records: Records = { text: () => '', metadata: id => metadata[id] };
const example: Example = {
  id: 'q',
  question: { id: 'q', text: 'Question?' },
  answers: [],
  gold: ['a', 'b', 'a'].map(documentId => ({ documentId, title: '' })),
};
const sources = (...values: string[]): Filter => ({ op: 'in', field: 'source', values });

function traceWith(outputs: readonly ModelOutput[], ...filters: readonly Filter[]): Trace {
  const trace = emptyLawTrace(example);
  const searches = filters.map(filter => ({ ...trace.hops[0]!.searches[0]!, filter }));
  return {
    ...trace,
    hops: [
      searches.length > 0
        ? { ...trace.hops[0]!, searches, outputs }
        : { ...trace.hops[0]!, outputs },
    ],
  };
}
const saying = (filter: Filter | null): Trace =>
  traceWith([{ role: 'metadata', text: JSON.stringify({ filter }), parsed: true }]);
const scores = (trace: Trace, of: Records = records): unknown[] =>
  ['exact', 'keeps', 'passes'].map(form =>
    measure(`FilterAccuracy(${form})`).score(example, trace, of),
  );

test('scores exact, wider and incomplete sources', () => {
  assert.deepEqual(scores(saying(sources('Beta', 'Alpha'))), [1, 1, 1]);
  assert.deepEqual(scores(saying(sources('Alpha', 'Beta', 'Gamma'))), [0, 1, 1]);
  assert.deepEqual(scores(saying(sources('Alpha'))), [0, 0, 0]);
});

test('counts no source for a missing filter, nor excluded sources', () => {
  assert.deepEqual(scores(saying(null)), [0, 0, 1]);
  assert.deepEqual(scores(saying({ op: 'nin', field: 'source', values: ['Alpha'] })), [0, 0, 0]);
  assert.deepEqual(scores(saying({ op: 'not', filter: sources('Gamma') })), [0, 0, 1]);
});

test('counts days if the whole filter is scored', () => {
  const day: Filter = { op: 'range', field: 'published_at', from: '2024-01-01', to: '2024-01-01' };
  assert.deepEqual(
    scores(saying({ op: 'and', filters: [sources('Alpha', 'Beta'), day] })),
    [1, 1, 0],
  );
  const alphaDay: Filter = {
    op: 'and',
    filters: [{ op: 'eq', field: 'source', value: 'Alpha' }, day],
  };
  assert.deepEqual(scores(saying({ op: 'or', filters: [alphaDay, sources('Beta')] })), [1, 1, 1]);
});

test('reads the recorded filter, else the filters of the searches', () => {
  assert.deepEqual(scores(traceWith([], sources('Alpha'), sources('Beta'))), [1, 1, 1]);
  const outputs = saying(sources('Alpha')).hops[0]!.outputs!;
  assert.deepEqual(scores(traceWith(outputs, sources('Alpha', 'Beta'))), [0, 0, 0]);
});

test('has no value without a readable filter, gold or its metadata', () => {
  const none = [undefined, undefined, undefined];
  assert.deepEqual(scores(traceWith([])), none);
  assert.deepEqual(scores(saying(sources('Alpha')), { text: () => '' }), none);
  assert.deepEqual(
    scores(saying(sources('Alpha')), { text: () => '', metadata: () => undefined }),
    none,
  );
  for (const text of ['', 'null', '{}', '{"filter":{"op":"like"}}'])
    assert.deepEqual(scores(traceWith([{ role: 'metadata', text, parsed: true }])), none, text);
  assert.equal(
    measure('FilterAccuracy').score({ ...example, gold: [] }, saying(null), records),
    undefined,
  );
});
