/** Tests what questions teach the open reader, its figures, and that held-out ones do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openAnswerable } from '../../../src/readers/open/answerable.ts';
import { FeatureTable } from './feature-table.ts';
import { readSample } from './open-read.ts';
import type { OpenSample } from './open-sample.ts';
import { OpenLessons, openFigures } from './open-training.ts';

const FIRST = 'Mara Ines Tove Elin Ruta Orla Wanda Petra'.split(' ');
const LAST = 'Quist Ferrow Lindqvist Tolliver Brandt Castor Delling Osk'.split(' ');
const TOWNS = 'Dunmarrow Pellow Sorrelby Tamsin Ulverston Vesper Wexmoor Yarrow'.split(' ');
const nameOf = (at: number): string => `${FIRST[at % 8]} ${LAST[(3 * at + (at >> 3)) % 8]}`;

/** Asks for a span: the town of birth. */
const born = (at: number, set = 'spans'): OpenSample => ({
  set,
  question: `Where was ${nameOf(at)} born?`,
  answers: [TOWNS[at % 8]!],
  titles: [nameOf(at), 'Hall'],
  sentences: [
    { text: `${nameOf(at)} was born in ${TOWNS[at % 8]}.`, part: 0 },
    { text: `She sold nets in ${TOWNS[(at + 3) % 8]} for 12 years.`, part: 0 },
    { text: `The hall in ${TOWNS[(at + 5) % 8]} has a roof.`, part: 1 },
  ],
});
/** Asks to choose one of two things. */
const choice = (at: number): OpenSample => {
  const [first, second] = [nameOf(at), nameOf(at + 4)];
  return {
    set: 'choices',
    question: `Who was born first, ${first} or ${second}?`,
    answers: [at % 2 === 0 ? first : second],
    titles: [first, second],
    sentences: [
      { text: `${first} (born 4 May ${at % 2 === 0 ? 1870 : 1930}) was a sailor.`, part: 0 },
      { text: `${second} (born 9 June ${at % 2 === 0 ? 1931 : 1869}) was a painter.`, part: 1 },
    ],
  };
};
/** Asks for yes or no. */
const verdict = (at: number): OpenSample => {
  const [first, second] = [nameOf(at), nameOf(at + 4)];
  return {
    set: 'verdicts',
    question: `Were ${first} and ${second} of the same nationality?`,
    answers: [at % 2 === 0 ? 'yes' : 'no'],
    titles: [first, second],
    sentences: [
      { text: `${first} was a Danish sailor.`, part: 0 },
      { text: `${second} was a ${at % 2 === 0 ? 'Danish' : 'French'} painter.`, part: 1 },
    ],
  };
};

const COUNT = 24;
const samples: readonly OpenSample[] = [born, choice, verdict].flatMap(make =>
  Array.from({ length: COUNT }, (_, at) => make(at)),
);
const lessons = new OpenLessons(samples);
const isHeld = (index: number): boolean => index % 4 === 3;
const model = lessons.fit(index => !isHeld(index));

describe('a fit', () => {
  const rightOf = (set: string): number => {
    const held = [...samples.keys()].filter(at => isHeld(at) && samples[at]!.set === set);
    const right = held.filter(at => {
      const decision = lessons.decide(at, model);
      return decision?.text.toLowerCase() === samples[at]!.answers[0]!.toLowerCase();
    });
    return right.length / held.length;
  };

  for (const set of ['spans', 'choices', 'verdicts'])
    test(`answers held-out ${set}`, () => assert.ok(rightOf(set) >= 0.8, `${rightOf(set)}`));

  test('is the same every time, and one of the parts alone that draft answers too', () => {
    const again = new OpenLessons(samples).fit(index => !isHeld(index));
    assert.deepEqual(again, model);
    const { answerable, ...drafting } = model;
    assert.deepEqual(
      lessons.fitAnswers(index => !isHeld(index)),
      drafting,
    );
    assert.deepEqual(answerable.outputs, ['answerable']);
    assert.deepEqual([model.choice.outputs, model.verdict.outputs], [['choice'], ['verdict']]);
  });

  test('learns nothing of questions that it does not use', () => {
    const changed = samples.map((each, at) =>
      isHeld(at) ? { ...each, answers: [each.set === 'verdicts' ? 'yes' : 'The hall'] } : each,
    );
    const answers = new OpenLessons(changed).fitAnswers(index => !isHeld(index));
    assert.deepEqual(answers.choice, model.choice);
    assert.deepEqual(answers.verdict, model.verdict);
    const all = lessons.fitAnswers(() => true);
    assert.notDeepEqual(all.choice, model.choice);
    assert.notDeepEqual(all.verdict, model.verdict);
    assert.notDeepEqual(all.span, model.span);
  });
});

describe('questions that teach nothing', () => {
  const same = (more: readonly OpenSample[]): void => {
    const some = samples.filter((_, at) => !isHeld(at));
    const [without, together] = [some, [...some, ...more]].map(each =>
      new OpenLessons(each).fitAnswers(() => true),
    );
    assert.deepEqual(together, without);
  };

  test('a span or choice that no candidate is', () => {
    same([
      { ...born(1), answers: ['a stone quarry'] },
      { ...choice(1), answers: ['neither of them'] },
    ]);
  });

  test('a verdict whose answer is neither yes nor no', () => {
    same([
      { ...verdict(1), answers: ['maybe'] },
      { ...verdict(1), answers: ['yes and no'] },
    ]);
  });
});

test('a candidate that shares half of the words of the answer is learnt from', () => {
  const partly = samples.map(each =>
    each.set === 'choices' ? { ...each, answers: [`${each.answers[0]} Junior Esquire`] } : each,
  );
  const { choice: found } = new OpenLessons(partly).fitAnswers(index => !isHeld(index));
  assert.deepEqual(found, model.choice);
});

describe('support', () => {
  test('is the probability by the answerable part, of the draft', () => {
    const read = readSample(samples[0]!, new FeatureTable());
    const draft = lessons.decide(0, model)!;
    const features = openAnswerable(read.evidence, draft);
    let score = model.answerable.bias[0]!;
    for (const [name, value] of features)
      score += (model.answerable.weights.get(name)?.[0] ?? 0) * value;
    const [support] = lessons.supports(() => model);
    assert.equal(support!.isNull, false);
    assert.ok(Math.abs(support!.support - 1 / (1 + Math.exp(-score))) < 1e-9);
  });
});

describe('figures', () => {
  test('are means over the questions of the set, an unanswered one counts as wrong', () => {
    const mute: OpenSample = { ...born(0, 'few'), sentences: [], titles: [] };
    const [right, wrong, half] = [born(0, 'few'), born(1, 'few'), born(2, 'few')];
    const read = new OpenLessons([
      ...[right!, { ...wrong!, answers: ['a stone quarry'] }, mute],
      ...[{ ...half!, answers: [`${half!.answers[0]} Harbour`, 'nothing'] }, born(3, 'more')],
    ]);
    const figures = openFigures(read, { set: 'few', headlines: false }, () => model);
    assert.equal(figures.questions, 4);
    assert.equal(figures.answered, 3 / 4);
    assert.equal(figures.EM, 1 / 4);
    assert.ok(Math.abs(figures.F1 - (1 + 0 + 0 + 2 / 3) / 4) < 1e-9, `${figures.F1}`);
    assert.deepEqual(
      openFigures(read, { set: 'none', headlines: false }, () => model),
      { questions: 0, F1: 0, EM: 0, answered: 0 },
    );
  });
});
