/**
 * Mentions of titles: a slow matcher that tries every title at every place finds the same ones;
 * names that are refused, by hand.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TrainingParagraph } from '../training-question.ts';
import { mentionsOf, mentionTargets, someMentions } from './mention-pairs.ts';

const mentions = (paragraphs: readonly TrainingParagraph[]): string[] =>
  mentionsOf(paragraphs).map(
    ({ from, to }) => `${paragraphs[from]!.title} > ${paragraphs[to]!.title}`,
  );
const about = (title: string, text = ''): TrainingParagraph => ({ title, text });

const inWord = (char: string | undefined): boolean =>
  char !== undefined && /[\p{L}\p{M}\p{N}]/u.test(char);

/** Every name at every place, the longest first; a place within a found name is not looked at. */
function slowly(paragraphs: readonly TrainingParagraph[]): string[] {
  const targets = mentionTargets(paragraphs);
  const names = [...targets.keys()].sort((a, b) => b.length - a.length);
  return paragraphs.flatMap(({ title, text }, from) => {
    const titleName = title.replace(/ \(.*\)$/, '');
    const seen = new Set([titleName]);
    const found: string[] = [];
    for (let at = 0; at < text.length; at++) {
      const joined = (place: number): boolean =>
        text[place] === '-' && inWord(text[place - 1]) && inWord(text[place + 1]);
      if (inWord(text[at - 1]) || joined(at - 1)) continue;
      const name = names.find(each => {
        const end = at + each.length;
        if (!text.startsWith(each, at) || inWord(text[end]) || joined(end)) return false;
        return (
          !/^ \p{Lu}/u.test(text.slice(end)) &&
          !/(^|[^\p{L}])(North|New|Lake) $/u.test(text.slice(0, at))
        );
      });
      if (name === undefined) continue;
      const within =
        titleName.includes(name) && text.startsWith(titleName, at - titleName.indexOf(name));
      if (!seen.has(name) && !within) {
        for (const to of targets.get(name)!) found.push(`${from} ${to} ${at} ${name.length}`);
        seen.add(name);
      }
      at += name.length - 1;
    }
    return found;
  });
}

test('equals a slow matcher that tries every title at every position', () => {
  const word = fc.constantFrom(
    'Ada',
    'Bo',
    'Cairo',
    'the',
    'North',
    'New',
    'Lake',
    'and',
    'Émile',
    '7',
    'Marseille',
    'x',
  );
  const glue = fc.constantFrom(
    ' ',
    ' ',
    ', ',
    ' and ',
    '-',
    ', ',
    '. ',
    "'s ",
    ' "',
    ' (',
    '--',
    '  ',
  );
  const text = fc
    .array(fc.tuple(word, glue), { minLength: 5, maxLength: 30 })
    .map(parts => parts.flat().join(''));
  const title = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', ' (film)'))
    .map(([words, tail]) => words.join(' ') + tail);
  let found = 0;
  fc.assert(
    fc.property(fc.array(fc.record({ title, text }), { maxLength: 12 }), paragraphs => {
      const expected = slowly(paragraphs);
      found += expected.length;
      assert.deepEqual(
        mentionsOf(paragraphs).map(({ from, to, at, length }) => `${from} ${to} ${at} ${length}`),
        expected,
      );
    }),
    { numRuns: 1500, seed: 5 },
  );
  assert.ok(found > 200, `only ${found} mentions were compared`);
});

test('excludes parts of names, common words, ambiguous and own titles, and pages of names', () => {
  const paragraphs = [
    about(
      'A',
      'Seattle Seahawks, North Marseille, a Together of The Sun. The Old Man, too; together. Black Sheep may.',
    ),
    ...[
      about('Seattle'),
      about('Marseille'),
      about('Together'),
      about('The Sun (paper)'),
      about('Black Sheep', 'Black Sheep may refer to: Otto Lang'),
    ],
    ...[
      about('The Old Man (film)'),
      about('The Old Man (book)'),
      about('Otto Lang'),
      about('The Otto Lang Story', 'The Otto Lang Story is a film.'),
    ],
    about('List of people', 'Otto Lang'),
  ];
  assert.deepEqual(mentions(paragraphs), []);
});

test('excludes very frequent titles, and samples the mentions of a target by seed', () => {
  const crowd = (count: number): TrainingParagraph[] => [
    about('Otto Lang'),
    ...Array.from({ length: count }, (_, at) => about(`T ${at}x`, 'by Otto Lang.')),
  ];
  assert.equal(mentionsOf(crowd(400)).length, 400);
  assert.equal(mentionsOf(crowd(401)).length, 0);
  const mentions = mentionsOf(crowd(40));
  const some = someMentions(mentions, 12, 3);
  assert.equal(some.length, 12);
  assert.deepEqual(someMentions(mentions, 12, 3), some);
  assert.notDeepEqual(someMentions(mentions, 12, 4), some);
  assert.equal(someMentions(mentions, 100, 3).length, 40);
});
