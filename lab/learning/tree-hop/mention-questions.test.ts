/**
 * Questions of mentions: rules by hand-written paragraphs, the chains that they become, and that
 * none is held out or shows a held-out hop.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrainingParagraph, TrainingQuestion } from '../training-question.ts';
import { subjectOf } from './mention-kinds.ts';
import { mentionQuestions } from './mention-questions.ts';
import { isMention, questionSplit } from './mention-split.ts';
import { questionFolds } from './question-folds.ts';
import { trainingSet } from './training-set.ts';

const LANG = {
  title: 'Otto Lang',
  text: 'Otto Lang (born 3 May 1901) is an American film director and producer.',
};
const typesOf = (a: TrainingParagraph, b: TrainingParagraph): string[] =>
  mentionQuestions([a, b], { perPair: 1, seed: 1 }).map(({ type }) => type);

test('kinds are the last noun of the phrase after "is"', () => {
  const kindOf = (text: string): string => Object.values(subjectOf({ title: 'T', text })).join(' ');
  assert.equal(kindOf(LANG.text), 'person producer');
  assert.equal(kindOf('Hit is a 1950 American film directed by a writer.'), 'work film');
  assert.equal(kindOf('X ( is here ) are a British rock band from a town.'), 'organisation band');
  assert.equal(kindOf('Y is a river in the state of Ohio.'), 'place river');
  assert.equal(kindOf('Z (1400 – 3 May 1450) was of old blood.'), 'person ');
  assert.equal(kindOf('Wars come and go.'), 'other ');
});

test('relations follow the rule whose words are nearest to the name', () => {
  const film = (rest: string): TrainingParagraph => ({
    title: 'White Heat',
    text: `White Heat is a 1950 film ${rest}`,
  });
  assert.deepEqual(typesOf(film('directed by Otto Lang.'), LANG), ['director']);
  assert.deepEqual(
    typesOf(film('written and directed by American director Otto Lang and set in Rome.'), LANG),
    ['director'],
  );
  assert.deepEqual(
    typesOf(film('directed by Ed Moe and starring Al Bo (as himself), Otto Lang.'), LANG),
    ['star'],
  );
  assert.deepEqual(typesOf(film('directed by Ed Moe from a novel by Otto Lang.'), LANG), [
    'author',
  ]);
  assert.deepEqual(typesOf(film('of which, people say, Otto Lang knew nothing.'), LANG), ['other']);
  const son: TrainingParagraph = {
    title: 'Al Lang',
    text: 'Al Lang (born 1930) is an actor. He is the son of Otto Lang.',
  };
  assert.deepEqual(typesOf(son, LANG), ['father']);
  // Rules are for kinds: no person has a director.
  assert.notDeepEqual(
    typesOf({ title: 'Al Bo', text: 'Al Bo is an actor directed by Otto Lang.' }, LANG),
    ['director'],
  );
  const firm: TrainingParagraph = {
    title: 'Ace Works',
    text: 'Ace Works is a company. It was praised against Otto Lang.',
  };
  assert.deepEqual(
    typesOf({ ...firm, text: 'Ace Works is a company. It was well liked by Otto Lang.' }, LANG),
    ['clause'],
  );
});

test('questions ask only for relations that the text shows', () => {
  const film = {
    title: 'White Heat (1950 film)',
    text: 'White Heat is a 1950 film directed by Otto Lang.',
  };
  const texts = [...new Array(200).keys()].flatMap(seed =>
    mentionQuestions([film, LANG], { perPair: 2, seed }).map(({ text }) => text),
  );
  assert.ok(texts.some(text => /^when was the director of film White Heat born\??$/i.test(text)));
  assert.ok(texts.some(text => text.includes('White Heat (1950 film)')));
  assert.ok(texts.every(text => text.includes('White Heat') && !/[{}]/.test(text)));
  // He has no death, no spouse and no award in his text.
  assert.ok(!texts.some(text => /\bdie\b|death|spouse|married|marry|award/i.test(text)));
  assert.deepEqual(mentionQuestions([film, LANG], { perPair: 0, seed: 1 }), []);
  assert.deepEqual(
    mentionQuestions([film, LANG], { perPair: 2, seed: 9 }),
    mentionQuestions([film, LANG], { perPair: 2, seed: 9 }),
  );
});

const films = [...new Array(30).keys()].map(at => ({
  film: {
    title: `Film ${at}z Gold`,
    text: `Film ${at}z Gold is a 1950 film directed by Man ${at}z Lang.`,
  },
  man: { title: `Man ${at}z Lang`, text: `Man ${at}z Lang (born 3 May 1901) is a director.` },
}));
/** Gold of the first twenty; the other ten stand among the paragraphs of all. */
const questions = films.slice(0, 20).map(
  ({ film, man }, at): TrainingQuestion => ({
    dataset: 'hotpotqa',
    id: String(at),
    type: 'bridge',
    text: `question ${at}`,
    ownContext: true,
    order: [0, 1],
    paragraphs: [film, man, ...films.slice(20).flatMap(each => [each.film, each.man])],
    supporting: [],
    evidences: [],
    steps: [],
  }),
);

test('a training set has mentions last, and is otherwise unchanged', () => {
  const without = trainingSet(questions, { seed: 4 });
  const set = trainingSet(questions, { seed: 4, mentions: 2 });
  assert.deepEqual(set.paragraphs, without.paragraphs);
  assert.deepEqual(set.examples.slice(0, 20), without.examples);
  const written = set.examples.slice(20);
  assert.equal(written.length, 60);
  assert.equal(new Set(written.map(({ id }) => id)).size, 60);
  for (const { dataset, ownContext, from, records, type } of written) {
    assert.deepEqual([dataset, ownContext, from, type], ['mentions', false, 'mention', 'director']);
    const [first, second] = records;
    assert.deepEqual([first!.path, second!.path], [[], [first!.positive]]);
    assert.equal(
      set.paragraphs[second!.positive]!.title,
      set.paragraphs[first!.positive]!.title.replace('Film', 'Man').replace('Gold', 'Lang'),
    );
    for (const { positive, negatives } of records)
      assert.ok(negatives.length === 5 && !negatives.includes(positive));
    assert.ok(!first!.negatives.includes(second!.positive));
  }
  assert.deepEqual(trainingSet(questions, { seed: 4, mentions: 2 }), set);
});

test('a split holds out no mention, and excludes mentions of held-out hops', () => {
  const set = trainingSet(questions, { seed: 4, mentions: 2 });
  const hop = (index: number): string => {
    const { path, positive } = set.examples[index]!.records[1]!;
    return `${path.at(-1)} ${positive}`;
  };
  const of = questionFolds(set.examples.slice(0, 20), 5, 7);
  const held: number[] = [];
  for (let fold = 0; fold < 5; fold++) {
    const { learnt, heldOut } = questionSplit(set, { folds: 5, seed: 7, fold });
    assert.deepEqual(
      heldOut,
      [...of.keys()].filter(index => of[index] === fold),
    );
    assert.ok(heldOut.length > 0 && !heldOut.some(index => isMention(set.examples[index]!)));
    const hidden = new Set(heldOut.map(hop));
    assert.ok(!learnt.some(index => hidden.has(hop(index))));
    // Two of each pair, but for those of held-out questions.
    assert.equal(
      learnt.filter(index => isMention(set.examples[index]!)).length,
      60 - 2 * heldOut.length,
    );
    assert.equal(learnt.length, 80 - 3 * heldOut.length);
    held.push(...heldOut);
  }
  assert.equal(held.length, 20);
});

test('a split excludes other texts of a held-out hop by title', () => {
  const other = { ...films[0]!.film, text: `${films[0]!.film.text} It was shot in Rome.` };
  const twice = questions.map((question, at) =>
    at === 19 ? { ...question, paragraphs: [...question.paragraphs, other] } : question,
  );
  const set = trainingSet(twice, { seed: 4, mentions: 1 });
  const titles = (index: number): string =>
    set.paragraphs[set.examples[index]!.records[0]!.positive]!.title;
  const fold = questionFolds(set.examples.slice(0, 20), 5, 7)[0]!;
  assert.equal(
    set.examples.filter((each, index) => isMention(each) && titles(index) === 'Film 0z Gold')
      .length,
    2,
  );
  const { learnt } = questionSplit(set, { folds: 5, seed: 7, fold });
  assert.ok(!learnt.some(index => titles(index) === 'Film 0z Gold'));
});
