/** Tests plain questions: sources in any spelling and case are the catalogue's. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../../../core/steps.ts';
import { isMisspelling } from '../../../core/text/one-edit.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { SourceSpellings } from '../names/misspelled-sources.ts';
import { findSources, sourceNames } from '../names/source-names.ts';
import { plainQuestion } from './plain-question.ts';

const SOURCES = [
  ...['TechCrunch', 'The Verge', 'Fortune', 'The Age', 'FOX News - Health', 'FOX News - Sports'],
  ...['The Roar | Sports Writers Blog', 'CBSSports.com', 'Cnbc | World News', 'Wired', 'Polygon'],
];
const aliases = sourceNames(SOURCES);
const spellings = finish(SourceSpellings.prepare(aliases));
const CATALOGUE: MetadataCatalogue = { sources: SOURCES, aliases, days: [] };
const plain = (question: string): string => plainQuestion(question, CATALOGUE);
const namesIn = (text: string): string[] =>
  findSources(text, SOURCES, aliases).flatMap(({ names }) => names);

test('plain questions are returned unchanged', () => {
  for (const question of [
    'Did the TechCrunch article agree with The Verge and with Wired on Acme?',
    'Which company, covered by Fortune, made a fortune and rewired its polygons?',
    'Who was Weird Al at the age of 20?',
    'According to The Times, who won?',
    'Which rival was fired by Fired Up?',
  ])
    assert.equal(plain(question), question);
});

/** Every text that one transposition of neighbours makes of another, in its words. */
function transpositions(text: string): string[] {
  return Array.from(text, (_, at) =>
    /\p{L}{2}/u.test(text.slice(at, at + 2)) && at > 0
      ? text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2)
      : text,
  ).filter(typed => typed !== text);
}

test('a name with one transposition is found wherever it is cited', () => {
  for (const source of SOURCES)
    for (const typed of transpositions(source))
      for (const frame of ['Did the NAME article say so?', 'Who won, according to NAME?']) {
        const asked = frame.replace('NAME', typed);
        const wanted = frame.replace('NAME', source);
        // "Teh" and "Afe" are found in a longer name; a swap that hits two words is not one edit.
        assert.deepEqual(namesIn(plain(asked)), namesIn(wanted), asked);
      }
});

test('what is found differs from a spelling of its source by one word and one edit', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[...SOURCES, ...SOURCES.flatMap(transpositions)],
      ...['report', 'by', 'according to', 'and', ',', 'The', 'FOX News', 'Acme', "'s", '"'],
    ),
    fc.stringMatching(/^[A-Z]?[a-z]{0,6}$/),
  );
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), fc.boolean(), (pieces, small) => {
      const cased = pieces.join(' ');
      const text = small ? cased.toLowerCase() : cased;
      const known = findSources(text, SOURCES, aliases);
      const found = spellings.find(text, known);
      for (const [at, { start, end, spelling, names }] of found.entries()) {
        assert.ok(at === 0 || found[at - 1]!.end <= start);
        const [typed, meant] = [words(text.slice(start, end)), words(spelling)];
        assert.equal(typed.length, meant.length);
        const wrong = typed.flatMap((word, place) =>
          word === meant[place] ? [] : [[word, meant[place]!] as const],
        );
        assert.ok(wrong.length <= 1);
        for (const [word, right] of wrong) assert.ok(isMisspelling(word, right));
        assert.ok(aliases.some(alias => alias.text === spelling && alias.names === names));
      }
      const once = plain(text);
      assert.equal(plain(once), once);
    }),
    { numRuns: 500 },
  );
});

test('a question in capitals but for its first letter is read as one in capitals', () => {
  for (const question of ['a I', 'A I?', 'a NEW SHIP', 'I', 'a I A'])
    assert.equal(plain(plain(question)), plain(question), question);
  assert.equal(plain('A NEW SHIP'), 'A new ship?');
});

test('lower case: sources, cited names, months and the beginning have capitals', () => {
  assert.equal(
    plain('did the techcrunch article on acme agree with the verge and fortune on october 7, 2023'),
    'Did the TechCrunch article on acme agree with The Verge and Fortune on October 7, 2023?',
  );
  assert.equal(
    plain('considering an article by the guardian and a rolling stone piece, who won'),
    'Considering an article by the Guardian and a Rolling Stone piece, who won?',
  );
  assert.equal(plain('who made a fortune?'), 'Who made a fortune?');
  assert.equal(
    plain('WHAT DID THE VERGE REPORT ON OCTOBER 7, 2023?'),
    'What did The Verge report on October 7, 2023?',
  );
});

test('a question mark is added where no mark ends the question', () => {
  assert.equal(plain('Did The Verge agree'), 'Did The Verge agree?');
  assert.equal(plain('Name the company.'), 'Name the company.');
  assert.equal(plain(''), '');
});

test('reads a question of tens of thousands of characters', () => {
  const sentence = 'Did the TehcCrunch article by Wierd agree with "The Vrege", and Fotrune? ';
  const read = plain(sentence.repeat(400));
  assert.ok(read.length >= sentence.length * 390 && read.includes('TechCrunch'));
});
