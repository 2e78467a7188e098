/** Checks what asks for relations, the sentences that state them, and relations that chain two. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findMentions } from '../names/mentions.ts';
import { COMPOSED, RELATIONS } from './relations.ts';
import { statements } from './statements.ts';

/** Words that ask for a relation; sentences that state it of the value in braces, or "not" do. */
const RELATION_CASES = `
director: filmmaker
  It was directed by Ulf Quist, Ola Venn, and {Tova Brandt}. / The director was {Tova Brandt}.
  {Tova Brandt}’s long grey film won. / {Tova Brandt}, who directed it, left.
  not It was redirected by {Tova Brandt}. / not It was directed in {Tova Brandt}.
performer: sung
  It is the song from {Tova Brandt}. / It was the singer and poet {Tova Brandt}.
  {Tova Brandt}’s first grey album won. / not It was a singer of {Tova Brandt}.
composer: soundtrack
  It has music by {Tova Brandt}. / {Tova Brandt} also composed it. / not The composer met {Tova Brandt}.
author: wrote
  It is a novel by {Tova Brandt}. / By the poet {Tova Brandt}. / {Tova Brandt} wrote it.
  {Tova Brandt}’s last grey novel won. / not It is an essay by {Tova Brandt}.
producer: produced
  It was produced by {Tova Brandt}. / not The producer met {Tova Brandt}.
father: dad
  She was a daughter of the late old king {Ulf Quist}. / She was born to the welder {Ulf Quist}.
  Her father, {Ulf Quist}, left. / {Ulf Quist}, and his second wife left. / not The godfather {Ulf Quist} left.
mother: mom
  He was the son of Ulf Quist and {Tova Brandt}. / He was a son of Ulf Quist by his second wife, {Tova Brandt}.
  She was born to Ulf Quist and his wife {Tova Brandt}. / Her mother is the welder {Tova Brandt}.
  not He was a son of {Tova Brandt}.
spouse: widower
  He married the old welder {Tova Brandt}. / The widow of {Tova Brandt} left. / His marriage to {Tova Brandt} ended.
  {Tova Brandt}, her first husband, left. / not The housewife {Tova Brandt} left.
child: daughters
  Their son {Tova Brandt} left. / He was the father and teacher of the welder {Tova Brandt}.
  not The son {Tova Brandt} left.
sibling: twin
  He is the brother of {Tova Brandt}. / His sister, {Tova Brandt}, left. / not It is a brotherhood {Tova Brandt} led.
founder: inventor
  It was founded by {Tova Brandt}. / {Tova Brandt}, who later founded it, left. / not It was found by {Tova Brandt}.
architect: rebuilt
  It was restored by {Tova Brandt}. / The designer is {Tova Brandt}. / {Tova Brandt}, who had designed it, left.
  not It was built by {Tova Brandt}.
publisher: companies
  It was manufactured by {Holm Works}. / not It was sold by {Holm Works}.
performer of a part: starring
  It was played by {Tova Brandt}. / It stars Ulf Quist and {Tova Brandt}. / {Tova Brandt}, who played it, left.
  not {Tova Brandt} sang it.
place of birth: hometown
  She was born on May 4, 1901, in {Dunmar}. / She was born Tova Lisbet Brandt in {Dunmar}. / She hails from {Dunmar}.
  Tova Brandt (née Quist; born 4 May 1901 in {Dunmar}) was a poet. / She is a {Danish}-born poet.
  not She was born and she died in {Dunmar}.
place of death: passed away
  She died of a cold on a Monday near the {Dunmar}. / Tova Brandt (1901-1970 at {Dunmar}) was a poet.
  not She died; she was in {Dunmar}.
place of burial: interred
  She was laid to rest near the {Dunmar}. / not She was buried; she was in {Dunmar}.
location: headquartered
  It lies in {Dunmar}. / It was an inn from the {Dunmar}. / It burnt in Holm, {Dunmar}. / not It left {Dunmar}.
education: alma mater
  She studied the law and history from the {Dunmar University}. / not She left {Dunmar University}.
employer: played for
  As coach of {Holm Works} she left. / She worked with the {Holm Works}. / not She left {Holm Works}.
award: medal
  She won the very first {Alder Medal}. / As winner of the {Alder Medal} she left. / not She lost {Alder Medal}.
date of birth: youngest
  She was born Tova Quist, {4 May 1901}. / She was born circa {1901}. / not She left on {4 May 1901}.
date of death: lived longer
  She died in Dunmar in {1901}. / She (d. {1901}) left. / not She died; on {4 May 1901}.
date of release: debuted
  It was released in Dunmar during the {1930s}. / The {1931} long, grey, sad Danish silent crime film won.
  not The {1931} lamp won.
date of founding: inception
  It was built in the summer {1931}. / It has stood since {1931}. / not It burnt in {1931}.
cause of death: why did
  She succumbed to {fever}. / She died in the {Dunmar Flood}. / not She left for {fever}.
nationality: citizenship
`;
/** First sentences that state a relation by their form alone. */
const LEADS: readonly (readonly [name: string, sentence: string])[] = [
  ['date of birth', 'Tova Brandt ({4 May 1901} – 2 March 1970) was a poet.'],
  ['date of death', 'Tova Brandt (4 May 1901 — in Holm, {1970}) was a poet.'],
  ['date of release', 'Grey Lanterns is a {1931} Danish work.'],
  ['date of founding', 'Holm Works ({1931}) is a firm.'],
  ['nationality', 'Tova Brandt is one of the first {Danish} poets.'],
];

/** Returns the forms in which the relation is stated of exactly the text in braces. */
function forms(name: string, marked: string, place = 1): boolean[] {
  const value = /\{(.+)\}/u.exec(marked)![1]!;
  const text = marked.replace(/[{}]/gu, '');
  const relation = RELATIONS.find(each => each.name === name)!;
  return statements({ text, place, mentions: findMentions(text) }, [relation])
    .filter(({ mention }) => mention.text === value && mention.start === marked.indexOf('{'))
    .map(({ lead }) => lead);
}

describe('a relation', () => {
  const cases = RELATION_CASES.trim()
    .split(/\n(?! )/)
    .map(entry => {
      const [, name, word, sentences] = /^([^:\n]+): (.+?)(?:\n(.*))?$/s.exec(entry)!;
      return {
        name: name!,
        word: word!,
        sentences: (sentences ?? '').split(/ \/ |\n/).map(s => s.trim()),
      };
    });

  test('has a case each', () =>
    assert.deepEqual(
      cases.map(({ name }) => name),
      RELATIONS.map(({ name }) => name),
    ));

  for (const { name, word, sentences } of cases) {
    const { asks } = RELATIONS.find(each => each.name === name)!;
    test(`${name} is asked for by "${word}", as whole words in any case`, () => {
      assert.match(`Which one ${word.toUpperCase()} it?`, asks);
      assert.doesNotMatch(`x${word}`, asks);
      assert.doesNotMatch('Which one of all is it that they saw?', asks);
    });
    for (const sentence of sentences.filter(text => text !== ''))
      test(`${name}: ${sentence}`, () =>
        sentence.startsWith('not ')
          ? assert.deepEqual(forms(name, sentence.slice(4)), [])
          : assert.ok(forms(name, sentence).length > 0));
  }

  for (const [name, sentence] of LEADS)
    test(`${name} in a first sentence alone: ${sentence}`, () => {
      assert.deepEqual(forms(name, sentence, 0), [true]);
      assert.deepEqual(forms(name, sentence, 1), []);
    });
});

describe('a relation that chains two', () => {
  const found = (text: string): readonly string[] | undefined =>
    COMPOSED.find(({ asks }) => asks.test(text))?.chain;
  for (const [words, ...chain] of [
    ['maternal grandfather', 'mother', 'father'],
    ['grandmother', 'father', 'mother'],
    ['granddaughter', 'child', 'child'],
    ['father in law', 'spouse', 'father'],
    ['daughter-in-law', 'child', 'spouse'],
    ['aunt', 'father', 'sibling'],
    ['step-mother', 'father', 'spouse'],
    ['niece', 'sibling', 'child'],
  ])
    test(`is asked for by "${words}"`, () => {
      assert.deepEqual(found(`Who is the ${words!.toUpperCase()} of Orla?`), chain);
      assert.equal(found(`x${words!.replace(' ', 'x')}`), undefined);
    });

  test('names relations that exist, and no other word asks for it', () => {
    const names = new Set(RELATIONS.map(({ name }) => name));
    assert.ok(COMPOSED.every(({ chain }) => chain.every(name => names.has(name))));
    assert.equal(found('Who is the father of Orla?'), undefined);
  });
});
