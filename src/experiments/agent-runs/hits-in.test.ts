/** Tests which hits are found in results of tools of different shapes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hitsIn, queryIn } from './hits-in.ts';
import { saidIn } from './said-messages.ts';

const HIT = { document: 'a', title: 'A', text: 'Ada wrote it.', score: 2 };

const SHAPES: Readonly<Record<string, unknown>> = {
  'a list of documents': [{ id: 'a', title: 'A', content: 'Ada wrote it.', score: 2 }],
  'JSON as text': JSON.stringify([{ id: 'a', title: 'A', text: 'Ada wrote it.', score: 2 }]),
  'a named list': {
    took: 3,
    results: [{ url: 'a', title: 'A', snippet: 'Ada wrote it.', score: 2 }],
  },
  'documents of LangChain': [
    { pageContent: 'Ada wrote it.', metadata: { source: 'a', title: 'A' }, score: 2 },
  ],
  'nodes of LlamaIndex': [
    { node: { text: 'Ada wrote it.', metadata: { id: 'a', title: 'A' } }, score: 2 },
  ],
  'content of MCP': [
    {
      type: 'text',
      text: JSON.stringify({
        hits: [{ documentId: 'a', title: 'A', text: 'Ada wrote it.', score: 2 }],
      }),
    },
  ],
  'evidence of a record of multihop': {
    evidence: [
      {
        id: 'a#s0',
        documentId: 'a',
        title: 'A',
        score: 2,
        passage: 'a#p0',
        texts: [{ text: 'Ada wrote it.' }],
      },
    ],
    hops: [{ kept: [{ id: 'a#s0', documentId: 'a', score: 2 }] }],
    ranked: [
      { id: 'a#s0', documentId: 'a', score: 2 },
      { id: 'b#s0', documentId: 'b', score: 1 },
    ],
  },
  'quotes of a record of multihop': {
    hits: [
      { id: 'a#p0', documentId: 'a', title: 'A', score: 2, quotes: [{ text: 'Ada wrote it.' }] },
    ],
  },
  'whole texts beside quotes of them': [
    { id: 'a', title: 'A', text: 'Ada wrote it.', score: 2, quotes: [{ text: 'wrote' }] },
  ],
};

for (const [name, shape] of Object.entries(SHAPES))
  test(`finds the hit in ${name}`, () => assert.deepEqual(hitsIn(shape), [HIT]));

test('the evidence of a record counts, not the citations of it', () => {
  const item = (id: string) => ({ documentId: id, title: id, text: `${id} is here.` });
  const record = { answer: { citations: [item('a')] }, evidence: [item('a'), item('b')] };
  assert.deepEqual(names(record), ['a', 'b']);
});

const names = (result: unknown) => hitsIn(result).map(({ document }) => document);
const passage = (id: string) => ({ id, title: id, text: `${id} is here.` });

test('hits of several lists count, in their order, each once', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(passage);
  assert.deepEqual(
    names([
      { query: 'x', hits: [a] },
      { query: 'y', hits: [b, a, c] },
    ]),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(names({ web: [c], notes: [a, b] }), ['a', 'b', 'c']);
  assert.deepEqual(names({ quoted: [{ ...b, text: 'b is' }], notes: [a, b] }), ['a', 'b']);
  assert.deepEqual(hitsIn([{ hits: [a] }, { hits: [{ ...a, text: 'more' }] }]).length, 2);
});

test('names without a text count where no hit has one, of the longest list', () => {
  const named = ['a', 'b', 'c'].map(id => ({ id, title: id }));
  assert.deepEqual(names({ facets: named, hits: [passage('d')] }), ['d']);
  assert.deepEqual(names({ facets: named.slice(2), hits: named.slice(0, 2) }), ['a', 'b']);
});

test('the text of a document counts, though its metadata name a file and a title', () => {
  const metadata = { source: 'a.md', title: 'A' };
  assert.deepEqual(names({ ...passage('a'), metadata }), ['a']);
});

test('a result without documents is one hit of its text; an empty one is none', () => {
  assert.deepEqual(hitsIn('Rain fell.'), [{ text: 'Rain fell.' }]);
  assert.deepEqual(
    hitsIn([
      { type: 'text', text: 'Rain' },
      { type: 'text', text: 'fell.' },
    ]),
    [{ text: 'Rain\nfell.' }],
  );
  assert.deepEqual(hitsIn({ ok: true, id: 7 }), [{ text: '{"ok":true,"id":7}' }]);
  for (const nothing of ['', '  ', [], {}, null, undefined]) assert.deepEqual(hitsIn(nothing), []);
});

test('the query is a known field of the arguments, else their first text', () => {
  assert.equal(queryIn('{"k":3,"query":"ropes"}'), 'ropes');
  assert.equal(queryIn({ k: 3, keywords: 'ropes' }), 'ropes');
  assert.equal(queryIn('ropes'), 'ropes');
  assert.equal(queryIn({ k: 3 }), undefined);
});

test('a record beside the text of a message is read, if it names documents', () => {
  const message = (artifact: unknown) => ({
    type: 'tool',
    tool_call_id: 'c',
    content: '1 hit: Ada wrote it.',
    artifact,
  });
  const output = (artifact: unknown): unknown => saidIn(message(artifact))[0];
  const record = { hits: [{ documentId: 'a', text: 'Ada wrote it.' }] };
  assert.deepEqual(output(record), { is: 'result', id: 'c', output: record });
  assert.deepEqual(output(undefined), { is: 'result', id: 'c', output: '1 hit: Ada wrote it.' });
});
