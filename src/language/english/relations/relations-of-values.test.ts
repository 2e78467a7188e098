/** Checks relations to places, dates and properties by a sentence for each phrase. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findMentions } from '../names/mentions.ts';
import { VALUE_RELATIONS } from './relations-of-values.ts';
import { statements } from './statements.ts';

const each = (words: string, phrase: (word: string) => string): string[] =>
  words.split(' ').map(phrase);

/** By relation, sentences that state it of the value in braces. */
const STATED: Readonly<Record<string, readonly string[]>> = {
  'place of birth': [
    'She was born in {Dunmar}.',
    'She was born at {Dunmar}.',
    'She was born near the {Dunmar}.',
    'She was born and raised in {Dunmar}.',
    'She was born in the small town of {Dunmar}.',
    'She was born 4 May 1901 in {Dunmar}.',
    'She was born on May 4, 1901, in {Dunmar}.',
    'She was born and raised in 1901 near {Dunmar}.',
    'She was born Tova Lisbet Brandt in {Dunmar}.',
    'Tova Brandt (4 May 1901, {Dunmar}) was a poet.',
    'Tova Brandt (born 4 May 1901 in {Dunmar}) was a poet.',
    'Tova Brandt (née Quist; born 4 May 1901 in {Dunmar}) was a poet.',
    'She was a native of {Dunmar}.',
    'She hails from {Dunmar}.',
    'She hailed from {Dunmar}.',
    'She, hailing from the {Dunmar}, left.',
    'She grew up in {Dunmar}.',
    'She was raised in {Dunmar}.',
    'She is a {Danish}-born poet.',
    'She is a {Danish} born poet.',
  ],
  'place of death': [
    ...each('died death assassinated killed executed drowned', word => {
      return `She was ${word} in {Dunmar}.`;
    }),
    'She passed away at {Dunmar}.',
    'She died of a cold on a Monday near the {Dunmar}.',
    'She died at his {Dunmar}.',
    'She died at her {Dunmar}.',
    'She died in the small town of {Dunmar}.',
    'Tova Brandt (4 May 1901, Holm – 2 March 1970, {Dunmar}) was a poet.',
    'Tova Brandt (4 May 1901 – died 2 March 1970 in {Dunmar}) was a poet.',
    'Tova Brandt (1901-1970 at {Dunmar}) was a poet.',
  ],
  'place of burial': [
    ...each('buried interred entombed burial tomb', word => `Her ${word} was in {Dunmar}.`),
    'She was laid to rest near the {Dunmar}.',
    'She was buried at {Dunmar}.',
  ],
  location: [
    ...each(
      'located situated based headquartered lies lying found held set founded formed',
      word => {
        return `It ${word} in {Dunmar}.`;
      },
    ),
    'It has headquarters at {Dunmar}.',
    ...each('on near within of', word => `It is located ${word} {Dunmar}.`),
    'It is located on the north coast of {Dunmar}.',
    'It is located in the small town of {Dunmar}.',
    'It is a town in {Dunmar}.',
    'It was an inn from the {Dunmar}.',
    'They are a band of {Dunmar}.',
    'It is a mill near the old town {Dunmar}.',
    'It burnt in Holm, {Dunmar}.',
  ],
  education: [
    ...each('graduated graduate educated studied attended degree alumnus alumna enrolled', word => {
      return `She ${word} at {Dunmar University}.`;
    }),
    ...each('student education doctorate BA MA PhD', word => `She, ${word} from {Holm College}.`),
    'She studied the law and history from the {Dunmar University}.',
    'She attended {Dunmar University}.',
    'She attended the {Dunmar University}.',
  ],
  employer: [
    ...each(
      'work works worked working employed play plays played professor professorship',
      word => {
        return `She ${word} for {Holm Works}.`;
      },
    ),
    ...each(
      'member career coach coaching position',
      word => `As ${word} of {Holm Works} she left.`,
    ),
    ...each('at of by with in', word => `She worked ${word} the {Holm Works}.`),
    'She worked as an old night keeper now for {Holm Works}.',
  ],
  award: [
    ...each('won win received awarded receiving winning', word => `She ${word} {Alder Medal}.`),
    ...['winner of', 'recipient of', 'honoured with', 'honored with', 'nominated for'].map(
      phrase => `As ${phrase} the {Alder Medal} she left.`,
    ),
    'She won the very first {Alder Medal}.',
  ],
  'date of birth': [
    'She was born {4 May 1901}.',
    'She was born on {4 May 1901}.',
    'She was born in {1901}.',
    'She was born Tova Quist on {4 May 1901}.',
    'She was born Tova Quist, {4 May 1901}.',
    'Born {4 May 1901}, she left.',
    'She was born circa {1901}.',
    'She was born c. {1901}.',
    'She was born around {1901}.',
    'She was born about {1901}.',
    'She was born twin in {1901}.',
  ],
  'date of death': [
    ...each('died death assassinated killed executed deceased', word => {
      return `She was ${word} on {4 May 1901}.`;
    }),
    'She passed away {4 May 1901}.',
    'She died in Dunmar in {1901}.',
    'She died c. {1901}.',
    'She (d. {1901}) left.',
  ],
  'date of release': [
    ...each('released premiered published aired opened debuted broadcast issued', word => {
      return `It was ${word} in {1931}.`;
    }),
    ...each('airing launched release', word => `Its ${word} of {1931} won.`),
    ...each('on in of since from during', word => `It was released ${word} {1931}.`),
    'It was released in Dunmar during the {1930s}.',
    ...each('film movie album song single novel book series comedy drama documentary', word => {
      return `The {1931} ${word} won.`;
    }),
    ...each('game magazine musical play', word => `The {1931} ${word} won.`),
    'The {1931} long, grey, sad Danish silent crime film won.',
  ],
  'date of founding': [
    ...each('founded established formed started began launched created opened built', word => {
      return `It was ${word} in {1931}.`;
    }),
    ...each('incorporated begun constructed completed organized chartered', word => {
      return `It was ${word} in {1931}.`;
    }),
    ...each('in on since of from during around', word => `It was built ${word} {1931}.`),
    'It was built in the summer {1931}.',
    'It was built in early {1931}.',
    'At its inception in {1931} it burnt.',
    'It has stood since {1931}.',
  ],
  'cause of death': [
    ...each('died death dying killed succumbed', word => `She ${word} of {fever}.`),
    ...each('of from by in to after', word => `She died ${word} {fever}.`),
    'She died after an {illness}.',
    'She died in the {Dunmar Flood}.',
    'She died of a {fever}.',
    'She died of his {fever}.',
    'She died of her {fever}.',
  ],
};
/** First sentences that state a relation by their form alone. */
const LEADS: Readonly<Record<string, readonly string[]>> = {
  'date of birth': [
    'Tova Brandt ({4 May 1901} – 2 March 1970) was a poet.',
    'Tova (née Quist, {1901}).',
  ],
  'date of death': [
    'Tova Brandt (4 May 1901 – {2 March 1970}) was a poet.',
    'Tova Brandt (1901-{1970}) was a poet.',
    'Tova Brandt (1901–{1970}) was a poet.',
    'Tova Brandt (4 May 1901 — in Holm, {1970}) was a poet.',
  ],
  'date of release': [
    'Grey Lanterns is a {1931} Danish work.',
    'Lanterns are an old {1931} work.',
    'Lanterns was a {1931} work.',
    'Grey Lanterns ({1931}) is a work.',
  ],
  'date of founding': ['Holm Works ({1931}) is a firm.'],
  nationality: [
    'Tova Brandt is a {Danish} poet.',
    'Tova Brandt was an old {Danish} poet.',
    'They are a small {Danish} band.',
    'They were a {Danish} band.',
    'Tova Brandt was the {Danish} king.',
    'Tova Brandt is one of the first {Danish} poets.',
    'Tova Brandt is {Danish}.',
  ],
};
/** Sentences that do not state the relation of the value in braces. */
const NOT_STATED: Readonly<Record<string, readonly string[]>> = {
  'place of birth': [
    'She was borne in {Dunmar}.',
    'She was born and she died in {Dunmar}.',
    'She left {Dunmar}.',
    'She was native to {Dunmar}.',
  ],
  'place of death': ['She died; she was in {Dunmar}.', 'She lived in {Dunmar}.'],
  'place of burial': ['She was buried; she was in {Dunmar}.'],
  location: ['It left {Dunmar}.', 'It is Holm; {Dunmar} burnt.'],
  education: ['She left {Dunmar University}.'],
  employer: ['She left {Holm Works}.'],
  award: ['She lost {Alder Medal}.', 'She was honoured at {Alder Medal}.'],
  'date of birth': ['She left on {4 May 1901}.', 'She was born, then, on {4 May 1901}.'],
  'date of death': ['She left on {4 May 1901}.', 'She died; on {4 May 1901}.'],
  'date of release': ['It burnt in {1931}.', 'The {1931} lamp won.'],
  'date of founding': ['It burnt in {1931}.'],
  'cause of death': ['She left for {fever}.'],
};

/** Returns the forms in which the relation is stated of exactly the text in braces. */
function forms(name: string, marked: string, place: number): boolean[] {
  const value = /\{(.+)\}/u.exec(marked)![1]!;
  const text = marked.replace(/[{}]/gu, '');
  const relation = VALUE_RELATIONS.find(one => one.name === name)!;
  return statements({ text, place, mentions: findMentions(text) }, [relation])
    .filter(({ mention }) => mention.text === value && mention.start === marked.indexOf('{'))
    .map(({ lead }) => lead);
}

describe('relations to values', () => {
  test('have sentences each, and lead to nothing', () => {
    assert.deepEqual(
      VALUE_RELATIONS.map(({ name }) => name),
      [...Object.keys(STATED), 'nationality'],
    );
    assert.ok(VALUE_RELATIONS.every(({ leads }) => !leads));
  });

  test('have values of their kinds', () => {
    const times = ['date of birth', 'date of death', 'date of release', 'date of founding'];
    const own: Readonly<Record<string, readonly string[]>> = {
      ...Object.fromEntries(times.map(name => [name, ['time']])),
      ...{ award: ['name'], 'cause of death': ['noun', 'name'], nationality: ['adjective'] },
    };
    for (const { name, kinds } of VALUE_RELATIONS)
      assert.deepEqual(kinds, own[name] ?? ['name', 'adjective'], name);
  });

  for (const [name, sentences] of Object.entries(STATED))
    for (const sentence of sentences)
      test(`${name}: ${sentence}`, () => assert.deepEqual(forms(name, sentence, 1), [false]));

  for (const [name, sentences] of Object.entries(LEADS))
    for (const sentence of sentences)
      test(`${name} in a first sentence: ${sentence}`, () => {
        assert.deepEqual(forms(name, sentence, 0), [true]);
        assert.deepEqual(forms(name, sentence, 1), []);
      });

  for (const [name, sentences] of Object.entries(NOT_STATED))
    for (const sentence of sentences)
      test(`not ${name}: ${sentence}`, () => assert.deepEqual(forms(name, sentence, 1), []));
});
