/**
 * Tests the passages that a prompt shows, the positions of their sentences, and the evidence item
 * of each sentence.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contexts } from '../context/contexts.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Evidence, EvidenceItem } from '../core/trace/trace.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { citationOf, cutAfter, shownPassages } from './shown-passages.ts';

const engine = new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS });
const question = { id: 'q', text: 'Who?' };

test('head and body are the words of the part, and every sentence is at its offset in the body', async () => {
  const keeps = fc.array(
    fc.record({
      document: fc.nat(FIXTURE_DOCUMENTS.length - 1),
      from: fc.nat(80),
      length: fc.integer({ min: 1, max: 120 }),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const names = ['whole', 'lead', 'lead(words=7)', 'headers'];
  await fc.assert(
    fc.asyncProperty(keeps, fc.constantFrom(...names), async (shown, name) => {
      const kept = shown.map(({ document, from, length }, at): EvidenceItem => {
        const { id, text } = FIXTURE_DOCUMENTS[document]!;
        const start = Math.min(from, text.length - 1);
        return {
          id: `${id}#${at}`,
          documentId: id,
          search: { hop: 0, search: 0 },
          score: 1,
          spans: [[start, Math.min(text.length, start + length)]],
        };
      });
      const context = await contexts
        .create(name)
        .bind(engine.current, freeCall(), question)
        .build(question, kept, Number.POSITIVE_INFINITY);
      for (const [at, { head, body, sentences }] of (
        await shownPassages(context, engine.current, freeCall())
      ).entries()) {
        const part = context.parts[at]!;
        assert.equal(
          [head, body].filter(Boolean).join('\n'),
          context.text.slice(part.start, part.end),
        );
        for (const [index, { text, endsAt }] of sentences.entries()) {
          assert.equal(body.slice(endsAt - text.length, endsAt), text);
          assert.ok(cutAfter({ head, body, sentences }, index).body.endsWith(text));
        }
        assert.equal(sentences.length > 0, body.trim() !== '');
      }
    }),
    { numRuns: 60 },
  );
});

test('a context of another form is one body, in which all sentences end at its end', async () => {
  const text = 'Quill: founder of the works';
  const part = {
    id: 'quill-works',
    documentId: 'quill-works',
    start: 0,
    end: text.length,
    spans: [[0, 58]] as const,
  };
  const [passage] = await shownPassages(
    { name: 'mine', text, tokens: 5, parts: [part] },
    engine.current,
    freeCall(),
  );
  assert.deepEqual([passage!.head, passage!.body], ['', text]);
  assert.ok(passage!.sentences.every(({ endsAt }) => endsAt === text.length));
});

test('a citation names the item that contains most of the sentence, and its part in it', () => {
  const item = (id: string, ...spans: [number, number][]): Evidence => ({
    id,
    documentId: 'd',
    title: '',
    metadata: {},
    score: 1,
    spans,
  });
  const sentence = { part: 0, id: 'd', documentId: 'd', start: 40, end: 60, text: '' };
  assert.deepEqual(citationOf(sentence, [item('a', [0, 45]), item('b', [44, 100])]), {
    id: 'b',
    documentId: 'd',
    start: 44,
    end: 60,
  });
  assert.equal(citationOf(sentence, [item('a', [0, 40]), item('b', [60, 100])]), undefined);
  assert.equal(citationOf({ ...sentence, documentId: 'e' }, [item('a', [0, 100])]), undefined);
});
