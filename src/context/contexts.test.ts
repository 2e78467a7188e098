/** Compares contexts with examples worked by hand: text, tokens, parts and prices. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defined } from '../core/defined.ts';
import { freeCall } from '../core/trace/call.ts';
import type { ContextText, EvidenceItem } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { keptSpans } from './by-document.ts';
import type { Context } from './context.ts';
import { contexts } from './contexts.ts';

const harbour = {
  id: 'h',
  title: 'Harbour news',
  text: 'One two three. Four five six. Seven eight nine.',
  metadata: { source: 'Courier', published_at: '2024-03-05T08:00:00Z' },
};
const bare = { id: 'b', title: '', text: 'Plain words here.', metadata: {} };
const empty = { id: 'e', title: '', text: '', metadata: {} };
const engine = new EmbeddedEngine({ documents: [harbour, bare, empty] });
const bind = (name: string): Context =>
  contexts.create(name).bind(engine.current, freeCall(), { id: 'q', text: 'q' });
const kept = (documentId: string, ...spans: [number, number][]): EvidenceItem =>
  defined({
    id: spans.length > 0 ? `${documentId}${spans.flat().join('-')}` : documentId,
    documentId,
    search: { hop: 0, search: 0 },
    score: 1,
    spans: spans.length > 0 ? spans : undefined,
  });
const build = (
  name: string,
  items: readonly EvidenceItem[],
  tokens = Number.POSITIVE_INFINITY,
): Promise<ContextText> => bind(name).build({ id: 'q', text: 'q' }, items, tokens);

test('spans of evidence ascend, with overlaps merged', () => {
  assert.deepEqual(
    keptSpans(harbour, [
      kept('h', [20, 25]),
      kept('h', [0, 5]),
      kept('h', [3, 9]),
      kept('h', [25, 30]),
    ]),
    [
      [0, 9],
      [20, 30],
    ],
  );
  assert.deepEqual(keptSpans(harbour, [kept('h', [3, 5]), kept('h')]), [[0, 47]]);
  assert.deepEqual(keptSpans(harbour, []), []);
});

describe('lead', () => {
  test('shows the first words of each of two adjacent passages', async () => {
    const { text, tokens } = await build('lead(words=2)', [
      kept('h', [15, 29]),
      kept('h', [0, 15]),
    ]);
    assert.equal(text, 'Harbour news | Courier | 2024-03-05\nOne two\nFour five');
    assert.equal(tokens, 6 + 4);
  });
});

test('headers: no word of the body; a document without a header shows its id', async () => {
  assert.deepEqual(
    (await build('headers', [kept('h'), kept('b'), kept('h', [0, 3])])).text,
    'Harbour news | Courier | 2024-03-05\n\nb',
  );
});

test('leaves out a document that does not fit; a later one may fit', async () => {
  assert.equal((await build('whole', [kept('h'), kept('b')], 14)).text, 'Plain words here.');
  assert.equal((await build('whole', [kept('h'), kept('b')], 15)).tokens, 15);
  assert.equal((await build('whole', [kept('h'), kept('b')], 18)).tokens, 18);
  assert.equal((await build('whole', [kept('h'), kept('b')], 2)).text, '');
});

test('the price of an item excludes a header and words that are shown already', async () => {
  const whole = bind('whole');
  assert.equal(await whole.cost(kept('h', [0, 14]), []), 6 + 3);
  assert.equal(await whole.cost(kept('h', [15, 29]), [kept('h', [0, 14])]), 3);
  assert.equal(await whole.cost(kept('h', [0, 29]), [kept('h', [0, 14])]), 3);
  assert.equal(await whole.cost(kept('h', [0, 3]), [kept('b'), kept('h')]), 0);
});
