/** Tests features of yes and no on two small reports: polarity, numbers, order and relations. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Features } from './features.ts';
import type { ClauseFact, FactReading } from './reading.ts';
import { topicStems } from './topic-stems.ts';
import { evidenceFeatures, verdictFeatures } from './verdict-features.ts';

interface Side {
  readonly clause: string;
  readonly sentence?: string;
  readonly share?: number;
  readonly source?: string;
  readonly day?: string;
  readonly document?: string;
}

/** Returns the features of a question whose clauses are paired with one sentence each. */
function featuresOf(sides: readonly Side[], question?: string): Features {
  const parts = sides.map(({ source = '', day = '', document }, at) => ({
    ...{ documentId: document ?? `d${at}`, title: '', source, day },
  }));
  const sentences = sides.map(({ sentence = '' }, part) => ({
    ...{ part, id: `s${part}`, documentId: parts[part]!.documentId, start: 0, end: 0 },
    ...{ text: sentence, stems: topicStems(sentence) },
  }));
  const facts = sides.map(
    ({ clause, sentence, share = 0.5 }, at): ClauseFact => ({
      ...{ text: clause, stems: [...topicStems(clause)], sources: [], days: [], shares: [] },
      ...{ best: sentence === undefined ? undefined : at, share },
    }),
  );
  const asked = question ?? sides.map(({ clause }) => clause).join(' and ');
  return verdictFeatures({ question: asked, parts, sentences, facts } as unknown as FactReading);
}

/** Asserts features by name; 0 for one that is omitted. */
function has(features: Features, expected: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(expected))
    assert.ok(
      Math.abs((features.get(name) ?? 0) - value) < 1e-12,
      `${name}: ${features.get(name)}`,
    );
}

describe('features of the paired facts', () => {
  test('a clause without a sentence counts for nothing', () => {
    const features = featuresOf([{ clause: 'fees never rose by 4', share: 0.9 }]);
    assert.deepEqual([...features], [['asked:true', 1]]);
  });

  test('shares: mean, least and first of the paired clauses alone', () => {
    has(
      featuresOf([
        { clause: 'kelp', share: 0.1 },
        { clause: 'boats', sentence: 'Boats left.', share: 0.75 },
        { clause: 'fees', sentence: 'Fees held.', share: 0.25 },
      ]),
      {
        ...{ 'fact:share': 0.5, 'fact:least': 0.25, 'fact:first': 0.75 },
        'fact:clauses': Math.log2(3),
      },
    );
  });

  test('negations differ by parity, of all clauses and of the first', () => {
    const twice = { clause: 'it is not without cost', sentence: 'It has costs.' };
    const once = { clause: 'boats did not leave', sentence: 'Boats left.' };
    const neither = { clause: 'boats went', sentence: 'Boats left.' };
    has(featuresOf([neither]), {
      ...{ 'fact:negated': 0, 'fact:negatedFirst': 0 },
      ...{ 'fact:negationDiffers': 0, 'fact:negationDiffersFirst': 0 },
    });
    has(featuresOf([twice]), {
      ...{ 'fact:negated': 1, 'fact:negatedFirst': 1 },
      ...{ 'fact:negationDiffers': 0, 'fact:negationDiffersFirst': 0 },
    });
    has(featuresOf([once]), { 'fact:negationDiffers': 1, 'fact:negationDiffersFirst': 1 });
    has(featuresOf([neither, once]), {
      ...{ 'fact:negated': 1, 'fact:negatedFirst': 0 },
      ...{ 'fact:negationDiffers': 0.5, 'fact:negationDiffersFirst': 0 },
    });
    has(featuresOf([{ clause: 'boats left', sentence: 'No boats left.' }]), {
      ...{ 'fact:negated': 0, 'fact:negationDiffers': 1 },
    });
  });

  test('directions: asked, along and against the sentence', () => {
    const up = { clause: 'fees rose', sentence: 'Fees grew and fares fell and tolls rose.' };
    const down = { clause: 'fees fell', sentence: 'Fees grew.' };
    const flat = { clause: 'fees stood', sentence: 'Fees grew.' };
    has(featuresOf([up, down, flat, flat]), {
      ...{ 'fact:askedUp': 0.25, 'fact:askedDown': 0.25 },
      ...{ 'fact:along': 0.25, 'fact:against': 0.25 },
    });
  });

  test('one absolute clause suffices', () => {
    const plain = { clause: 'boats left', sentence: 'All boats left.' };
    has(featuresOf([plain]), { 'fact:absolute': 0 });
    has(featuresOf([plain, { clause: 'all boats left', sentence: 'Boats left.' }]), {
      'fact:absolute': 1,
    });
  });

  test('numbers: held if the sentence has one of them, with or without commas', () => {
    const numbers = (clause: string, sentence: string): number[] => {
      const features = featuresOf([{ clause, sentence }]);
      return ['fact:numbersHeld', 'fact:numbersMissing'].map(name => features.get(name) ?? 0);
    };
    assert.deepEqual(numbers('boats left', '40 boats left.'), [0, 0]);
    assert.deepEqual(numbers('4 boats left', '4.'), [1, 0]);
    assert.deepEqual(numbers('4 boats left', '40 boats left.'), [0, 1]);
    assert.deepEqual(numbers('12,500 boats of 3', 'It counted 12500, not more.'), [1, 0]);
    assert.deepEqual(numbers('12500 boats', 'It counted 12,500.'), [1, 0]);
    assert.deepEqual(numbers('1.5 boats', 'It counted 15.'), [0, 1]);
  });
});

describe('features of the first two facts', () => {
  const a = { clause: 'harbour fees rose', sentence: 'Harbour fees rose in Brightwater.' };
  const b = { clause: 'kelp fees', sentence: 'Kelp fees fell.' };

  test('one fact has none', () => {
    assert.deepEqual(
      [...featuresOf([a]).keys()].filter(name => /pair:|order:/.test(name)),
      [],
    );
  });

  test('overlap is the share of the shorter side', () => {
    has(featuresOf([a, b]), { 'pair:overlap': 1 / 3, 'pair:clauses': 1 / 2 });
    has(featuresOf([b, a]), { 'pair:overlap': 1 / 3, 'pair:clauses': 1 / 2 });
    has(featuresOf([a, { clause: 'the', sentence: 'It is.' }]), {
      ...{ 'pair:overlap': 0, 'pair:clauses': 0 },
    });
  });

  test('source and document are compared; no source is not the same source', () => {
    const at = (source: string, document: string) => ({ source, document });
    has(featuresOf([a, b]), { 'pair:sameSource': 0, 'pair:sameDocument': 0 });
    has(
      featuresOf([
        { ...a, ...at('Velo', 'x') },
        { ...b, ...at('Velo', 'y') },
      ]),
      {
        ...{ 'pair:sameSource': 1, 'pair:sameDocument': 0 },
      },
    );
    has(
      featuresOf([
        { ...a, ...at('Velo', 'x') },
        { ...b, ...at('Tin', 'x') },
      ]),
      {
        ...{ 'pair:sameSource': 0, 'pair:sameDocument': 1 },
      },
    );
  });

  test('sentences of like, opposite and no direction', () => {
    const flat = { clause: 'kelp', sentence: 'Kelp floats.' };
    has(featuresOf([a, b]), { 'pair:opposed': 1, 'pair:alike': 0 });
    has(featuresOf([b, b]), { 'pair:opposed': 0, 'pair:alike': 1 });
    has(featuresOf([a, flat]), { 'pair:opposed': 0, 'pair:alike': 0 });
  });
});

describe('the order of days', () => {
  const [early, late] = ['2023-10-01', '2023-11-05'];
  const order = (word: string, dayA: string, dayB: string): string => {
    const [a, b] = ['fees after tax rose', 'kelp shrank'];
    const features = featuresOf(
      [
        { clause: a, sentence: 'x', day: dayA },
        { clause: b, sentence: 'x', day: dayB },
      ],
      `Did it say ${a} ${word} ${b} before noon?`,
    );
    const found = [...features.keys()].filter(name => name.startsWith('order:'));
    assert.ok(found.length < 2);
    return found[0] ?? '';
  };

  test('"before" holds for a rising order, the other words for a falling one', () => {
    for (const word of ['before', 'prior to', 'Before']) {
      assert.equal(order(word, early, late), 'order:holds', word);
      assert.equal(order(word, late, early), 'order:fails', word);
    }
    for (const word of ['after', 'following', 'since']) {
      assert.equal(order(word, early, late), 'order:fails', word);
      assert.equal(order(word, late, early), 'order:holds', word);
    }
  });

  test('equal or unknown days, or no word between the clauses, decide nothing', () => {
    assert.equal(order('before', early, early), '');
    assert.equal(order('before', '', late), '');
    assert.equal(order('before', early, ''), '');
    assert.equal(order('while', early, late), '');
  });
});

describe('relations of the question', () => {
  const sides: Side[] = [
    { clause: 'fees not rose', sentence: 'Fees rose.', source: 'Velo', day: '2023-01-01' },
    { clause: 'kelp fell', sentence: 'Kelp fell.', source: 'Velo', day: '2023-01-02' },
  ];
  const relations = (question: string): string[] =>
    [...featuresOf(sides, question).keys()].flatMap(name => /^asked:(.*)/.exec(name)?.[1] ?? []);

  test('are read from its words; without any it asks for truth', () => {
    assert.deepEqual(relations('Did fees and kelp?'), ['true']);
    for (const word of [
      'same',
      'aligned',
      'agrees',
      'similarly',
      'both',
      'consistent',
      'uniformly',
    ])
      assert.deepEqual(relations(`Is it ${word}?`), ['alike'], word);
    for (const word of ['differs', 'contrasting', 'contradicts', 'inconsistent', 'discrepancy'])
      assert.deepEqual(relations(`Is it ${word}?`), ['unlike'], word);
    for (const word of ['changed', 'shift', 'evolving'])
      assert.deepEqual(relations(`Is it ${word}?`), ['change'], word);
    assert.deepEqual(relations('Do both differ AFTER a change?'), [
      ...['alike', 'unlike', 'change', 'order'],
    ]);
    assert.deepEqual(relations('Is the sameness exchanged thereafter?'), ['true']);
  });

  test('repeat each relational feature and no other', () => {
    const features = featuresOf(sides, 'Do both differ?');
    const plain = [...features].filter(([name]) => !/^asked:|\*/.test(name));
    const relational = plain.filter(([name]) => /^pair|^order|against|along|negat/.test(name));
    assert.ok(relational.length > 4);
    for (const relation of ['alike', 'unlike'])
      assert.deepEqual(
        [...features].filter(([name]) => name.startsWith(`${relation}*`)),
        relational.map(([name, value]) => [`${relation}*${name}`, value]),
      );
  });

  test('the features of the evidence do not change with the words of the question', () => {
    const features = evidenceFeatures(featuresOf(sides, 'Do both differ?'));
    assert.deepEqual(features, evidenceFeatures(featuresOf(sides, 'Did it change?')));
    assert.deepEqual(
      [...features.keys()].sort(),
      [
        ...['fact:along', 'fact:first', 'fact:least', 'fact:negationDiffers', 'fact:share'],
        ...['fact:negationDiffersFirst', 'pair:opposed', 'pair:sameSource'],
      ].sort(),
    );
  });
});

test('swapping two facts keeps every feature of the pair', () => {
  const words = ['fees', 'rose', 'fell', 'not', 'kelp', 'boats', 'harbour', 'left', '40'];
  const text = fc.array(fc.constantFrom(...words), { minLength: 1 }).map(all => all.join(' '));
  const side = fc.record({ clause: text, sentence: text });
  fc.assert(
    fc.property(side, side, (a, b) => {
      const [ab, ba] = [featuresOf([a, b], 'Q'), featuresOf([b, a], 'Q')];
      const pairs = (all: Features) => [...all].filter(([name]) => name.startsWith('pair:'));
      assert.deepEqual(pairs(ab), pairs(ba));
      for (const [name, value] of pairs(ab)) assert.ok(value > 0 && value <= 1, name);
    }),
  );
});
