/** Tests the scores of sections by hand, member by member, and their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AnalysisCache } from '../../corpus/analysis-cache.ts';
import type { Document } from '../../corpus/document.ts';
import { Vocabulary } from '../../models/fact-ranker/text-words.ts';
import { type Section, scoreSections } from './sections.ts';

interface Given {
  readonly id?: string;
  readonly text?: string;
  readonly heading?: string;
  readonly words?: number;
  readonly content?: number;
}

function section({ id = 'x.md', text = 'nothing', heading = '', ...scores }: Given, at: number) {
  const document: Document = {
    ...{ id, title: '', text, metadata: {} },
    ...(heading === '' ? {} : { outline: [{ start: 0, heading: [heading], kind: 'prose' }] }),
  };
  return {
    ...{ words: 0, content: 0, lane: 0, search: { hop: 1, search: 0 }, ...scores },
    hit: { id: `${id}#${at}`, documentId: id, start: 0, end: text.length, score: 1 },
    passage: { id: `${id}#${at}`, documentId: id, start: 0, end: text.length, text },
    document,
  } satisfies Section;
}

const score = (
  question: string,
  given: readonly Given[],
  asked: Readonly<Record<string, number>> = {},
): number[] =>
  scoreSections(given.map(section), {
    ...{ question, asked: new Map(Object.entries(asked)) },
    ...{ vocabulary: new Vocabulary(), analysis: new AnalysisCache() },
  });

describe('the score of a section', () => {
  const QUESTION = 'What is the size of a page?';

  test('adds shares of the best by words, by content words and of the document', () => {
    const [a, b, c, d] = ['a.md', 'b.md', 'c.md', 'd.md'].map((id, at) => ({
      ...{ id, text: ['lamp', 'glass', 'bridge', 'stone'][at]! },
    }));
    const given = [
      { ...a, words: 0.5, content: 0.5 },
      { ...b, words: 0.25 },
      { ...c, content: 0.25 },
      { ...d },
    ];
    // By hand: 1 + 1 + 1/4, 1/2 + 1, 1/2, 0; they share no word, so that nothing is alike.
    assert.deepEqual(score(QUESTION, given, { 'a.md': 2, 'b.md': 8 }), [2.25, 1.5, 0.5, 0]);
  });

  test('adds one for a file whose path has a word of the question', () => {
    const given = [
      { id: 'kestrel/a.md', text: 'lamp' },
      { id: 'heron/b.md', text: 'glass' },
    ];
    assert.deepEqual(score('size in Heron?', given), [0, 1]);
  });

  test('adds the likeness to the best sections: of two equal ones, the one that resembles the best leads', () => {
    const given = [
      { text: 'Pages are merged by the compactor.', words: 1, content: 1 },
      { text: 'The moon is far from here tonight.', words: 0.5 },
      { text: 'The compactor merged all of them.', words: 0.5 },
    ];
    const [best, other, alike] = score('zzz', given) as [number, number, number];
    assert.ok(best >= 2 && alike > other + 0.5, `${best} ${other} ${alike}`);
    // The likeness is scaled: it adds 1 to the greatest, here the third section.
    assert.ok(Math.abs(alike - 1.5) < 1e-9, String(alike));
  });

  test('reads headings and the path as words of a section, and stems as Porter does', () => {
    const given = [
      { id: 'x.md', text: 'Default: 30.', heading: 'Caching of pages' },
      { id: 'y.md', text: 'Lamps burn.', heading: 'Logging' },
    ];
    const [caching, logging] = score('Which page is cached?', given) as [number, number];
    assert.deepEqual([caching, logging], [1, 0]);
  });
});
