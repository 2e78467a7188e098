/** Checks the words by which questions ask for relations, and the relations that chain two. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COMPOSED, RELATIONS } from './relations.ts';

/** By relation, all words that ask for it. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  director: ['director', 'directors', 'directed', 'filmmaker'],
  performer: [
    ...['performer', 'performers', 'performed', 'singer', 'singers', 'sung', 'sang', 'recorded'],
    ...['artist', 'musician', 'band'],
  ],
  composer: ['composer', 'composers', 'composed', 'music', 'score', 'soundtrack'],
  author: [
    ...['author', 'authors', 'wrote', 'written', 'writer', 'writers', 'novelist'],
    ...['screenwriter', 'poet'],
  ],
  producer: ['producer', 'producers', 'produced'],
  father: ['father', 'dad'],
  mother: ['mother', 'mom'],
  spouse: [
    ...['spouse', 'husband', 'wife', 'widow', 'widower', 'married', 'marry', 'partner', 'consort'],
  ],
  child: ['child', 'children', 'son', 'sons', 'daughter', 'daughters'],
  sibling: ['brother', 'sister', 'sibling', 'siblings', 'twin'],
  founder: [
    ...['founder', 'founders', 'founded', 'created', 'creator', 'creators', 'started'],
    ...['established', 'invented', 'inventor'],
  ],
  architect: [
    ...['architect', 'architects', 'designed', 'designer', 'designers', 'restored', 'restorer'],
    'rebuilt',
  ],
  publisher: [
    ...['publisher', 'published', 'developer', 'developed', 'manufacturer', 'manufactured'],
    ...['distributed', 'distributor', 'company', 'companies', 'label', 'studio', 'network'],
    ...['owner', 'owned'],
  ],
  'performer of a part': [
    ...['played', 'plays', 'portrays', 'portrayed', 'actor', 'actress', 'starred', 'stars'],
    ...['starring', 'cast', `voic${'e'}`, `voic${'ed'}`],
  ],
  'place of birth': [
    ...['place of birth', 'birthplace', 'born', 'birth place', 'city of birth', 'hometown'],
    ...['home town', 'native', 'come from', 'grow up', 'grew up', 'grows up', 'grown up'],
    'raised',
  ],
  'place of death': ['die', 'died', 'death', 'deathplace', 'passed away'],
  'place of burial': ['buried', 'burial', 'interred', 'entombed'],
  location: [
    ...['located', 'location', 'situated', 'based', 'headquarter', 'headquarters'],
    ...['headquartered', 'city', 'town', 'county', 'state', 'country', 'province', 'district'],
    'where',
  ],
  education: [
    ...['graduate', 'graduated', 'alma mater', 'educated', 'studied', 'study', 'attend'],
    ...['attended', 'university', 'college', 'school'],
  ],
  employer: [
    ...['employer', 'work', 'works', 'worked', 'employed', 'team', 'club', 'played for'],
    ...['plays for', 'member'],
  ],
  award: ['award', 'awards', 'prize', 'medal', 'honor', 'honour', 'won', 'received'],
  'date of birth': [
    ...['born', 'birth', 'birthday', 'birthdate', 'older', 'younger', 'elder', 'youngest'],
    ...['oldest', 'age'],
  ],
  'date of death': [
    ...['die', 'died', 'death', 'dies', 'dead', 'lived longer', 'passed away', 'pass away'],
  ],
  'date of release': [
    ...['release', 'released', 'came out', 'published', 'premiere', 'premiered', 'publication'],
    ...['aired', 'older', 'debut', 'debuted', 'come out', 'earlier', 'later', 'first', 'recent'],
    'recently',
  ],
  'date of founding': [
    ...['founded', 'founding', 'established', 'formed', 'started', 'began', 'begin', 'launched'],
    ...['created', 'opened', 'built', 'inception', 'first', 'older', 'earlier', 'begun'],
    ...['constructed', 'completed', 'old'],
  ],
  'cause of death': ['cause of death', 'why did', 'how did'],
  nationality: [
    ...['nationality', 'nationalities', 'country', 'countries', 'nation', 'citizen'],
    ...['citizenship', 'american', 'british'],
  ],
};
/** Words that ask with any ending. */
const OPEN = new Set(['headquarter', 'headquarters', 'headquartered', 'citizen', 'citizenship']);
/** Words that a letter makes another word which asks as well. */
const SHORT = new Set(['old']);

describe('a relation is asked for by each of its words, as whole words in any case', () => {
  test('every relation has words', () =>
    assert.deepEqual(RELATIONS.map(({ name }) => name).sort(), Object.keys(ASKS).sort()));

  for (const { name, asks } of RELATIONS)
    test(name, () => {
      for (const word of ASKS[name]!) {
        assert.match(`Which one ${word} it?`, asks);
        assert.match(word.toUpperCase(), asks);
        if (!SHORT.has(word)) assert.doesNotMatch(`x${word}`, asks);
        if (!OPEN.has(word)) assert.doesNotMatch(`${word}x`, asks);
      }
      assert.doesNotMatch('Which one of all is it that they saw?', asks);
    });
});

describe('a relation that chains two is asked for by', () => {
  for (const [words, first, second] of [
    ['paternal grandfather', 'father', 'father'],
    ['paternal grandmother', 'father', 'mother'],
    ['maternal grandfather', 'mother', 'father'],
    ['maternal grandmother', 'mother', 'mother'],
    ['grandfather', 'father', 'father'],
    ['grandmother', 'father', 'mother'],
    ['grandchild', 'child', 'child'],
    ['grandson', 'child', 'child'],
    ['granddaughter', 'child', 'child'],
    ['father-in-law', 'spouse', 'father'],
    ['father in law', 'spouse', 'father'],
    ['mother-in-law', 'spouse', 'mother'],
    ['mother in law', 'spouse', 'mother'],
    ['sibling-in-law', 'spouse', 'sibling'],
    ['brother in law', 'spouse', 'sibling'],
    ['sister-in-law', 'spouse', 'sibling'],
    ['child-in-law', 'child', 'spouse'],
    ['son in law', 'child', 'spouse'],
    ['daughter-in-law', 'child', 'spouse'],
    ['uncle', 'father', 'sibling'],
    ['aunt', 'father', 'sibling'],
    ['stepmother', 'father', 'spouse'],
    ['step-mother', 'father', 'spouse'],
    ['step mother', 'father', 'spouse'],
    ['stepfather', 'mother', 'spouse'],
    ['step-father', 'mother', 'spouse'],
    ['step father', 'mother', 'spouse'],
    ['co-husband', 'spouse', 'spouse'],
    ['cowife', 'spouse', 'spouse'],
    ['nephew', 'sibling', 'child'],
    ['niece', 'sibling', 'child'],
  ] as const)
    test(words, () => {
      const found = (text: string): readonly string[] | undefined =>
        COMPOSED.find(({ asks }) => asks.test(text))?.chain;
      assert.deepEqual(found(`Who is the ${words} of Orla?`), [first, second]);
      assert.deepEqual(found(words.toUpperCase()), [first, second]);
      assert.equal(found(`x${words.replace(' ', 'x')}`), undefined);
      assert.equal(found(`${words}x`), undefined);
    });

  test('no other word', () =>
    assert.ok(!COMPOSED.some(({ asks }) => asks.test('Who is the father of Orla?'))));

  test('and names relations that exist', () => {
    for (const name of COMPOSED.flatMap(({ chain }) => chain))
      assert.ok(
        RELATIONS.some(each => each.name === name),
        name,
      );
  });
});
