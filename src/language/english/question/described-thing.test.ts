/** Tests how a question is split into what it describes and what it asks of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { describedThing } from './described-thing.ts';

/** Splits a question about Tern; the described words and the asked ones between blanks. */
function split(question: string): readonly [string, string] | undefined {
  const start = question.indexOf('Tern');
  const thing = describedThing(question, [start, start + 4]);
  const words = (text: string): string => text.replace(/\s+/g, ' ').trim();
  return thing && [words(thing.described), words(thing.asked)];
}

describe('a described thing', () => {
  test('is the phrase that the name completes', () => {
    assert.deepEqual(split('Who holds the copyright of the module that boots plugins in Tern?'), [
      'the module that boots plugins in Tern?',
      'Who holds the copyright of',
    ]);
    assert.deepEqual(split('Which module stores rows that the engine protecting Tern drops?'), [
      'the engine protecting Tern drops?',
      'Which module stores rows that',
    ]);
    assert.deepEqual(split('In the format that the printer used by Tern takes, are hours short?'), [
      'the printer used by Tern takes',
      'In the format that are hours short?',
    ]);
  });

  test('is asked by what follows where nothing stands before it', () => {
    assert.deepEqual(split('The parser below the pages of Tern binds which two libraries?'), [
      'The parser below the pages of Tern',
      'binds which two libraries?',
    ]);
    assert.deepEqual(split('How does the engine behind Tern choose what to drop?'), [
      'the engine behind Tern',
      'How does choose what to drop?',
    ]);
  });

  test('is the part with the name where other parts refer to it', () => {
    assert.deepEqual(split('Which engine does Tern use, and how large is a page of it?'), [
      'Which engine does Tern use',
      'how large is a page of it',
    ]);
    assert.deepEqual(split('The tool Tern calls: which version of it is needed?'), [
      'The tool Tern calls',
      'which version of it is needed',
    ]);
    // Nothing refers to another part.
    assert.equal(split('Does Tern read, and who wrote Egret?'), undefined);
  });

  test('is what belongs to the name', () => {
    assert.deepEqual(split('Does the maker of Tern own its storage engine?'), [
      'its storage engine',
      'Does the maker of own',
    ]);
    // A part of what is named is no other thing.
    assert.equal(split('Does Tern sign its session?'), undefined);
  });

  test('is none where a question describes nothing', () => {
    assert.equal(split('How large is a page of Tern?'), undefined);
    assert.equal(split('Tern'), undefined);
  });

  test('of any text is made of its words', () => {
    const word = fc.constantFrom(
      ...[
        'Tern',
        'the',
        'engine',
        'that',
        'its',
        'uses',
        ', and',
        'what is',
        'it',
        'of',
        '?',
        ': ',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 4 }))), words => {
        const question = ['Tern', ...words].join(' ');
        const thing = describedThing(question, [0, 4]);
        if (!thing) return;
        for (const part of `${thing.described} ${thing.asked}`.split(/\s+/))
          assert.ok(question.includes(part), part);
      }),
    );
  });
});
