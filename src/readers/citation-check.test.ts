/**
 * Tests answers that strategies draft: which of their citations are valid, and whether these
 * support them.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer, Citation, ContextText, Evidence } from '../core/trace/trace.ts';
import { checkedDraft } from './citation-check.ts';

const SHOWN = 'The ferry office opened.';
const CITED = 'Ada Quill built the ferry in 1912.';
const TEXT = `${SHOWN} ${'Nothing more is said here. '.repeat(40)}${CITED}`;
const START = TEXT.indexOf(CITED);
const HEAD = 'The Harbour Post, 2024-05-02\n';

const evidence: readonly Evidence[] = [
  {
    id: 'd#1',
    documentId: 'd',
    title: 'Ferries',
    metadata: {},
    score: 1,
    spans: [[0, TEXT.length]],
  },
];
/** The context shows the first words of the passage, and not the cited sentence. */
const context: ContextText = {
  name: 'lead(words=4)',
  text: `${HEAD}${SHOWN}`,
  tokens: 9,
  parts: [
    {
      id: 'd',
      documentId: 'd',
      start: 0,
      end: HEAD.length + SHOWN.length,
      spans: [[0, SHOWN.length]],
    },
  ],
};
const cited: Citation = { id: 'd#1', documentId: 'd', start: START, end: TEXT.length };

const checked = (
  text: string,
  citations: readonly Citation[] = [cited],
  shown: ContextText = context,
): Answer | undefined =>
  checkedDraft(
    { text, citations },
    { id: 'q', text: 'Who built the ferry?' },
    evidence,
    shown,
    () => TEXT,
  );

describe('the draft of a strategy', () => {
  test('is supported by its citations, whether or not the context shows them', () => {
    for (const shown of [context, { ...context, text: '', parts: [] }])
      assert.deepEqual(checked('Ada Quill', [cited], shown), {
        kind: 'answered',
        text: 'Ada Quill',
        citations: [cited],
      });
  });

  test('is supported by the heading of a cited document', () => {
    assert.deepEqual(checked('The Harbour Post'), {
      kind: 'answered',
      text: 'The Harbour Post',
      citations: [cited],
    });
  });

  test('is marked if neither supports it; the rest of the document does not count', () => {
    const answer = checked('Nothing More Ltd');
    assert.deepEqual(answer?.kind === 'answered' && answer.unsupported, ['Nothing More Ltd']);
  });

  test('yields no answer without a valid citation, and an abstention for a refusal', () => {
    for (const wrong of [
      { id: 'x' },
      { documentId: 'x' },
      { end: TEXT.length + 1 },
      { start: TEXT.length },
      { start: -1 },
    ])
      assert.equal(checked('Ada Quill', [{ ...cited, ...wrong }]), undefined);
    assert.equal(checked('Ada Quill', []), undefined);
    assert.equal(checked('  '), undefined);
    assert.equal(checked('Unknown.')?.kind, 'abstained');
  });
});
