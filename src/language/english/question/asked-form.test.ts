/** Tests the forms of answers that questions ask for, and what remains as their subject. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AskedForm, askedForm, askedParts } from './asked-form.ts';

const FORMS: readonly (readonly [question: string, form: AskedForm])[] = [
  ['How long does the proxy wait for an upstream?', 'duration'],
  ['After how many minutes is a lock released?', 'duration'],
  ['Idle timeout of the gateway', 'duration'],
  ['How large can an upload get?', 'size'],
  ['What is the largest memory size of a worker?', 'size'],
  ['How many workers does Kestrel start?', 'count'],
  ['How often does the index get rebuilt?', 'count'],
  ['On which port does the dashboard listen?', 'number'],
  ['What exit code does lint return for warnings?', 'number'],
  ['Which Python version does Heron need?', 'version'],
  ['What is the oldest Ruby that Wren runs on?', 'version'],
  ['When was Wren 2 released?', 'date'],
  ['In which year did the fork begin?', 'date'],
  ['Who wrote the first scheduler?', 'person'],
  ['Which author is Heron named after?', 'person'],
  ['Where was Kestrel presented first?', 'place'],
  ['Which command empties the cache?', 'command'],
  ['Which option turns off colours?', 'option'],
  ['What environment variable names the registry?', 'option'],
  ['What is a shard?', 'definition'],
  ['What does the acronym WAL stand for?', 'definition'],
  ['Which three backends are there?', 'list'],
  ['What log level is used if none is set?', 'value'],
  ['What are releases of Wren named after?', 'value'],
  ['What does the hosted plan cost a month?', 'price'],
  ['Does Kestrel compress responses?', 'verdict'],
  ['Is the cache shared between workers out of the box?', 'verdict'],
  ['Which of the two starts faster, Wren or Heron?', 'choice'],
  ['Does Heron round up or down?', 'choice'],
  ['How do I rotate a key?', 'manner'],
  ['How can the pool be drained?', 'manner'],
  ['Why is the cache empty after a restart?', 'manner'],
  ['What should I do to keep sessions?', 'manner'],
  ['Could you tell me how to pin a version?', 'manner'],
];

describe('the form of an answer', () => {
  for (const [question, form] of FORMS)
    test(question, () => assert.equal(askedForm(question).form, form));

  test('any text has one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        assert.equal(typeof askedForm(text).form, 'string');
        assert.ok(askedParts(text).length > 0);
      }),
    );
  });
});

describe('the subject of a question', () => {
  test('leaves out what says that nothing is configured', () => {
    for (const tail of [
      'unless I say otherwise',
      'by default',
      'out of the box',
      'if none is set',
    ]) {
      const asked = askedForm(`How many workers does Kestrel start ${tail}?`);
      assert.equal(asked.default, true, tail);
      assert.match(asked.subject, /^\s*workers does Kestrel start\s*\?$/);
    }
    assert.equal(askedForm('How many workers does Kestrel start?').default, false);
  });

  test('of two questions in one sentence are two', () => {
    assert.deepEqual(askedParts('Which engine does Wren use, and which port does it open?'), [
      'Which engine does Wren use',
      'which port does it open?',
    ]);
    assert.equal(askedParts('Which host and port does Wren use?').length, 1);
  });
});
