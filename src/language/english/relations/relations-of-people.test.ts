/** Checks relations to people by a sentence for each phrase that states one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findMentions } from '../names/mentions.ts';
import { LEADING_RELATIONS } from './relations-of-people.ts';
import { statements } from './statements.ts';

const each = (words: string, phrase: (word: string) => string): string[] =>
  words.split(' ').map(phrase);

/** By relation, sentences that state it of the value in braces. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  director: [
    ...each('directed film movie drama comedy thriller western documentary written', word => {
      return `It was a ${word} by {Tova Brandt}.`;
    }),
    'It was directed, written and filmed by {Tova Brandt}.',
    'It was directed by Ulf Quist and {Tova Brandt}.',
    'It was directed by Ulf Quist, Ola Venn, and {Tova Brandt}.',
    'It was directed by the welder {Tova Brandt}.',
    'The director is {Tova Brandt}.',
    'The director was {Tova Brandt}.',
    'With the directors {Tova Brandt} and Ulf.',
    'Under the direction of {Tova Brandt} it won.',
    '{Tova Brandt}’s long grey film won.',
    "{Tova Brandt}'s movie won.",
    '{Tova Brandt}’s drama won.',
    '{Tova Brandt}’s comedy won.',
    '{Tova Brandt}, who directed it, left.',
    '{Tova Brandt} directed it.',
  ],
  performer: [
    ...each('performed sung recorded released song single album track ballad hit', word => {
      return `It was a ${word} by {Tova Brandt}.`;
    }),
    ...each('song single album track EP', word => `It is the ${word} from {Tova Brandt}.`),
    'It is the debut album released all of {Tova Brandt}.',
    ...each('singer band duo group musician artist rapper', word => {
      return `It was the ${word} {Tova Brandt}.`;
    }),
    'It was the singer and poet {Tova Brandt}.',
    '{Tova Brandt}’s first grey album won.',
    ...each('album single song', word => `{Tova Brandt}'s ${word} won.`),
  ],
  composer: [
    ...each('composed music score scored soundtrack songs', word => {
      return `It has ${word} by {Tova Brandt}.`;
    }),
    'It has the composer {Tova Brandt}.',
    'It has the composers {Tova Brandt} and Ulf.',
    '{Tova Brandt} composed it.',
    '{Tova Brandt} also composed it.',
  ],
  author: [
    ...each('written authored penned novel book play poem story series screenplay based', word => {
      return `It is a ${word} by {Tova Brandt}.`;
    }),
    ...each('author writer novelist poet playwright', word => `By the ${word} {Tova Brandt}.`),
    '{Tova Brandt} wrote it.',
    '{Tova Brandt} also authored it.',
    '{Tova Brandt}’s last grey novel won.',
    ...each('novel book play poem', word => `{Tova Brandt}'s ${word} won.`),
  ],
  producer: [
    'It was produced by {Tova Brandt}.',
    'It was a production led by {Tova Brandt}.',
    'It had the producer {Tova Brandt}.',
    'It had the producers {Tova Brandt} and Ulf.',
  ],
  father: [
    ...each('son sons daughter daughters child children heir heiress issue offspring', word => {
      return `He was the ${word} of {Ulf Quist}.`;
    }),
    'She was heir to {Ulf Quist}.',
    'She was a daughter of the late old king {Ulf Quist}.',
    'She was born to the welder {Ulf Quist}.',
    'Her father was {Ulf Quist}.',
    'Her father is the welder {Ulf Quist}.',
    'Her father, {Ulf Quist}, left.',
    'Her father {Ulf Quist} left.',
    'The father of {Ulf Quist} left.',
    '{Ulf Quist} and his wife left.',
    '{Ulf Quist}, and his second wife left.',
    '{Ulf Quist} and her consort left.',
  ],
  mother: [
    ...each('son sons daughter daughters child children heir issue offspring', word => {
      return `He was the ${word} of Ulf Quist and {Tova Brandt}.`;
    }),
    'He was a son of Ulf Quist by his second wife, {Tova Brandt}.',
    'He was heir to Ulf Quist with {Tova Brandt}.',
    'She was born to Ulf Quist and his wife {Tova Brandt}.',
    'Her mother was {Tova Brandt}.',
    'Her mother is the welder {Tova Brandt}.',
    'Her mother, {Tova Brandt}, left.',
    'Her mother {Tova Brandt} left.',
    'The mother of {Tova Brandt} left.',
    'He had three by his wife {Tova Brandt}.',
    'He had three by his second marriage to {Tova Brandt}.',
    'He had three by her wife, {Tova Brandt}.',
  ],
  spouse: [
    'He married {Tova Brandt}.',
    'He was married to {Tova Brandt}.',
    'He married the old welder {Tova Brandt}.',
    ...each('wife husband spouse widow consort queen partner widower', word => {
      return `The ${word} of {Tova Brandt} left.`;
    }),
    'His wife, {Tova Brandt}, left.',
    'His wife was {Tova Brandt}.',
    'His wife is the welder {Tova Brandt}.',
    'He was husband to {Tova Brandt}.',
    'His marriage with the welder {Tova Brandt} ended.',
    'His marriage to {Tova Brandt} ended.',
    'He was wedded to {Tova Brandt}.',
    '{Tova Brandt}, his wife, left.',
    '{Tova Brandt}, her first husband, left.',
    '{Tova Brandt} whose wife left.',
    '{Tova Brandt} married late.',
  ],
  child: [
    ...each(
      'his her their His Her Their whose eldest only',
      word => `It is ${word} son {Tova Brandt}.`,
    ),
    ...each('son daughter child children', word => `It is his ${word} {Tova Brandt}.`),
    'His second son was {Tova Brandt}.',
    'His son is the welder {Tova Brandt}.',
    'His son, {Tova Brandt}, left.',
    ...each('father mother parent parents', word => `He was the ${word} of {Tova Brandt}.`),
    'He was the father and teacher of the welder {Tova Brandt}.',
  ],
  sibling: [
    ...each('brother brothers sister sisters sibling siblings twin', word => {
      return `It is her ${word} {Tova Brandt}.`;
    }),
    'He is the brother of {Tova Brandt}.',
    'His brother was {Tova Brandt}.',
    'His brother is the welder {Tova Brandt}.',
    'His brother, {Tova Brandt}, left.',
  ],
  founder: [
    ...each('founded established created formed started invented designed', word => {
      return `It was ${word} by {Tova Brandt}.`;
    }),
    ...each('founder creator inventor', word => `By its ${word} {Tova Brandt}.`),
    ...each('founded established created invented formed', word => `{Tova Brandt} ${word} it.`),
    '{Tova Brandt}, who later founded it, left.',
  ],
  architect: [
    ...each('designed restored rebuilt renovated converted drawn', word => {
      return `It was ${word} by {Tova Brandt}.`;
    }),
    'The architect was {Tova Brandt}.',
    'The architects {Tova Brandt} and Ulf.',
    'The designer is {Tova Brandt}.',
    'The designers {Tova Brandt} and Ulf.',
    ...each('designed restored rebuilt renovated turned converted', word => {
      return `{Tova Brandt} ${word} it.`;
    }),
    '{Tova Brandt}, who had designed it, left.',
    '{Tova Brandt} has restored it.',
  ],
  publisher: each(
    'published developed manufactured distributed released owned operated made built produced acquired bought',
    word => `It was ${word} by {Holm Works}.`,
  ),
  'performer of a part': [
    ...each(`played portrayed voic${'ed'}`, word => `It was ${word} by {Tova Brandt}.`),
    ...each('starring stars starred feature features featuring cast actor actress', word => {
      return `It ${word} {Tova Brandt}.`;
    }),
    'It stars Ulf Quist and {Tova Brandt}.',
    ...each('played portrays portrayed starred as', word => `{Tova Brandt} ${word} it.`),
    '{Tova Brandt}, who played it, left.',
  ],
};
/** Sentences that do not state the relation of the value in braces. */
const NOT_STATED: Readonly<Record<string, readonly string[]>> = {
  director: ['It was redirected by {Tova Brandt}.', 'It was directed in {Tova Brandt}.'],
  performer: [
    'It was burnt by {Tova Brandt}.',
    'It was a singer of {Tova Brandt}.',
    '{Tova Brandt}’s band won.',
  ],
  composer: ['It has a scorer by {Tova Brandt}.', 'The composer met {Tova Brandt}.'],
  author: ['It is an essay by {Tova Brandt}.', 'The author met {Tova Brandt}.'],
  producer: ['It was reproduced by {Tova Brandt}.', 'The producer met {Tova Brandt}.'],
  father: ['The godfather {Ulf Quist} left.', '{Ulf Quist} and his band left.'],
  mother: ['The godmother {Tova Brandt} left.', 'He was a son of {Tova Brandt}.'],
  spouse: ['{Tova Brandt}, their wife, left.', 'The housewife {Tova Brandt} left.'],
  child: ['The son {Tova Brandt} left.', 'He fathered {Tova Brandt}.'],
  sibling: ['It is a brotherhood {Tova Brandt} led.'],
  founder: ['It was found by {Tova Brandt}.', 'The founder met {Tova Brandt}.'],
  architect: ['It was built by {Tova Brandt}.', 'The architect met {Tova Brandt}.'],
  publisher: ['It was sold by {Holm Works}.', '{Holm Works} published it.'],
  'performer of a part': ['It was sung by {Tova Brandt}.', '{Tova Brandt} sang it.'],
};

/** Returns true if the relation is stated of exactly the text in braces. */
function states(name: string, marked: string): boolean {
  const value = /\{(.+)\}/u.exec(marked)![1]!;
  const text = marked.replace(/[{}]/gu, '');
  const relation = LEADING_RELATIONS.find(each => each.name === name)!;
  return statements({ text, place: 1, mentions: findMentions(text) }, [relation]).some(
    ({ mention, relation: stated }) => mention.text === value && stated === name,
  );
}

describe('relations to people', () => {
  test('have sentences each, and lead to names', () => {
    assert.deepEqual(
      LEADING_RELATIONS.map(({ name }) => name),
      Object.keys(STATED),
    );
    for (const { leads, kinds } of LEADING_RELATIONS)
      assert.deepEqual([leads, kinds], [true, ['name']]);
  });

  for (const [name, sentences] of Object.entries(STATED))
    for (const sentence of sentences)
      test(`${name}: ${sentence}`, () => assert.ok(states(name, sentence)));

  for (const [name, sentences] of Object.entries(NOT_STATED))
    for (const sentence of sentences)
      test(`not ${name}: ${sentence}`, () => assert.ok(!states(name, sentence)));
});
