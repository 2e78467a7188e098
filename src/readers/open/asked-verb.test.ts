/** Tests that an answer rests on a sentence that states the verb of the question. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { wordStem } from '../../language/english/words/verb-forms.ts';
import { statingStems } from '../../language/english/words/verb-groups.ts';
import { statesVerb } from './asked-verb.ts';
import { candidatesOf } from './decide.ts';
import { readOpen } from './passages.ts';

const verbOf = (text: string): string => askedQuestion(text).verb;
const statedBy = (question: string, sentence: string, form: 'span' | 'choice' = 'span') =>
  statesVerb(readOpen(question, ['Brill Mill'], [{ part: 0, text: sentence }]), {
    form,
    sentences: [0],
  });

test('the verb follows who, or which and a noun that can act', () => {
  assert.equal(verbOf('Who owns the Brill Mill?'), 'owns');
  assert.equal(verbOf('Who has restored the Brill Mill?'), 'restored');
  assert.equal(verbOf('Which company bought the Brill Mill?'), 'bought');
  for (const text of [
    'Who is the keeper of the mill?',
    'Who did Brill play against?',
    'Which album sold best?',
    'Which actress appeared in the mill?',
    'In which year was the mill built?',
  ])
    assert.equal(verbOf(text), '', text);
});

test('after a noun of a known type a verb ends what is asked for', () => {
  const { noun, kind, types } = askedQuestion('Which architect restored the old house?');
  assert.deepEqual([noun, kind, types], [wordStem('architect'), 'person', ['person']]);
  assert.equal(askedQuestion('Which company owns the mill?').noun, wordStem('company'));
  assert.equal(askedQuestion('Which united team won?').noun, wordStem('team'));
});

test('a sentence of the answer states the verb, or a word that says the same', () => {
  const asked = 'Who owns the Brill Mill?';
  assert.ok(statedBy(asked, 'The Brill Mill belongs to Hanna Odde.'));
  assert.ok(statedBy(asked, 'Hanna Odde bought the Brill Mill.'));
  assert.ok(!statedBy(asked, 'Karel Minns restored the Brill Mill.'));
  assert.ok(statedBy(asked, 'Karel Minns restored the Brill Mill.', 'choice'));
  assert.ok(statedBy('Who whittles in the Brill Mill?', 'Karel Minns whittled there.'));
  assert.ok(!statedBy('Who whittles in the Brill Mill?', 'Karel Minns sang there.'));
});

test('a nested question may be answered in other words', () => {
  const asked = 'Who owns the mill that the carpenter of Tolbeck restored?';
  assert.ok(statedBy(asked, 'Karel Minns runs the Brill Mill.'));
});

test('a listed verb is stated by itself and by its own words alone', () => {
  assert.ok(statingStems('owns').has(wordStem('belongs')));
  assert.ok(!statingStems('belongs').has(wordStem('owns')));
});

test('"the island of" calls what follows it', () => {
  const reading = readOpen(
    'On which island is the Brill Mill?',
    ['Brill Mill'],
    [
      {
        part: 0,
        text: 'The Brill Mill stands near Tolbeck on the island of Orrin, off the coast of Vash.',
      },
    ],
  );
  const called = (name: string) => reading.kinds.get(reading.joint.names.key(name))!.called;
  assert.ok(called('Orrin').has(wordStem('island')));
  assert.equal(called('Vash').size, 0);
  const spans = candidatesOf(reading).spans;
  const isCalled = (name: string) =>
    spans.find(({ text }) => text === name)!.features.get('called:asked') ?? 0;
  assert.deepEqual([isCalled('Orrin'), isCalled('Tolbeck')], [1, 0]);
});
