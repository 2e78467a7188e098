/** Checks features of spans by their kinds and types, over small readings. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { FeatureList } from '../features.ts';
import { readOpen } from './passages.ts';
import { readTexts, type Texts } from './read-texts.ts';
import { typeFeatures, typesIn } from './type-features.ts';

/** Features of the first span of this text, in the sentence at `at`. */
function features(question: string, passages: Texts, span: string, at = 0): Record<string, number> {
  const reading = readTexts(question, passages);
  const sentence = reading.sentences[at]!;
  const mention = sentence.mentions.find(({ text }) => text === span)!;
  const list = new FeatureList();
  const typed = typesIn(reading)(mention);
  typeFeatures(reading, sentence, { mention, typed }, (name, value) => list.add(name, value));
  return Object.fromEntries(list.values);
}

describe('features of a span', () => {
  test('of another passage, and of what this one opens with', () => {
    const found = features(
      'Which welder was with Orla Venn?',
      [
        ['Orla Venn', 'Orla Venn met Tam Quillor.'],
        ['Tam Quillor', 'Tam Quillor was a Danish welder born in Holm.', 'No.'],
      ],
      'Tam Quillor',
    );
    assert.deepEqual(found, {
      'target:1': 1,
      'target:strength': 0.3,
      'head:lead': 1,
      'person:lead:thing': 1,
      'called:asked': 1,
      'called:asked:thing': 1,
    });
  });
  test('of its own passage', () => {
    const found = features(
      'Which ship is Orla Venn?',
      [['Orla Venn', 'Orla Venn, a poet, sang.']],
      'Orla Venn',
    );
    assert.deepEqual(found, {
      own: 1,
      'own:thing': 1,
      'head:lead:missing': 1,
      'type:mismatch': 1,
      'type:vessel>person': 1,
    });
  });
  test('of no passage', () => {
    assert.deepEqual(features('What is it?', [['Other', 'They saw Holm.']], 'Holm'), {});
    assert.deepEqual(features('What is it?', [['Other', 'They saw lamps.']], 'lamps'), {});
  });
  test('by pronouns in the first sentence of its passage', () => {
    for (const word of ['born', 'he', 'she', 'his', 'Her']) {
      const person = (text: string): number | undefined =>
        features('Who is it?', [['Orla', `Orla, ${text}, left.`]], 'Orla')['person:lead:person'];
      assert.equal(person(word), 1);
      assert.equal(person(`x${word}`), undefined);
      assert.equal(person(`${word}x`), undefined);
    }
  });
  test('by its last word', () => {
    const found = features(
      'Which mill burnt?',
      [['A', 'It is Old Harbour Lamps.']],
      'Old Harbour Lamps',
    );
    assert.equal(found['head:last'], undefined);
    assert.equal(
      features('Which lamp is it?', [['A', 'It is Harbour Lamps.']], 'Harbour Lamps')['head:last'],
      1,
    );
  });
  test('by weekdays and months', () => {
    for (const day of [
      ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'January'],
      ...['February', 'March', 'April', 'June', 'July', 'August', 'September', 'October'],
      ...['November', 'December'],
    ])
      assert.equal(features('Who is it?', [['A', `On ${day}.`]], day)['calendar:person'], 1, day);
    for (const other of ['Xmonday', 'Mondays', 'Old April', 'Mayfly'])
      assert.equal(features('Who?', [['A', `On ${other}.`]], other)['calendar:person'], undefined);
  });
  test('by the words of organisations', () => {
    const of = (question: string, name: string) => features(question, [['A', `At ${name}.`]], name);
    for (const word of [
      ...['Corp', 'Company', 'University', 'College', 'School', 'Records', 'Pictures'],
      ...[
        'Studio',
        'Studios',
        'League',
        'Association',
        'Party',
        'Museum',
        'County',
        'City',
        'Club',
      ],
      ...['Band', 'Island', 'River', 'Award', 'Church', 'Film', 'Films', 'Entertainment'],
      'Festival',
    ]) {
      assert.equal(of('Who is it?', `Holm ${word}`)['person:organisation'], 1, word);
      assert.equal(of('Who is it?', `Holm ${word}`)['suffix:person:person'], 1, word);
      assert.equal(of('What is it?', `Holm ${word}`)['organisation'], 1, word);
      assert.equal(of('What is it?', `Holm ${word}`)['person:organisation'], undefined);
      assert.equal(of('Who is it?', `Holm ${word}`)['organisation'], undefined);
      assert.equal(of('Who is it?', `Holm ${word}x`)['person:organisation'], undefined);
      assert.equal(of('Who is it?', `Holm X${word}`)['person:organisation'], undefined);
    }
  });
  test('by countries, where one is asked for or not', () => {
    const of = (question: string, span: string) => features(question, [['A', `In ${span}.`]], span);
    assert.equal(of('Which country is it?', 'Denmark')['country:place:true'], 1);
    assert.equal(of('Which nation is it?', 'Denmark')['country:place:true'], 1);
    assert.equal(of('Which city is it?', 'Denmark')['country:place:false'], 1);
    assert.equal(of('Which country is it?', 'Holm')['country:place:true'], undefined);
  });
  test('by the precision of a date', () => {
    const of = (question: string, span: string) => features(question, [['A', `In ${span}.`]], span);
    assert.equal(of('When was it?', '4 May 1901')['date:true:time'], 1);
    assert.equal(of('When was it?', 'May 1901')['date:true:time'], 1);
    assert.equal(of('When was it?', '1901')['date:false:time'], 1);
    assert.equal(of('Which year was it?', '1901')['date:false:year'], 1);
    assert.equal(of('When was it?', 'Holm')['date:false:time'], undefined);
  });
});

describe('features of a name', () => {
  const of = (question: string, text: string, span = 'Tam Quillor') =>
    features(question, [['A', ...text.split('|')]], span, text.split('|').length - 1);
  test('by what the evidence calls it', () => {
    const found = of('Which poet met the welder?', 'The poet met the welder Tam Quillor.');
    assert.deepEqual([found['called:asked'], found['called:described']], [undefined, 1]);
    const asked = of('Which welder was with the poet?', 'The poet met the welder Tam Quillor.');
    assert.deepEqual([asked['called:asked'], asked['called:asked:thing']], [1, 1]);
    assert.equal(asked['called:described'], undefined);
    assert.equal(of('What?', 'The welder Tam Quillor left.')['called:asked'], undefined);
  });
  test('by persons, roles, speech, pronouns and places', () => {
    const type = 'place:place';
    const found = of(
      'Which city is it?',
      'Quillor left.|In Tam Quillor. He said captain Tam Quillor said her.',
    );
    assert.deepEqual(
      [`person name:${type}`, `speaks:${type}`, `place:${type}`, `role:${type}`].map(
        name => found[name],
      ),
      [1, 1, 1 / 3, 1],
    );
    assert.equal(found[`personal:${type}`], 2 / 3);
    assert.equal(found['type:place>person'], 1);
    assert.equal(found['type:mismatch'], 1);
  });
  test('by its own words', () => {
    const found = of('Which lamp is it?', 'It is Holm Lamp of Vall.', 'Holm Lamp of Vall');
    assert.deepEqual([found['named kind'], found['named kind:thing:']], [1, 1]);
    assert.equal(of('Which lamp is it?', 'It is Lamp.', 'Lamp')['named kind'], undefined);
    assert.equal(of('What?', 'It is Holm Lamp.', 'Holm Lamp')['named kind'], undefined);
    assert.equal(of('Which mast is it?', 'It is Holm Lamp.', 'Holm Lamp')['named kind'], undefined);
  });
  test('by its types beside the one that is asked for', () => {
    const found = of('Which building is it?', 'It is Holm Church.', 'Holm Church');
    assert.deepEqual(
      [found['type:building>building'], found['type:building>organisation'], found['type:match']],
      [1, 1, 1],
    );
  });
});

describe('the types of a span', () => {
  const typed = (question: string, text: string, span: string) => {
    const reading = readOpen(new Asked(question), ['A'], [{ part: 0, text }]);
    const of = typesIn(reading);
    const mention = reading.sentences[0]!.mentions.find(each => each.text === span)!;
    const { types, match } = of(mention);
    assert.deepEqual(of(mention), { types, match });
    return [match, ...types];
  };
  for (const [question, text, span, ...expected] of [
    ['Which person is it?', 'It is Laura Venn.', 'Laura Venn', 1, 'person'],
    ['Which ship is it?', 'It is Laura Venn.', 'Laura Venn', -1, 'person'],
    ['Which ship is it?', 'It is Vall.', 'Vall', 0],
    ['What is it?', 'It is Laura Venn.', 'Laura Venn', 0, 'person'],
    ['Which ship is it?', 'It is a lamp.', 'lamp', -1],
    ['What is it?', 'It is a lamp.', 'lamp', 0],
    ['Which person is it?', 'It is Danish.', 'Danish', 0],
  ] as const)
    test(`${span} for "${question}"`, () =>
      assert.deepEqual(typed(question, text, span), expected));
});
