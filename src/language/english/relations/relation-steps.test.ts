/** Checks the relations that questions ask for, in the order of their chains. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askedQuestion } from '../question/asked-question.ts';
import { relationNamed, relationSteps } from './relation-steps.ts';

/** Names of the steps; the anchors are the parts of the question in braces. */
function steps(marked: string): string[] {
  const text = marked.replace(/[{}]/gu, '');
  const anchors = [...marked.matchAll(/\{([^}]+)\}/gu)].map(([, anchor]) => {
    const start = text.indexOf(anchor!);
    return { start, end: start + anchor!.length };
  });
  return relationSteps(askedQuestion(text), anchors).map(({ relation }) => relation.name);
}

describe('the steps of a question', () => {
  for (const [question, ...names] of [
    ['Who is the mother of the director of {Grey Lanterns}?', 'director', 'mother'],
    ["Who is {Grey Lanterns}' director's mother?", 'director', 'mother'],
    ['Who is the director of the mother of {Grey Lanterns}?', 'mother', 'director'],
    ['Who directed {The Mother Lode}?', 'director'],
    ['Where was the director of {Grey Lanterns} born?', 'director', 'place of birth'],
    ['Who is the {X} composer, mother of the director?', 'composer', 'mother', 'director'],
    ['Who is the mother of the director?', 'director', 'mother'],
    ['What is {Grey Lanterns}?'],
    ['Who is {Ulf Venn}’s paternal grandfather?', 'father', 'father'],
    ["Who is the director of {Ulf Venn}'s stepmother?", 'father', 'spouse'],
    ["Where did {Ulf Venn}'s grandmother die?", 'father', 'mother', 'place of death'],
    ["Who is {Father Ulf}'s aunt?", 'father', 'sibling'],
  ] as const)
    test(question!, () => assert.deepEqual(steps(question!), names));

  test('are known by the offset of their words, anchors apart', () => {
    const text = 'Who is the mother of the director of Mother Road?';
    const anchor = { start: 37, end: 48 };
    assert.equal(text.slice(anchor.start, anchor.end), 'Mother Road');
    assert.deepEqual(
      relationSteps(askedQuestion(text), [anchor]).map(({ relation, at }) => [relation.name, at]),
      [
        ['director', 25],
        ['mother', 11],
      ],
    );
    const chained = 'Where did the aunt of Ulf die?';
    assert.deepEqual(
      relationSteps(askedQuestion(chained), []).map(({ relation, at }) => [relation.name, at]),
      [
        ['father', 14],
        ['sibling', 14],
        ['place of death', 26],
      ],
    );
  });

  test('that stand before and after an anchor are ordered by their distance from it', () => {
    assert.deepEqual(steps('The mother of all {Ulf Venn}, director: who is it?'), [
      'director',
      'mother',
    ]);
    assert.deepEqual(steps('The mother of {Ulf Venn}, of all the director: who is it?'), [
      'mother',
      'director',
    ]);
    // The nearest of several anchors counts.
    assert.deepEqual(steps('Who is the mother of old {Ulf Venn} and who the director of {Holm}?'), [
      'director',
      'mother',
    ]);
  });
});

describe('the last step', () => {
  for (const [question, name] of [
    ['Where was {Ulf} buried who was born and died there?', 'place of burial'],
    ['Where did {Ulf} study before he died?', 'education'],
    ['Where did {Ulf} die, who was born late?', 'place of death'],
    ['Where was {Ulf} born?', 'place of birth'],
    ['Which country is {Ulf} of?', 'nationality'],
    ['Where does {Ulf} work?', 'employer'],
    ['Where is {Ulf}?', 'location'],
    ['When did {Ulf} die who was born late?', 'date of death'],
    ['When was {Ulf} born, the first?', 'date of birth'],
    ['When was {Ulf} released?', 'date of release'],
    ['When was {Ulf} built?', 'date of founding'],
    ['What nationality is {Ulf}?', 'nationality'],
    ['Why did {Ulf} end?', 'cause of death'],
    ['What medal has {Ulf}?', 'award'],
    ['Who studied {Ulf}?', 'education'],
    ['What is {Ulf} that was buried?', undefined],
    ['When is {Ulf}?', undefined],
    ['Is {Ulf} buried?', undefined],
    ['How many works has {Ulf}?', undefined],
  ] as const)
    test(`of "${question}" is ${name}`, () => assert.equal(steps(question).at(-1), name));
});

test('a relation is found by its name, and no other', () => {
  assert.equal(relationNamed('director').name, 'director');
  assert.throws(() => relationNamed('welder'), /No relation welder/u);
});
