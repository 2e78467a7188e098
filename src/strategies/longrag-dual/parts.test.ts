/**
 * Tests the pure parts of longrag-dual: facets, the rules that take the place of a model, the
 * choice of spans, and the reading of any reply.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentWords, sentenceSupport } from '../../language/english/words/content-words.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';
import {
  extractPrompt,
  filterPrompt,
  readInfo,
  readStatus,
  readThought,
  thinkPrompt,
} from './prompts.ts';
import {
  extractedByRule,
  facetsIn,
  facetsOf,
  groundsOf,
  keptByRule,
  type Sentence,
  sentencesOf,
  thoughtOf,
} from './rules.ts';
import { documentViews, viewsOf } from './view.ts';

const QUESTION = 'Which river passes the town where Osk Maren founded the Quill Works?';

describe('rules', () => {
  test('facets are names whole, and the stems of other content words', () => {
    const facets = facetsOf(QUESTION);
    assert.deepEqual(facets.names, ['Osk Maren', 'Quill Works']);
    assert.deepEqual(facets.stems, ['river', 'pass', 'town', 'found']);
    assert.equal(thoughtOf(facets), 'Osk Maren; Quill Works; river; pass; town; found');
    const text = 'Osk  MAREN passed a town. Maren is no Quill.';
    assert.deepEqual([...facetsIn(text, facets)], ['Osk Maren', 'pass', 'town']);
    assert.deepEqual(facetsOf('?!'), { names: [], stems: [] });
  });

  test('a chunk is kept for a new facet, or for half the best score', () => {
    const facets = { names: ['Osk Maren'], stems: ['river'] };
    const kept = (...chunks: [string, number][]): boolean[] =>
      keptByRule(
        facets,
        chunks.map(([text, score]) => ({ text, score })),
      );
    assert.deepEqual(
      kept(['Osk Maren', 8], ['Osk Maren again', 4], ['Osk Maren again', 3.9], ['a river', 1]),
      [true, true, false, true],
    );
    // A chunk that is dropped covers nothing; negative scores are never half the best.
    assert.deepEqual(kept(['nothing', -1], ['nothing', -0.1], ['the river', -9]), [
      false,
      false,
      true,
    ]);
    assert.deepEqual(kept(), []);
  });

  const word = fc.constantFrom('lamp', 'glass', 'tarn', 'vell', 'the', 'orr');
  const phrase = fc.array(word, { maxLength: 5 }).map(words => words.join(' '));
  const sentences = fc
    .array(phrase, { maxLength: 7 })
    .map(texts =>
      texts.map(
        (withTitle, at): Sentence => ({ documentId: 'd', start: at, end: at + 1, withTitle }),
      ),
    );

  test('extraction agrees with a slow oracle of maximal marginal relevance', () => {
    fc.assert(
      fc.property(phrase, sentences, fc.integer({ min: 1, max: 5 }), (question, list, count) => {
        const relevance = sentenceSupport(
          question,
          list.map(each => each.withTitle),
        );
        const similar = (a: Sentence, b: Sentence): number => {
          const [x, y] = [contentWords(a.withTitle), contentWords(b.withTitle)];
          const both = x.intersection(y).size;
          return both === 0 ? 0 : both / x.union(y).size;
        };
        const chosen: Sentence[] = [];
        for (;;) {
          const rest = list.filter((each, at) => relevance[at]! > 0 && !chosen.includes(each));
          if (chosen.length === count || rest.length === 0) break;
          const value = (each: Sentence): number =>
            0.7 * relevance[list.indexOf(each)]! -
            (1 - 0.7) * Math.max(0, ...chosen.map(other => similar(other, each)));
          chosen.push(rest.reduce((top, each) => (value(each) > value(top) ? each : top)));
        }
        assert.deepEqual(extractedByRule(question, list, count), chosen);
      }),
    );
  });

  test('information rests on the sentences that contain half of it', () => {
    const list = sentencesOf([
      { documentId: 'a', title: 'Vell', text: 'It lies on the Orr. It has a tram.', start: 10 },
      { documentId: 'a', title: 'Vell', text: 'It lies on the Orr.', start: 10 },
    ]);
    assert.deepEqual(
      list.map(({ start, end }) => [start, end]),
      [
        [10, 29],
        [30, 44],
      ],
    );
    assert.deepEqual(
      groundsOf('Vell lies on the Orr. The tram of Vell. Nobody swims.', list),
      list,
    );
    assert.deepEqual(groundsOf('Nobody swims there today.', list), []);
    assert.deepEqual(groundsOf('', list), []);
  });
});

describe('the choice of spans', () => {
  const chunk = (id: string, documentId: string, start: number, end: number): Paragraph => ({
    id,
    documentId,
    start,
    end,
    title: '',
    about: '',
    text: 'x'.repeat(end - start),
  });
  const chunks = [chunk('a1', 'a', 0, 10), chunk('b1', 'b', 0, 10), chunk('a2', 'a', 8, 20)];
  const at = (documentId: string, start: number, end: number) => ({ documentId, start, end });

  test('sentences outside kept chunks belong to the first kept chunk of their document', () => {
    const views = viewsOf(
      chunks,
      [false, false, true],
      [at('a', 0, 5), at('a', 12, 15), at('a', 18, 25), at('c', 0, 9)],
    );
    assert.deepEqual(
      views.map(({ spans }) => spans),
      [
        [],
        [],
        [
          [0, 5],
          [8, 25],
        ],
      ],
    );
  });

  test('they belong to the first chunk if none is kept', () => {
    const views = viewsOf(chunks, [false, false, false], [at('a', 15, 18), at('a', 0, 5)]);
    assert.deepEqual(
      views.map(({ spans }) => spans),
      [
        [
          [0, 5],
          [15, 18],
        ],
        [],
        [],
      ],
    );
  });

  test('a document stands whole at its first chunk; one that is missing leaves its chunks', () => {
    const whole = new Map([['a', chunk('a', 'a', 0, 50)]]);
    assert.deepEqual(
      documentViews(chunks, whole).map(({ spans }) => spans),
      [[[0, 50]], [[0, 10]], []],
    );
  });

  test('spans are in order and apart, hold every kept chunk and every sentence of its documents', () => {
    const range = fc
      .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 10 }))
      .map(([start, length]) => [start, start + length] as const);
    const where = fc.tuple(fc.constantFrom('a', 'b'), range);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(where, fc.boolean()), { maxLength: 5 }),
        fc.array(where, { maxLength: 6 }),
        (rows, extracted) => {
          const list = rows.map(([[id, [start, end]]], n) => chunk(`c${n}`, id, start, end));
          const kept = rows.map(([, flag]) => flag);
          const places = extracted.map(([id, [start, end]]) => at(id, start, end));
          const views = viewsOf(list, kept, places);
          for (const { spans } of views)
            for (const [n, [start, end]] of spans.entries())
              assert.ok(start < end && (n === 0 || start >= spans[n - 1]![1]));
          const covered = (id: string, start: number, end: number): boolean =>
            views.some(
              ({ chunk: each, spans }) =>
                each.documentId === id && spans.some(([x, y]) => x <= start && end <= y),
            );
          for (const [n, each] of list.entries())
            if (kept[n]) assert.ok(covered(each.documentId, each.start, each.end));
          for (const each of places)
            if (list.some(({ documentId }) => documentId === each.documentId))
              assert.ok(covered(each.documentId, each.start, each.end));
        },
      ),
    );
  });
});

describe('replies', () => {
  const said = (text: string) => ({ text, finish: 'stop' as const });

  test('a judgement is a field, or the word true', () => {
    for (const [text, status] of [
      ['{"status": true}', true],
      ['{"status": "False"}', false],
      ['{"status": "true"} because it is false', true],
      ['{"status": 1}', undefined],
      ['Status: True.', true],
      ['It is false', false],
      ['untrue', undefined],
      ['<think>true</think>no', undefined],
      ['', undefined],
    ] as const)
      assert.equal(readStatus(said(text)), status, text);
    assert.equal(readStatus({ text: '{"status": true}', finish: 'filtered' }), undefined);
  });

  test('thoughts and information are a field, a list of texts, or prose', () => {
    assert.equal(readThought(said('{"thought": " Find it. "}')), 'Find it.');
    assert.equal(readThought(said('Find it.')), 'Find it.');
    assert.equal(
      readInfo(said('{"info": ["Orr is a river.", 7, "Vell is a town."]}')),
      'Orr is a river. Vell is a town.',
    );
    for (const text of ['', '{"info": ""}', '{"info": 7}', '[1, 2', '```\nx', '?!'])
      assert.equal(readInfo(said(text)), undefined, text);
    assert.ok(readInfo(said('word '.repeat(100_000)))!.length <= 2500);
  });

  test('prompts fit, show passages as data, and a judgement shows its chunk beside a long thought', () => {
    const paragraph: Paragraph = {
      id: 'c',
      documentId: 'd',
      title: 'Vell',
      about: '',
      start: 0,
      end: 0,
      text: 'Vell lies on the Orr. '.repeat(300),
    };
    const many = Array.from({ length: 9 }, () => paragraph);
    const room = { words: 350, prompt: 900 };
    for (const prompt of [
      thinkPrompt(QUESTION, many, room),
      extractPrompt(QUESTION, many, room),
      filterPrompt(QUESTION, paragraph, 'think '.repeat(9000), room),
    ]) {
      assert.ok(promptTokens(prompt) <= 900, prompt.role);
      const text = prompt.messages[1]!.text;
      assert.match(text, /^<<passage [12]>> Vell\nVell lies on the Orr/m, prompt.role);
      assert.ok(text.endsWith(`Question: ${QUESTION}`));
    }
  });
});
