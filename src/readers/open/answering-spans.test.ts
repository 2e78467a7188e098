/** Tests which spans may answer: subjects of the asked verb, and ends of chains. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { endsOfChains, subjectsOfVerb } from './answering-spans.ts';
import { readOpen } from './passages.ts';

/** Returns the names of a sentence that may answer a question. */
function subjects(question: string, text: string, names: readonly string[]): string[] {
  const spans = names.map(name => {
    const start = text.indexOf(name);
    assert.ok(start >= 0, name);
    const mention = { kind: 'name' as const, text: name, start, end: start + name.length };
    return { sentence: 0, mention };
  });
  const reading = { asked: askedQuestion(question), sentences: [{ text }] };
  return subjectsOfVerb(reading as never, spans).map(({ mention }) => mention.text);
}

const FOUNDED = 'Who founded the company that won the contract for the pier?';

test('the object of the asked verb is no answer, active or passive', () => {
  const names = ['Ann Tull', 'Hale Drives'];
  for (const text of [
    'Ann Tull founded Hale Drives in 2016.',
    'Ann Tull founds the Hale Drives of today.',
    'Hale Drives was founded by Ann Tull.',
    'Hale Drives, founded by Ann Tull, employs 34 people.',
    'Hale Drives, which was founded by Ann Tull, employs 34 people.',
    'Hale Drives had been founded by Ann Tull.',
  ])
    assert.deepEqual(subjects(FOUNDED, text, names), ['Ann Tull'], text);
});

test('a name that is neither before "founded by" nor after "founded" stays', () => {
  for (const text of [
    'Hale Drives was founded in Oddle.',
    'Hale Drives founded a school.',
    'Hale Drives moved to Oddle.',
    'The school was founded by Hale Drives in Oddle.',
  ])
    assert.deepEqual(subjects(FOUNDED, text, ['Hale Drives']), ['Hale Drives'], text);
});

test('all names stay if each is an object, and for questions that ask by no verb', () => {
  assert.deepEqual(subjects(FOUNDED, 'He founded Hale Drives.', ['Hale Drives']), ['Hale Drives']);
  const text = 'Ann Tull founded Hale Drives.';
  const names = ['Ann Tull', 'Hale Drives'];
  assert.deepEqual(subjects('Which company did Ann Tull leave?', text, names), names);
});

test('forms of an irregular verb are one verb', () => {
  assert.deepEqual(
    subjects('Who wrote the play?', 'The Reef was written by Ivo Stern.', [
      'The Reef',
      'Ivo Stern',
    ]),
    ['Ivo Stern'],
  );
});

const NESTED = { asked: askedQuestion('Which firm owns the ship from which the winner listens?') };
const PLAIN = { asked: askedQuestion('Which firm owns the Grey Petrel?') };
const span = (text: string, match: number, features: Readonly<Record<string, number>>) => ({
  text,
  match,
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
    new Asked('Who is the builder of the house to which Saltmere Press moves?'),
    ['', ''],
    sentences.map((text, part) => ({ part, text })),
  );
  assert.ok(joint.joints[1]!.byBridge.has('old mint'));
});
