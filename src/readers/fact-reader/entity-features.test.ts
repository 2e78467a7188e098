/** Tests candidate names and their features on two invented articles. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Asked } from '../../language/asked.ts';
import { entityNames } from '../../language/english/names/entity-names.ts';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { Said } from '../../language/said.ts';
import type { Features } from '../features.ts';
import { entityCandidates, requestedEntity } from './entity-features.ts';
import type { ClauseFact, FactReading } from './reading.ts';

const PARTS = [
  { documentId: 'a', title: 'Velo grows', source: 'Tin Herald', day: '' },
  { documentId: 'a', title: 'Velo grows', source: 'Tin Herald', day: '' },
  { documentId: 'b', title: 'Kelp', source: 'Copper Times', day: '' },
];
const TEXTS: readonly (readonly [part: number, text: string])[] = [
  [0, 'Velo pays its ferrymen.'],
  [1, 'Mara Quist said that Velo’s ferrymen won a league game.'],
  [1, 'She left.'],
  [2, 'In the country, Quist met Elm Group and the club Velo.'],
];

interface Fact {
  readonly best?: number;
  readonly share?: number;
  readonly shares: readonly number[];
}

interface Given {
  readonly question?: string;
  readonly facts?: readonly Fact[];
  readonly sources?: readonly string[];
  readonly catalogue?: readonly string[];
  readonly texts?: typeof TEXTS;
}

function candidates(setup: Given = {}): Map<string, Features> {
  const {
    question = 'What left?',
    facts = [],
    sources = [],
    catalogue = [],
    texts = TEXTS,
  } = setup;
  const sentences = texts.map(([part, text]) => ({
    part,
    text,
    id: 'x',
    documentId: PARTS[part]!.documentId,
    start: 0,
    end: 0,
    said: new Said(text),
  }));
  const reading: FactReading = {
    asked: {
      text: question,
      sought: askedQuestion(question),
      cited: { sources, excluded: [], unknown: [], days: [] },
    },
    parts: PARTS,
    sentences,
    catalogue: { sources: catalogue, days: [] },
    facts: facts.map(fact => ({ best: undefined, share: 0, ...fact })) as unknown as ClauseFact[],
  };
  const found = entityCandidates(reading, entityNames(PARTS, sentences));
  return new Map(found.map(({ name, features }) => [name.text, features]));
}

/** Asserts features by name; 0 for one that is omitted. */
function has(features: Features | undefined, expected: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(expected))
    assert.ok(
      Math.abs((features!.get(name) ?? 0) - value) < 1e-12,
      `${name}: ${features!.get(name)}`,
    );
}

describe('requestedEntity', () => {
  const kind = (question: string): string => requestedEntity(askedQuestion(question)).kind;

  test('reads the kind from the noun', () => {
    assert.equal(kind('Who left?'), 'person');
    for (const [noun, of] of [
      ...([
        ['company', 'company'],
        ['organisation', 'company'],
        ['organization', 'company'],
      ] as const),
      ...([
        ['team', 'team'],
        ['club', 'team'],
        ['country', 'place'],
        ['town', 'place'],
      ] as const),
      ...([
        ['boat', 'other'],
        ['subcompany', 'other'],
      ] as const),
    ])
      assert.equal(kind(`Which ${noun} was sold?`), of, noun);
    assert.equal(kind('Name it.'), 'other');
    assert.equal(requestedEntity(askedQuestion('Name it.')).noun, '');
  });

  test('a plural behind "type of" or "term for" comes before a person', () => {
    const { kind: asked, noun } = requestedEntity(
      askedQuestion('Who are the rowing crews that left?'),
    );
    assert.deepEqual([asked, noun], ['plural', 'crew']);
    for (const opening of ['What type of', 'What kinds of', 'What is the term for', 'What are the'])
      assert.equal(
        requestedEntity(askedQuestion(`${opening} boats are old?`)).noun,
        'boat',
        opening,
      );
    assert.equal(kind('What type of boat sank?'), 'other');
    assert.equal(kind(`${'Well, '.repeat(16)}which type of boats are old?`), 'other');
  });
});

describe('entityCandidates', () => {
  test('leaves out names of the question and sources that it names', () => {
    const names = (setup?: Given): string[] => [...candidates(setup).keys()];
    for (const name of ['Velo', 'Kelp', 'Mara Quist', 'Elm Group'])
      assert.ok(names().includes(name), name);
    assert.ok(!names({ question: 'Did VELO leave?' }).includes('Velo'));
    assert.ok(!names({ question: 'Is Velo’s boat old?' }).includes('Velo'));
    assert.ok(!names({ question: 'Is a group of elm old?' }).includes('Elm Group'));
    assert.ok(names({ question: 'Is a group old?' }).includes('Elm Group'));
    assert.ok(!names({ sources: ['elm GROUP'] }).includes('Elm Group'));
  });

  test('none without names', () => {
    assert.deepEqual(
      entityCandidates(
        {
          parts: [],
          sentences: [],
          facts: [],
          asked: new Asked(''),
          catalogue: { sources: [] },
        } as unknown as FactReading,
        [],
      ),
      [],
    );
  });

  test('counts distinct documents, sentences and titles', () => {
    has(candidates().get('Mara Quist'), {
      documents: 1,
      'documents.several': 1,
      'documents.log': Math.log2(3),
      sentences: 0.5,
      'sentences.log': Math.log2(3),
      titles: 0,
      unshown: 0,
      first: 0.5,
      opens: 0.5,
      possessive: 0,
      opensOnly: 0,
      'words.2': 1,
      'words.inQuestion': 0,
    });
    has(candidates().get('Kelp'), {
      documents: 0.5,
      'documents.several': 0,
      'documents.log': 1,
      titles: 0.5,
      unshown: 1,
      sentences: 0,
      first: 1 / 3,
      opens: 0,
      opensOnly: 0,
      'words.1': 1,
      capitals: 0,
    });
  });

  test('describes how a name is written', () => {
    has(candidates().get('Velo'), { digit: 0, capitals: 0, 'words.1': 1 });
    const texts = [[0, 'Big Old Elm Kelp Boat and AB2 left.'] as const];
    const all = candidates({ texts, question: 'Which boat of kelp left?' });
    has(all.get('Big Old Elm Kelp Boat'), {
      'words.4': 1,
      'words.inQuestion': 0.4,
      capitals: 0,
      opensOnly: 1,
    });
    has(all.get('AB2'), { capitals: 1, digit: 1, opensOnly: 0 });
  });

  test('shares of the named sources, and whether it is a source', () => {
    const setup = { sources: ['Tin Herald', 'Copper Times'], catalogue: ['elm group'] };
    has(candidates(setup).get('Elm Group'), { sources: 0.5, isSource: 1 });
    has(candidates(setup).get('Mara Quist'), { sources: 1, isSource: 0 });
    has(candidates().get('Elm Group'), { sources: 0, isSource: 0 });
  });

  test('clauses: by the sentences with the name, by its documents, beside the best', () => {
    const facts: Fact[] = [
      { best: 0, share: 0.8, shares: [0.8, 0.4, 0.1, 0.2] },
      { best: 3, share: 0.5, shares: [0, 0, 0, 0.5] },
      { shares: [0, 0, 0, 0] },
    ];
    has(candidates({ facts }).get('Elm Group'), {
      clauses: 0.7 / 3,
      'clauses.most': 0.5,
      'clauses.relative': 1.25 / 3,
      'clauses.document': 0.7 / 3,
      'clauses.documentRelative': 1.25 / 3,
      'clauses.best': 1 / 3,
      'clauses.bestDocument': 1 / 3,
      'clauses.neighbour': 0,
    });
    has(candidates({ facts }).get('Mara Quist'), {
      clauses: 0.9 / 3,
      'clauses.most': 0.5,
      'clauses.relative': 1.5 / 3,
      'clauses.document': 1.3 / 3,
      'clauses.documentRelative': 2 / 3,
      'clauses.best': 1 / 3,
      'clauses.bestDocument': 2 / 3,
      'clauses.neighbour': 0,
    });
    const beside = [{ best: 2, share: 1, shares: [0, 0, 1, 0] }];
    has(candidates({ facts: beside }).get('Mara Quist'), { 'clauses.neighbour': 1, clauses: 0 });
    has(candidates({ facts: beside }).get('Elm Group'), { 'clauses.neighbour': 0 });
    has(candidates().get('Elm Group'), { clauses: 0, 'clauses.most': 0, 'clauses.best': 0 });
  });

  test('a share of a source that the clause does not name is not more than the whole', () => {
    const facts = [{ best: 3, share: 0.25, shares: [0.5, 0, 0, 0.25] }];
    has(candidates({ facts }).get('Mara Quist'), { 'clauses.documentRelative': 1 });
  });

  test('kinds: spelling, cues of the sentences, nouns beside', () => {
    const quist = candidates({ question: 'Who left?' }).get('Mara Quist');
    has(quist, {
      'person:person': 1,
      'person:oneWord': 0,
      'person:personal': 1,
      'person:nameForm': 1,
      'person:personCue': 0.5,
      'person:companyCue': 0,
      'person:organisation': 0,
    });
    assert.ok(![...quist!.keys()].some(name => /^(?:team|place|other):/.test(name)));
    has(candidates({ question: 'Which team is it?' }).get('Mara Quist'), { 'team:teamCue': 0.5 });
    has(candidates({ question: 'Which city is it?' }).get('Mara Quist'), { 'place:placeCue': 0.5 });
    const velo = candidates({ question: 'Which company is it?' }).get('Velo');
    has(velo, { 'company:oneWord': 1, 'company:companyCue': 1 / 3, 'company:person': 0 });
    const elm = candidates({ question: 'Which company is it?' }).get('Elm Group');
    has(elm, { 'company:organisation': 1, 'company:personal': 0, 'company:nameForm': 1 });
  });

  test('nouns beside: the requested one and others of the question', () => {
    const texts = [[0, 'then the trawler Linnet met Elm, a ship'] as const];
    const all = candidates({ texts, question: 'Which trawler is the ship?' });
    has(all.get('Linnet'), { 'noun.beside': 1, 'noun.other': 0 });
    has(all.get('Elm'), { 'noun.beside': 0, 'noun.other': 1 });
  });

  test('possessives: the share among three shown mentions, and among all five', () => {
    has(candidates().get('Velo'), { possessive: 1 / 3, 'other:possessive': 1 / 5 });
    has(candidates().get('Mara Quist'), { possessive: 0, 'other:possessive': 0 });
  });

  test('the form of a name of a person is that of the whole name', () => {
    const texts = [[0, 'then Mara Quist, Bo Arn Elm and AB Keeler left'] as const];
    const all = candidates({ texts });
    has(all.get('Mara Quist'), { 'other:nameForm': 1 });
    for (const name of ['Bo Arn Elm', 'AB Keeler']) has(all.get(name), { 'other:nameForm': 0 });
  });

  test('a neighbour is at most two sentences away', () => {
    const texts = ['Velo left.', 'It ran.', 'It ran.', 'It ran.'].map(text => [0, text] as const);
    const neighbour = (best: number): number | undefined => {
      const facts = [{ best, share: 1, shares: [0, 0, 0, 0] }];
      return candidates({ texts, facts }).get('Velo')!.get('clauses.neighbour');
    };
    assert.deepEqual([0, 1, 2, 3].map(neighbour), [undefined, 1, 1, undefined]);
  });

  test('a common noun is marked, and never opens only', () => {
    const texts = [
      [0, 'the ferrymen and the herons left'] as const,
      [1, 'the herons left'] as const,
    ];
    has(candidates({ texts }).get('Herons'), { common: 1, 'other:common': 1, opensOnly: 0 });
  });
});

test('shares lie from 0 to 1', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const fact = fc.array(share, { minLength: 4, maxLength: 4 }).map(shares => {
    const best = shares.indexOf(Math.max(...shares));
    return { best, share: shares[best]!, shares };
  });
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 3 }), facts => {
      for (const [text, features] of candidates({ facts }))
        for (const [name, value] of features)
          if (!name.endsWith('.log')) assert.ok(value > 0 && value <= 1 + 1e-12, `${text} ${name}`);
    }),
  );
});
