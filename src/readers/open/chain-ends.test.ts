/** Tests which spans stand at ends of chains, by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { wordStem } from '../../language/english/words/verb-forms.ts';
import { endsOfChains } from './chain-ends.ts';
import { readOpen } from './passages.ts';

const NESTED = { asked: askedQuestion('Which firm owns the ship from which the winner listens?') };
const PLAIN = { asked: askedQuestion('Which firm owns the Grey Petrel?') };
const span = (text: string, match: number, features: Readonly<Record<string, number>>) => ({
  ...{ text, match },
  features: new Map(Object.entries(features)),
});
const joined = span('Holm Works', 0, { 'joint:end': 0.4, 'joint:gain': 0.3 });
const bridge = span('Ivo Stern', 0, { 'joint:end': 0.2, 'joint:bridge': 0.4 });
const repeats = span('Boreas', 0, { 'joint:end': 0.3 });
const whole = span('Tern Lines', 1, { 'joint:end': 0.5 });
const ship = span('Grey Petrel', -1, { 'joint:end': 0.6, 'joint:gain': 0.5 });

test('a nested question is answered by what a name joins, or what reaches most', () => {
  assert.ok(NESTED.asked.nested);
  assert.deepEqual(endsOfChains(NESTED, [joined, bridge, repeats, whole, ship]), [
    joined,
    bridge,
    whole,
  ]);
  assert.deepEqual(endsOfChains(NESTED, [joined, repeats]), [joined]);
});

test('all spans stay if none is left, and where nothing is nested', () => {
  assert.deepEqual(endsOfChains(NESTED, [ship]), [ship]);
  assert.ok(!PLAIN.asked.nested);
  assert.deepEqual(endsOfChains(PLAIN, [repeats, joined, ship]), [repeats, joined, ship]);
});

test('a name joins sentences though a place follows it in one of them', () => {
  const sentences = [
    'Saltmere Press moves to the Old Mint in Marrow.',
    'Ada Wyle built the Old Mint.',
  ];
  const { joint } = readOpen(
    'Who is the builder of the house to which Saltmere Press moves?',
    ['', ''],
    sentences.map((text, part) => ({ part, text })),
  );
  assert.ok(joint.joints[1]!.byBridge.has('old mint'));
});

test('"the next mayor" calls a mayor', () => {
  const { kinds, joint } = readOpen(
    'Who?',
    [''],
    [{ part: 0, text: 'Bo Coyle is the next mayor of Marrow.' }],
  );
  assert.ok(kinds.get(joint.names.key('Bo Coyle'))!.called.has(wordStem('mayor')));
});
