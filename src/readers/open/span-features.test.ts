/** Checks which spans may answer, and the features that tell them from one another. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTexts, type Texts } from './read-texts.ts';
import { spanCandidates } from './span-features.ts';

const candidates = (question: string, passages: Texts) =>
  spanCandidates(readTexts(question, passages));
const TEXT = 'In 1901 a Danish poet, Tova Brandt, sang “oh no” to nine lamps.';
const MIXED: Texts = [['A', TEXT]];

describe('spans that may answer', () => {
  for (const [question, ...kinds] of [
    ['Who is it?', 'name', 'quote'],
    ['Where is it?', 'adjective', 'name'],
    ['When is it?', 'name', 'time'],
    ['What is the size of it?', 'number', 'time'],
    ['What nationality is it?', 'adjective', 'name'],
    ['Is it so?', 'name', 'noun', 'number', 'quote', 'time'],
    ['What is it?', 'adjective', 'name', 'noun', 'number', 'quote', 'time'],
    ['How many are there?', 'number'],
  ] as const)
    test(`to "${question}": ${kinds.join(', ')}`, () =>
      assert.deepEqual(
        [...new Set(candidates(question, MIXED).map(({ mention }) => mention.kind))].sort(),
        [...kinds],
      ));

  test('stand in the order of sentences, with their places and types', () => {
    const found = candidates('Who is it?', [
      ['A', 'Laura Venn left.'],
      ['B', 'Holm Records left.'],
    ]);
    assert.deepEqual(
      found.map(({ text, sentence, match }) => [text, sentence, match]),
      [
        ['Laura Venn', 0, 1],
        ['Holm Records', 1, -1],
      ],
    );
  });
});

describe('features of a span', () => {
  const of = (question: string, passages: Texts, span: string, nth = 0) =>
    candidates(question, passages).filter(({ text }) => text === span)[nth]!.features;

  test('of the question alone', () => {
    const found = of(
      'Which ship of the man who led is it that Orla saw?',
      [['Orla', 'Ulf left.']],
      'Ulf',
    );
    for (const name of [
      ...['asks:thing', 'asks type:vessel', 'asks nested:true', 'asks steps:0'],
      ...['asks anchors:1', 'asks links:4', 'nested:reach:0', 'thing:name', 'words:name:1'],
    ])
      assert.equal(found.get(name), 1, name);
    const plain = of('Who left?', [['Orla', 'Ulf left.']], 'Ulf');
    for (const name of ['asks type:person', 'asks nested:false', 'asks links:1', 'plain:reach:-1'])
      assert.equal(plain.get(name), 1, name);
  });

  test('that is written shorter than its longest name', () => {
    const passages: Texts = [['A', 'Tova Brandt left.', 'Brandt sang.', 'The brandt is grey.']];
    assert.equal(of('Who left?', passages, 'Brandt').get('abbreviated'), 1);
    assert.equal(of('Who left?', passages, 'Tova Brandt').get('abbreviated'), undefined);
    assert.equal(of('What left?', passages, 'brandt').get('abbreviated'), undefined);
  });

  test('that the question holds', () => {
    const found = of('What is the grey Lamp?', [['A', 'A grey lamp mast.']], 'grey lamp mast');
    assert.deepEqual(
      [found.get('in question'), found.get('in question:all')],
      [undefined, undefined],
    );
    assert.equal(found.get('in question:share'), 2 / 3);
    const whole = of('What is the grey lamp?', [['A', 'A Grey Lamp.']], 'Grey Lamp');
    assert.deepEqual(
      ['in question', 'in question:all', 'in question:share'].map(name => whole.get(name)),
      [1, 1, 1],
    );
  });

  test('that stands in a longer one, or that several sentences have', () => {
    const inner = of('What is it?', [['A', 'A grey lamp.']], 'lamp');
    assert.equal(inner.get('inner:noun'), 1);
    assert.equal(
      of('What is it?', [['A', 'A grey lamp.']], 'grey lamp').get('inner:noun'),
      undefined,
    );
    assert.equal(of('Who is it?', [['A', 'It “met Ulf then”.']], 'Ulf').get('inner:name'), 1);
    const twice: Texts = [['A', 'Ulf met Ulf.', 'ULF left.', 'Bo left.']];
    assert.equal(of('Who is it?', twice, 'Ulf').get('count'), 1);
    assert.equal(of('Who is it?', twice, 'Bo').get('count'), undefined);
  });

  test('by the share of names of the question that its sentence or title has', () => {
    const passages: Texts = [['Tova Brandt', 'Bo met Ulf.', 'Ida left.']];
    const names = (span: string) =>
      of('Who is Ulf with old Tova Brandt?', passages, span).get('plain:names');
    assert.deepEqual([names('Bo'), names('Ida')], [1, 0.5]);
    assert.equal(of('who is it?', passages, 'Bo').get('plain:names'), undefined);
  });
});
