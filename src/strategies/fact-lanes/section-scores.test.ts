/** Tests the scores of sections by hand, member by member, and their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type GivenSection, sectionOf } from '../../../test/section-of.ts';
import { AnalysisCache } from '../../core/corpus/analysis-cache.ts';
import { Vocabulary } from '../../models/fact-ranker/text-words.ts';
import { scoreSections } from './section-rank.ts';

const score = (
  question: string,
  sections: readonly GivenSection[],
  asked: Readonly<Record<string, number>> = {},
): number[] =>
  scoreSections(sections.map(sectionOf), {
    question,
    language: 'en',
    asked: new Map(Object.entries(asked)),
    vocabulary: new Vocabulary(),
    analysis: new AnalysisCache(),
  });

describe('the score of a section', () => {
  const QUESTION = 'What is the size of a page?';

  test('adds shares of the best by words and of the document', () => {
    const [a, b, c] = ['a.md', 'b.md', 'c.md'].map((id, at) => ({
      id,
      text: ['lamp', 'glass', 'bridge'][at]!,
    }));
    const sections = [{ ...a, words: 0.5, content: 1 }, { ...b, words: 0.25 }, { ...c }];
    // By hand: 1 + 1/4, 1/2 + 1, 0; they share no word, so that nothing is alike.
    assert.deepEqual(score(QUESTION, sections, { 'a.md': 2, 'b.md': 8 }), [1.25, 1.5, 0]);
  });

  test('adds one for a default and one for a number, if the question asks for them', () => {
    const sections = [{ text: 'Defaults hold.' }, { text: '30' }, { text: 'lamp' }];
    assert.deepEqual(score('zzz?', sections), [0, 0, 0]);
    assert.deepEqual(score('zzz unless I zzz?', sections), [1, 0, 0]);
    assert.deepEqual(score('how many zzz?', sections), [0, 1, 0]);
    assert.deepEqual(score('how many zzz unless I zzz?', sections), [1, 1, 0]);
  });

  test('adds the likeness to the best sections: of two equal ones, the one that resembles the best leads', () => {
    const sections = [
      { text: 'Pages are merged by the compactor.', words: 1, content: 1 },
      { text: 'The moon is far from here tonight.', words: 0.5 },
      { text: 'The compactor merged all of them.', words: 0.5 },
    ];
    const [best, other, alike] = score('zzz', sections) as [number, number, number];
    assert.ok(best >= 1.5 && alike > other + 0.5, `${best} ${other} ${alike}`);
    // The likeness is scaled: it adds 1 to the greatest, here the third section.
    assert.ok(Math.abs(alike - 1.5) < 1e-9, String(alike));
  });
});
