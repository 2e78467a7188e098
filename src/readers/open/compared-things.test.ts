/** Checks the things that questions compare, and the passages that tell of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  asksDifferent,
  asksSame,
  comparedThings,
  distinctSpans,
  throughPassages,
} from './compared-things.ts';
import { readTexts } from './read-texts.ts';

const PEOPLE = [
  ['Orla Venn', 'She was a poet.'],
  ['Tam Quillor', 'He was a welder.'],
  ['Ida Holm', 'She was a judge.'],
] as const;

describe('the things of a question', () => {
  const things = (question: string, joiner: 'or' | 'and', texts: typeof PEOPLE | [] = PEOPLE) =>
    comparedThings(readTexts(question, texts), joiner).map(({ text, passages }) => [
      text,
      ...passages,
    ]);
  const ORLA = ['Orla Venn', 0];
  const TAM = ['Tam Quillor', 1];
  const IDA = ['Ida Holm', 2];

  for (const [question, joiner, ...expected] of [
    ['Who is older, Orla Venn or Tam Quillor?', 'or', ORLA, TAM],
    ['Who is older, Orla Venn, or Tam Quillor?', 'or', ORLA, TAM],
    ['Who is older, Tam Quillor or Orla Venn?', 'or', TAM, ORLA],
    ['Who is older, Orla Venn, Tam Quillor or Ida Holm?', 'or', ORLA, TAM, IDA],
    ['Who is older, “Orla Venn” or “Tam Quillor”?', 'or', ORLA, TAM],
    ['Who is older, (Orla Venn) or the Tam Quillor?', 'or', ORLA, TAM],
    ['Is it Orla Venn or the film Tam Quillor?', 'or', ORLA, TAM],
    ['Is it Orla Venn or the director of the movie Tam Quillor?', 'or', ORLA, TAM],
    ['Is it Orla Venn or song of Tam Quillor?', 'or', ORLA, TAM],
    ['Did Orla Venn sing, or was it Tam Quillor?', 'or', ORLA, TAM],
    ['Are Orla Venn and Tam Quillor poets?', 'and', ORLA, TAM],
    ['Are Orla Venn, Ida Holm and Tam Quillor poets?', 'and', ORLA, IDA, TAM],
    ['Is Orla Venn a poet like Tam Quillor?', 'and', ORLA, TAM],
    ['Is Orla Venn a poet like Tam Quillor?', 'or'],
    ['Is Orla Venn, Tam Quillor, Ida Holm a poet?', 'and'],
    ['Does Ida Holm say that Orla Venn or Tam Quillor left?', 'or', ORLA, TAM],
    ['Did Ida Holm, Orla Venn say they sing oreads, Tam Quillor?', 'or'],
    ['Who is older: Orla Venn?', 'or'],
    ['Is it ORLA VENN OR TAM QUILLOR?', 'or', ['ORLA VENN', 0], ['TAM QUILLOR', 1]],
    ['Who is older?', 'or'],
  ] as const)
    test(`"${question}" by "${joiner}"`, () =>
      assert.deepEqual(things(question, joiner), expected));

  test('stand within 80 characters that hold the joiner', () => {
    const far = (size: number): string => `Orla Venn ${'x'.repeat(size - 2)} or Tam Quillor?`;
    assert.equal(things(`Did ${far(40)}`, 'or').length, 2);
    assert.ok(things(`Did ${far(60)}`, 'or').length < 2);
  });

  test('are names without passages if no title is named', () => {
    assert.deepEqual(things('Who is older, Bo Lund or Pia Moe?', 'or', []), [
      ['Bo Lund'],
      ['Pia Moe'],
    ]);
    assert.deepEqual(things('Who is older, “the boat” or “the mast”?', 'or', []), [
      ['the boat'],
      ['the mast'],
    ]);
    assert.deepEqual(things('Who is older, Bo Lund of Holm or the Pia Moe?', 'or', []), [
      ['Bo Lund of Holm'],
      ['Pia Moe'],
    ]);
    assert.deepEqual(things('Who is older, Bo Lund too or Pia Moe?', 'or', []), [['Pia Moe']]);
    assert.deepEqual(things('Who is older, Bo Lund or the young Pia Moe?', 'or', []), [
      ['Bo Lund'],
    ]);
    assert.deepEqual(things('Who is older, Bo Lund, Pia Moe?', 'or', []), []);
    // A name next to the joiner may stand up to 3 characters before it and 6 after it.
    assert.deepEqual(things('Is it Bo Lund”), or (the Pia Moe?', 'or', []), [
      ['Bo Lund'],
      ['Pia Moe'],
    ]);
    assert.deepEqual(things('Is it Bo Lund”), or (((the Pia Moe?', 'or', []), [['Bo Lund']]);
    assert.deepEqual(things('Is it Bo Lund”))) or “the Pia Moe?', 'or', []), [['Pia Moe']]);
    assert.deepEqual(things('Is it Bo Lund”) or (“the Pia Moe?', 'or', []), [
      ['Bo Lund'],
      ['Pia Moe'],
    ]);
    // The longest name on each side counts.
    assert.deepEqual(things('Is it Bell of the North or Mast of the South?', 'or', []), [
      ['Bell of the North'],
      ['Mast of the South'],
    ]);
    assert.deepEqual(things('Are Bo Lund and Pia Moe or Ida old?', 'and', []), [
      ['Bo Lund'],
      ['Pia Moe'],
    ]);
  });

  test('have the passages whose titles are their names, else those that name them', () => {
    const texts = [
      ['Bo Lund (poet)', 'Pia Moe met him.'],
      ['Weather', 'It rained on Pia Moe.'],
      ['Other', 'Moe left.'],
      ['Last', 'Nobody.'],
    ] as const;
    const split = readTexts('Who is old, Bo Lund or Pia Moe?', [
      ['One', 'It rained.', 'Pia Moe left.'],
      ['Two', 'Tova left.'],
    ]);
    assert.deepEqual(comparedThings(split, 'or')[1]!.passages, [0]);
    const [bo, pia] = comparedThings(readTexts('Who is old, sir Bo Lund or Pia Moe?', texts), 'or');
    assert.deepEqual([bo!.text, bo!.passages], ['Bo Lund', [0]]);
    assert.deepEqual([pia!.text, pia!.passages], ['Pia Moe', [0, 1, 2]]);
  });
});

test('spans are those of the anchors, each once, with all of their passages', () => {
  const read = readTexts('Are Orla Venn and Tam Quillor old?', [
    ...PEOPLE.slice(0, 2),
    ['Orla Venn (poet)', 'She sang.'],
  ]);
  assert.deepEqual(distinctSpans(read), [
    { start: 4, end: 13, text: 'Orla Venn', passages: [0, 2] },
    { start: 18, end: 29, text: 'Tam Quillor', passages: [1] },
  ]);
});

describe('the passages that a question goes through', () => {
  const texts = [
    ['Grey Lanterns', 'Grey Lanterns is a film directed by Orla Venn; Ida Holm shot it.'],
    ['Orla Venn', 'Orla Venn was the daughter of Ulf Venn.'],
    ['Ida Holm', 'She was a judge.'],
    ['Ulf Venn', 'He was a king.'],
  ] as const;
  const through = (question: string, passages: readonly (readonly [string, string])[] = texts) => {
    const read = readTexts(question, passages);
    return [...throughPassages(read, { text: 'Grey Lanterns', passages: [0] })];
  };

  test('are the own ones if it asks for no person between', () => {
    assert.deepEqual(through('When was Grey Lanterns released?'), [0]);
    assert.deepEqual(through('Who is the architect of Grey Lanterns?'), [0]);
  });
  test('are those of the persons that the own ones state', () =>
    assert.deepEqual(through('When was the director of Grey Lanterns born?'), [1]));
  for (const [noun, text] of [
    ['director', 'directed'],
    ['performer', 'performed'],
    ['composer', 'composed'],
    ['author', 'written'],
    ['producer', 'produced'],
    ['founder', 'founded'],
  ] as const)
    test(`may go through the ${noun}`, () =>
      assert.deepEqual(
        through(`When was the ${noun} of Grey Lanterns born?`, [
          ['Grey Lanterns', `It was ${text} by Orla Venn.`],
          ['Orla Venn', 'No.'],
        ]),
        [1],
      ));
  for (const [noun, text] of [
    ['father', 'the son of'],
    ['mother', 'a child whose mother was'],
    ['spouse', 'the wife of'],
  ] as const)
    test(`may go through the ${noun}`, () =>
      assert.deepEqual(
        through(`When was the ${noun} of Grey Lanterns born?`, [
          ['Grey Lanterns', `It was ${text} Orla Venn.`],
          ['Orla Venn', 'No.'],
        ]),
        [1],
      ));
  test('are each given once', () =>
    assert.deepEqual(
      through('When was the director of Grey Lanterns born?', [
        ['Grey Lanterns', 'It was directed by Orla Venn, and directed by Orla Venn.'],
        ['Orla Venn', 'No.'],
      ]),
      [1],
    ));
  test('are the own ones if none of them states the person', () => {
    assert.deepEqual(
      through('When was the director of Grey Lanterns born?', [
        ['Grey Lanterns', 'It was lit by Orla Venn; she left.'],
        ['Orla Venn', 'No.'],
      ]),
      [0],
    );
    assert.deepEqual(
      through('When was the director of Grey Lanterns born?', [
        ['Grey Lanterns', 'It was directed by Orla Venn.'],
        ['Other', 'No.'],
      ]),
      [0],
    );
  });
  test('are those that a passage itself links to, and no other', () => {
    const linked = [
      ['Grey Lanterns', 'Orla Venn was there. It was directed by Tam Quillor; Ida Holm shot it.'],
      ['Orla Venn', 'No.'],
      ['Tam Quillor', 'Ida Holm met Grey Lanterns.'],
      ['Ida Holm', 'No.'],
    ] as const;
    assert.deepEqual(through('When was the director of Grey Lanterns born?', linked), [2]);
  });
  test('are found in any sentence of the own ones', () => {
    const read = readTexts('When was the director of Grey Lanterns born?', [
      ['Grey Lanterns', 'It burnt.', 'It was directed by Orla.'],
      ['Tam Quillor', 'He was.'],
      ['Orla', 'She was.'],
    ]);
    const persons = (...passages: number[]) => throughPassages(read, { text: 'x', passages });
    assert.deepEqual(persons(0), [2]);
    assert.deepEqual(persons(1, 0), [2]);
    assert.deepEqual(persons(1), [1]);
    assert.deepEqual(persons(0, 2), [2]);
  });
  test('are found where a sentence names the person before it states the relation', () =>
    assert.deepEqual(
      through('When was the director of Grey Lanterns born?', [
        ['Grey Lanterns', 'Orla Venn left; it was directed by Orla Venn.'],
        ['Orla Venn', 'No.'],
      ]),
      [1],
    ));
  test('are those with the title of a person of one word', () =>
    assert.deepEqual(
      through('When was the director of Grey Lanterns born?', [
        ['Grey Lanterns', 'It was directed by Orla, no less.'],
        ['Other', 'It was directed by Orla, no less.'],
        ['Orla', 'No.'],
      ]),
      [2],
    ));
});

test('words ask for difference or likeness', () => {
  for (const text of ['Are they different?', 'Is it UNLIKE it?']) assert.ok(asksDifferent(text));
  for (const text of ['indifferent', 'differently', 'unlikely', 'like'])
    assert.ok(!asksDifferent(text), text);
  for (const text of ['the same town', 'Share it', 'shared', 'BOTH', 'similar', 'in common'])
    assert.ok(asksSame(text), text);
  for (const text of [
    'sesame',
    'samely',
    'shares',
    'bothy',
    'similarly',
    'in commonly',
    'uncommon',
  ])
    assert.ok(!asksSame(text), text);
});
