/** Tests the perturbations of questions: what each rule changes, and what it leaves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  catalogueOf,
  mentionsOf,
  type Perturbation,
  type RawData,
  type RawQuestion,
} from '../results/perturbations/perturbation.ts';
import { PERTURBATIONS } from '../results/perturbations/perturbations.ts';
import { withoutSources } from '../results/perturbations/sources.ts';
import { transposed } from '../results/perturbations/typos.ts';

const SEED = 7;
const SOURCES = ['TechCrunch', 'The Verge', 'Fortune', 'The Age', 'BBC News - Technology'];
const article = (source: string, number: number): RawData['articles'][number] =>
  ({
    title: `Title ${number}`,
    url: `u${number}`,
    source,
    body: 'Text.',
    author: 'A',
    category: 'c',
    published_at: '2023-10-01',
  }) as RawData['articles'][number];
const articles = SOURCES.flatMap((source, at) => [0, 1, 2].map(n => article(source, 3 * at + n)));
const asked = (query: string, type: string, urls: readonly string[]): RawQuestion => ({
  query,
  answer: 'Yes',
  question_type: `${type}_query`,
  evidence_list: urls.map(url => ({ url })),
});
const questions = [
  asked(
    'Did the TechCrunch article claim that Acme Corp grew, while The Verge suggests that it fell?',
    'comparison',
    ['u0', 'u3'],
  ),
  asked(
    'Which company, reported by TechCrunch and Fortune to have grown, is based in Oslo according to The Age?',
    'inference',
    ['u1', 'u6', 'u9'],
  ),
  asked(
    "Between the Fortune report on Ada Lovelace published on October 1, 2023, and The Verge's report on her published on October 7, 2023, was the reporting consistent?",
    'temporal',
    ['u7', 'u4'],
  ),
  asked(
    'Considering the information from a Reuters article and a report by The Wall Street Journal on Acme Corp, which city is it in?',
    'null',
    [],
  ),
];
const data: RawData = { questions, articles };
const names = catalogueOf(articles);
const perturbation = (name: string): Perturbation =>
  PERTURBATIONS.find(each => each.name === name)!;
const rewritten = (name: string): string[] =>
  perturbation(name)
    .apply(data, SEED)
    .questions.map(({ query }) => query);

test('every perturbation is repeated by its seed, and a sample has the texts of the whole', () => {
  for (const perturbation of PERTURBATIONS) {
    assert.deepEqual(perturbation.apply(data, SEED), perturbation.apply(data, SEED));
    if (perturbation.deletes) continue;
    const whole = perturbation.apply(data, SEED).questions;
    assert.equal(whole.length, questions.length, perturbation.name);
    for (const [at, question] of questions.entries())
      assert.deepEqual(
        perturbation.apply({ articles, questions: [question] }, SEED).questions,
        [whole[at]],
        perturbation.name,
      );
  }
});

test('a transposition swaps two adjacent letters after the first, and nothing else', () => {
  const letters = fc.stringMatching(/^[A-Za-z]{1,9}( [A-Za-z]{1,9}){0,2}$/);
  fc.assert(
    fc.property(letters, fc.integer(), (text, seed) => {
      const random = (): number => (((seed % 97) + 97) % 97) / 97;
      const result = transposed(text, random);
      const changed = [...text].flatMap((letter, at) => (letter === result[at] ? [] : [at]));
      assert.equal(result.length, text.length);
      if (changed.length === 0) return;
      const [first, second] = changed as [number, number];
      assert.equal(changed.length, 2);
      assert.equal(second, first + 1);
      assert.equal(text[first], result[second]);
      assert.equal(text[second], result[first]);
      assert.match(text[first - 1] ?? ' ', /[A-Za-z]/);
    }),
  );
  assert.notEqual(
    transposed('TechCrunch', () => 0.5),
    'TechCrunch',
  );
  assert.equal(
    transposed('The', () => 0.5),
    'The',
  );
});

test('typos stand in source names alone, or in one other name alone', () => {
  const [bySource, byEntity] = [rewritten('source-typos'), rewritten('entity-typo')];
  assert.match(bySource[0]!, /Acme Corp grew/);
  assert.equal(mentionsOf(bySource[0]!, names).length, 0);
  assert.match(byEntity[0]!, /TechCrunch .* The Verge /);
  assert.doesNotMatch(byEntity[0]!, /Acme Corp/);
});

describe('source names are taken out', () => {
  test('with their lead-in words', () => {
    assert.deepEqual(rewritten('no-source-names').slice(0, 3), [
      'Did the article claim that Acme Corp grew, while one report suggests that it fell?',
      'Which company, reported to have grown, is based in Oslo?',
      'Between the report on Ada Lovelace published on October 1, 2023, and the report on her published on October 7, 2023, was the reporting consistent?',
    ]);
  });

  test('whatever stands around them', () => {
    const piece = fc.constantFrom(
      ...[...SOURCES, 'BBC News', 'by', 'according to', 'article', "'s", ',', 'and', 'both', 'The'],
      ...['the', 'report from', 'Acme', 'says', '"', 'Age of'],
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), pieces => {
        const text = withoutSources(pieces.join(' '), names);
        assert.deepEqual(mentionsOf(text, names), []);
      }),
    );
  });
});

test('wordings keep names of sources, and change what they say they change', () => {
  assert.match(
    rewritten('polite-opening')[0]!,
    /^Hi, could you please tell me: did the TechCrunch/,
  );
  assert.equal(rewritten('lower-case')[0], questions[0]!.query.toLowerCase());
  assert.doesNotMatch(rewritten('no-question-mark').join(' '), /\?/);
  for (const [at, query] of rewritten('natural-wording').entries()) {
    assert.notEqual(query, questions[at]!.query);
    assert.doesNotMatch(query, /\uE000|undefined/);
    assert.deepEqual(
      mentionsOf(query, names).map(mention => mention.names),
      mentionsOf(questions[at]!.query, names).map(mention => mention.names),
    );
  }
});

test('null questions cite known outlets afterwards, and others are left', () => {
  const queries = rewritten('known-outlets');
  assert.deepEqual(
    queries.slice(0, 3),
    questions.slice(0, 3).map(({ query }) => query),
  );
  assert.doesNotMatch(queries[3]!, /Reuters|Wall Street/);
  assert.equal(mentionsOf(queries[3]!, names).length, 2);
});

test('every source is left where gold articles are deleted; both rows ask the same', () => {
  // A third of what is gold, so that the share that may be deleted holds a whole question.
  const many = [0, 1, 2, 3, 4].flatMap(turn =>
    questions.map(question => ({
      ...question,
      evidence_list: question.evidence_list!.slice(0, 1).map(({ url }) => ({
        url: `u${(Number(url!.slice(1)) + 2 * turn) % 15}`,
      })),
    })),
  );
  const deleted = perturbation('deleted-gold').apply({ questions: many, articles }, SEED);
  const kept = perturbation('kept-gold').apply({ questions: many, articles }, SEED);
  const left = new Set(deleted.articles.map(({ url }) => url));
  assert.ok(deleted.questions.length > 0);
  assert.ok(left.size < articles.length);
  assert.deepEqual(new Set(deleted.articles.map(({ source }) => source)), new Set(SOURCES));
  assert.deepEqual(
    deleted.questions.map(({ query }) => query),
    kept.questions.map(({ query }) => query),
  );
  for (const { evidence_list = [] } of kept.questions)
    assert.ok(evidence_list.length > 0 && evidence_list.every(({ url }) => !left.has(url)));
  for (const { question_type, evidence_list } of deleted.questions)
    assert.deepEqual([question_type, evidence_list], ['null_query', []]);
});
