import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksForDefault, asksForNumber, hasNumber, mentionsDefault } from './question-cues.ts';

test('a question asks for a default in many words', () => {
  for (const question of [
    'How long does the buoy listen unless I change anything?',
    'Is the hydrophone muted out of the box?',
    'Is the hydrophone muted out-of-the-box?',
    'Which port is used if none is given?',
    'Which port is used when the option is not set?',
    'Which port is used where I don’t name one?',
    'Which colour does the buoy take if its lamp is left alone?',
    'Which zone holds when unset?',
    'What does the pump do without any options?',
    'What is the default depth?',
    'Does it sleep by default?',
  ])
    assert.ok(asksForDefault(question), question);
});

test('other questions ask for none', () => {
  for (const question of [
    'How long does the buoy listen?',
    'Who never sailed on the Linnet?',
    'Can I run it without a network?',
    'Which setting mutes the hydrophone?',
  ])
    assert.ok(!asksForDefault(question), question);
});

test('a condition denies within five words', () => {
  assert.ok(asksForDefault('What happens if a b c d none is given?'));
  assert.ok(!asksForDefault('What happens if a b c d e none is given?'));
});

test('texts mention a default by any form of the word', () => {
  assert.ok(mentionsDefault('Default: 30'));
  assert.ok(mentionsDefault('It defaults to 30.'));
  assert.ok(!mentionsDefault('It is 30.'));
});

test('a question asks for a number by a measure or by its name', () => {
  for (const question of [
    'How many buoys listen?',
    'How long does the buoy sleep?',
    'Which version of the pump is needed?',
    'In what year was the lamp lit?',
    'Which exit status does it return?',
    'Until when is the key valid?',
    'After how many seconds does it give up?',
  ])
    assert.ok(asksForNumber(question), question);
  for (const question of [
    'How do I light the lamp?',
    'Which colour has the lamp?',
    'Who keeps the version?',
    'What is a port of call?',
  ])
    assert.ok(!asksForNumber(question), question);
});

test('a text has a number if it has a digit', () => {
  assert.ok(hasNumber('up to 4 buoys'));
  assert.ok(!hasNumber('up to four buoys'));
});
