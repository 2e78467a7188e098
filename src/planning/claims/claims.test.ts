/** Tests claims by rules: facts, entities, targets, wording and verification. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../../core/corpus/document.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import type { Claim } from '../../models/claim-generator.ts';
import { mergeTargets, questionTargets, sameTarget } from './claim-targets.ts';
import { entitiesOf, kindOf } from './entities.ts';
import { factScore, isFact } from './facts.ts';
import { verifyClaim } from './verify-claim.ts';
import { type ClaimSource, writeClaim } from './write-claim.ts';

describe('facts', () => {
  const scores: readonly (readonly [number, string])[] = [
    [4, 'Apple said on Monday that Tim Cook sold 3 shares.'],
    [3, 'Ines Quill bought the lighthouse at Harrow Point.'],
    [0, 'lamps burn at night'],
    [-1, 'I like lamps'],
    [-2, 'You should see it'],
    [-1, 'What a day!'],
    [-2, 'It is the best lamp, perhaps'],
  ];
  for (const [score, sentence] of scores)
    test(`${score}: ${sentence}`, () => assert.equal(factScore(sentence), score));

  test('a fact has enough tokens, marks included, and ends with a full stop', () => {
    const sentence = 'Ines Quill, of Tarn, bought the lighthouse.'; // 7 words, 3 marks
    assert.equal(isFact(sentence, { minTokens: 10 }), true);
    assert.equal(isFact(sentence, { minTokens: 11 }), false);
    assert.equal(isFact(sentence.slice(0, -1), { minTokens: 1 }), false);
    assert.equal(isFact(`“${sentence}”`, { minTokens: 1 }), true);
  });
});

const document = (title: string, text: string): Document => ({
  id: 'd',
  title,
  text,
  metadata: {},
});
const entities = (title: string, text: string) =>
  entitiesOf(document(title, text), sentenceSpans(text));

describe('entities', () => {
  test('last names are merged with full names; one opening word alone is no name', () => {
    const { all, main, of } = entities(
      'Why OpenAI let Sam Altman go',
      'Sam Altman left OpenAI. Reporters asked. Later Altman met Microsoft. Microsoft and OpenAI agreed.',
    );
    assert.deepEqual(
      all.map(({ name, kind, mentions }) => [name, kind, mentions.length]),
      [
        ['Sam Altman', 'person', 2],
        ['OpenAI', 'organisation', 2],
        ['Microsoft', 'organisation', 2],
      ],
    );
    assert.equal(main?.name, 'Sam Altman');
    assert.equal(of('Altman')?.name, 'Sam Altman');
    assert.equal(of('Nobody'), undefined);
  });
  test('kinds', () => {
    for (const name of ['Sam Altman', 'Jean-Luc Picard', 'Sinead O’Connor'])
      assert.equal(kindOf(name), 'person', name);
    for (const name of ['OpenAI', 'Apple Inc', 'NASA', 'University of Tarn', 'A B C D'])
      assert.equal(kindOf(name), 'organisation', name);
  });
});

describe('targets of a question', () => {
  const sources = ['The Verge', 'TechCrunch'];
  test('names without sources, those of most words first', () =>
    assert.deepEqual(
      questionTargets(
        'Did TechCrunch report that OpenAI hired Sam Altman in March, and The Verge too?',
        sources,
        4,
      ),
      ['Sam Altman', 'OpenAI'],
    ));
  test('filled up to two with the longest words; at most as many as asked for', () => {
    assert.deepEqual(questionTargets('Did TechCrunch report that OpenAI grew fast?', sources, 4), [
      'OpenAI',
      'report',
    ]);
    assert.deepEqual(questionTargets('Is Sam Altman at OpenAI?', [], 1), ['Sam Altman']);
  });
  test('merged by case and containment, the longer form at the place of the first', () => {
    assert.deepEqual(
      mergeTargets(['Apple', 'Nvidia', 'apple', 'Apple Inc.', '...', 'Apple Vision']),
      ['Apple Vision', 'Nvidia'],
    );
    assert.equal(sameTarget('Sam Altman', 'altman'), true);
    assert.equal(sameTarget('Sam Altman', 'Sam Bankman'), false);
  });
  test('any question: at least one target, at most as many as asked for, none twice', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, most) => {
        const targets = questionTargets(text, sources, most);
        assert.ok(targets.length >= 1 && targets.length <= most);
        for (const [at, target] of targets.entries())
          for (const other of targets.slice(at + 1)) assert.ok(!sameTarget(target, other));
      }),
    ));
});

const TEXT =
  'Sam Altman left OpenAI on Friday. He founded the Tarn Lens Company in 2015. It makes rare violet glass lamps. It is clear that lamps sell. The board of Microsoft met.';
const TITLE = 'Sam Altman leaves OpenAI';
const claimOf = (sentence: string, title = TITLE): Claim => {
  const source: ClaimSource = {
    sentence,
    start: TEXT.indexOf(sentence),
    title,
    about: '',
    entities: entities(title, TEXT),
  };
  return writeClaim(source, word => (word === 'violet' || word === 'glass' ? 5 : 1));
};

describe('the claim of a sentence', () => {
  test('stays where it names the main entity', () =>
    assert.deepEqual(claimOf('Sam Altman left OpenAI on Friday.'), {
      text: 'Sam Altman left OpenAI on Friday.',
      target: 'Sam Altman',
      topic: 'left openai',
      targets: ['OpenAI'],
      verified: true,
    }));
  test('he is the person named last before; further targets are the names beside', () =>
    assert.deepEqual(claimOf('He founded the Tarn Lens Company in 2015.'), {
      text: 'Sam Altman founded the Tarn Lens Company in 2015.',
      target: 'Sam Altman',
      topic: 'tarn lens',
      targets: ['Tarn Lens Company'],
      verified: true,
    }));
  test('it is the organisation that the document names most', () => {
    const claim = claimOf('It makes rare violet glass lamps.');
    assert.equal(claim.text, 'OpenAI makes rare violet glass lamps.');
    assert.equal(claim.topic, 'violet glass');
  });
  test('an empty subject is not replaced', () =>
    assert.equal(
      claimOf('It is clear that lamps sell.').text,
      'Sam Altman: It is clear that lamps sell.',
    ));
  test('without a main entity the sentence stays, unverified if it opens with a pronoun', () => {
    const [he, board] = [
      'He founded the Tarn Lens Company in 2015.',
      'The board of Microsoft met.',
    ];
    assert.deepEqual([claimOf(he, 'News').text, claimOf(he, 'News').verified], [he, false]);
    const claim = claimOf(board, 'News');
    assert.deepEqual([claim.text, claim.target, claim.verified], [board, 'Microsoft', true]);
  });
});

describe('verification by words', () => {
  const evidence = {
    sentence: 'The company sold 1,200 lamps to Osk Maren on Friday.',
    title: 'Quill Works sells lamps',
    about: 'Harbour Ledger, 2023-11-18',
  };
  const verified = (claim: string): boolean => verifyClaim(claim, evidence).verified;
  test('numbers, dates and names may stand in sentence, title or metadata', () => {
    assert.ok(verified('Quill Works sold 1200 lamps to Osk Maren on November 18.'));
    assert.ok(verified('Harbour Ledger: the company sold lamps.'));
  });
  test('another number, month or name refuses the claim, and is named', () => {
    assert.deepEqual(verifyClaim('Quill Works sold 1,300 lamps.', evidence).missing, ['1300']);
    assert.deepEqual(verifyClaim('It sold lamps in December.', evidence).missing, ['december']);
    assert.deepEqual(verifyClaim('Ines Maren bought lamps.', evidence).missing, ['ines']);
  });
  test('60 % of the content words must be there', () => {
    assert.ok(verified('lamps sold friday bluster mumble')); // 3 of 5
    assert.ok(!verified('lamps sold bluster mumble grumble')); // 2 of 5
    assert.ok(!verified(''));
  });
  test('a sentence with content supports itself, and no number more', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const sentence = `Maren sold lamps. ${text}`;
        const support = { sentence, title: '', about: '' };
        assert.ok(verifyClaim(sentence, support).verified);
        assert.ok(!verifyClaim(`${sentence} 987654321012`, support).verified);
      }),
    ));
});
