/**
 * Compares the context `sentences` with examples worked by hand, and tests it with any evidence in
 * any order.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sentencesOf } from '../core/corpus/chunker.ts';
import type { Span } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { wordRuns } from '../core/text/words.ts';
import { freeCall } from '../core/trace/call.ts';
import type { ContextText, EvidenceItem, Question } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../testing/fixture-corpus.ts';
import type { Context } from './context.ts';
import { contexts } from './contexts.ts';

const unlimited = Number.POSITIVE_INFINITY;
const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
const bind = (name: string, question: Question): Context =>
  contexts.create(name).bind(engine.current, freeCall(), question);
const sentences = new Map(
  FIXTURE_DOCUMENTS.map(document => [
    document.id,
    sentencesOf(document).map(({ start, end }): Span => [start, end]),
  ]),
);
const kept = (documentId: string, ...spans: Span[]): EvidenceItem =>
  defined({
    id: `${documentId}#${spans.flat().join('-')}`,
    documentId,
    search: { hop: 0, search: 0 },
    score: 1,
    spans: spans.length > 0 ? spans : undefined,
  });

describe('the lighthouse', () => {
  const question = {
    id: 'q',
    text: 'Who founded the works of the glass maker, and will keep the lamp burning?',
  };
  const id = 'lighthouse-sold';
  const [sold, buyer, lamp, council] = sentences.get(id) as [Span, Span, Span, Span];
  const build = (name: string, ...items: readonly EvidenceItem[]): Promise<ContextText> =>
    bind(name, question).build(question, items, unlimited);
  const spansOf = async (
    most: number,
    ...items: readonly EvidenceItem[]
  ): Promise<readonly Span[]> =>
    (await build(`sentences(perDocument=${most})`, ...items)).parts[0]!.spans;

  test('shows a sentence once; the second time it costs nothing', async () => {
    const context = bind('sentences(perDocument=1)', question);
    assert.equal(await context.cost(kept(id, buyer), [kept(id)]), 0);
    assert.equal(await context.cost(kept(id), [kept(id, buyer)]), 0);
    assert.deepEqual(
      (await build('sentences(perDocument=1)', kept(id), kept(id, buyer))).parts[0]!.id,
      kept(id).id,
    );
    assert.deepEqual(await spansOf(1, kept(id), kept(id, [buyer[0], buyer[0] + 12])), [buyer]);
  });

  test('a passage shows the best sentences of the document that it contains, at least one', async () => {
    assert.deepEqual(await spansOf(1, kept(id, [sold[0], buyer[1]])), [buyer]);
    assert.deepEqual(await spansOf(1, kept(id, [lamp[0], council[1]])), [lamp]);
    assert.deepEqual(
      await spansOf(1, kept(id, [lamp[0], council[1]]), kept(id, [sold[0], buyer[1]])),
      [buyer, lamp],
    );
  });
});

test('any kept items in any order: prices add up and are not negative, and every shown span is a sentence, or the piece of one that was kept', async () => {
  const item = fc.record({
    document: fc.nat(FIXTURE_DOCUMENTS.length - 1),
    form: fc.nat(3),
    from: fc.nat(60),
    length: fc.nat(40),
  });
  const items = fc.uniqueArray(item, {
    maxLength: 8,
    selector: ({ document, form, from, length }) => `${document} ${form} ${from} ${length}`,
  });
  await fc.assert(
    fc.asyncProperty(
      items,
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(...FIXTURE_QUESTIONS),
      async (items, most, question) => {
        const list = items.map(({ document, form, from, length }) =>
          keptAt(document, form, from, length),
        );
        const context = bind(`sentences(perDocument=${most})`, question);
        let sum = 0;
        for (const [index, next] of list.entries()) {
          const price = await context.cost(next, list.slice(0, index));
          assert.ok(price >= 0, `${price}`);
          sum += price;
        }
        const { tokens, parts, text } = await context.build(question, list, unlimited);
        assert.equal(tokens, sum);
        assert.equal(
          (await context.build(question, [...list].reverse(), unlimited)).tokens,
          tokens,
        );
        for (const { documentId, spans, start, end } of parts)
          checkSpans(list, documentId, spans, text.slice(start, end));
      },
    ),
    { numRuns: 400 },
  );
});

/** A document, one of its sentences, some neighbouring sentences, or some of its words. */
function keptAt(document: number, form: number, from: number, length: number): EvidenceItem {
  const { id, text } = FIXTURE_DOCUMENTS[document]!;
  if (form === 0) return kept(id);
  const units =
    form === 3 ? [...wordRuns(text)].map(([start, end]): Span => [start, end]) : sentences.get(id)!;
  const first = from % units.length;
  const last = form === 1 ? first : Math.min(units.length - 1, first + length);
  return kept(id, [units[first]![0], units[last]![1]]);
}

function checkSpans(
  list: readonly EvidenceItem[],
  documentId: string,
  spans: readonly Span[],
  part: string,
): void {
  const sentenceSpans = sentences.get(documentId)!;
  const { text } = FIXTURE_DOCUMENTS.find(({ id }) => id === documentId)!;
  const edges = new Set(
    list
      .filter(item => item.documentId === documentId)
      .flatMap(item => (item.spans ?? [[0, text.length]]).flat()),
  );
  assert.ok(spans.length > 0);
  for (const [index, [start, end]] of spans.entries()) {
    assert.ok(index === 0 || spans[index - 1]![1] <= start, 'ascending and apart');
    const sentence = sentenceSpans.find(([from, to]) => from <= start && start < end && end <= to);
    assert.ok(sentence, `${start}-${end} lies in one sentence`);
    assert.ok(
      (start === sentence[0] || edges.has(start)) && (end === sentence[1] || edges.has(end)),
      'whole, or cut where what was kept is cut',
    );
    assert.ok(part.includes(text.slice(start, end)));
  }
}
