/**
 * Tests the claims of demo/README.md about the corpus, and that one search misses the demo
 * question's last article. test/demo-answers.test.ts tests that three hops find it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sentenceSpans } from '../src/core/text/sentences.ts';
import { nthWordEnd } from '../src/core/text/words.ts';
import { ENGLISH_STOP_WORDS } from '../src/language/english/words/stop-words.ts';
import { bm25Oracle, type Score, s1Oracle } from './oracles/lexical-oracle.ts';

const FACTS = ['title', 'source', 'published_at', 'category', 'author', 'url'] as const;
type Article = Record<'id' | 'text' | (typeof FACTS)[number], string>;
type Evidence = Record<'fact' | (typeof FACTS)[number], string>;
interface Graded {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly question_type: string;
  readonly evidence_list: readonly Evidence[];
}

const demo = (name: string): string =>
  readFileSync(new URL(`../demo/${name}`, import.meta.url), 'utf8');
const articles = demo('corpus.jsonl')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as Article);
const questions = JSON.parse(demo('questions.json')) as Graded[];
const byUrl = new Map(articles.map(article => [article.url, article]));
const byId = new Map(articles.map(article => [article.id, article]));
const answerable = questions.filter(question => question.question_type !== 'null_query');

/** Returns the distinct articles of the evidence, in the order of the chain. */
const goldOf = (question: Graded): string[] => [
  ...new Set(question.evidence_list.map(({ url }) => byUrl.get(url)?.id ?? `unresolved ${url}`)),
];
const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter(
    word => !ENGLISH_STOP_WORDS.has(word),
  );
const wordsOf = ({ title, text, source }: Article): string[] =>
  contentWords(`${title} ${text} ${source}`);

describe('the articles', () => {
  test('have unique ids, titles and urls, and all fields filled', () => {
    assert.equal(articles.length, 44);
    for (const field of ['id', 'title', 'url'] as const)
      assert.equal(new Set(articles.map(article => article[field])).size, 44, field);
    for (const article of articles)
      for (const field of ['id', 'text', ...FACTS] as const)
        assert.match(article[field], /^\S(?:[\s\S]*\S)?$/, `${article.id} ${field}`);
  });

  test('have 120 to 220 words, oldest first, September to November 2025, eight outlets, six categories', () => {
    for (const { id, text, url, published_at } of articles) {
      const words = text.split(/\s+/).length;
      assert.ok(words >= 120 && words <= 220, `${id} has ${words} words`);
      assert.match(url, /^https:\/\/demo\.example\/[a-z-]+\/[a-z-]+$/);
      assert.equal(new Date(published_at).toISOString().replace('.000', ''), published_at);
      assert.match(published_at, /^2025-(09|10|11)-/);
    }
    const order = articles.map(({ published_at, id }) => `${published_at} ${id}`);
    assert.deepEqual(order, [...order].sort());
    assert.equal(new Set(articles.map(({ source }) => source)).size, 8);
    assert.equal(new Set(articles.map(({ category }) => category)).size, 6);
  });

  test('are evidence, or distractors that the README lists and that share three content words with a question', () => {
    const gold = new Set(answerable.flatMap(goldOf));
    const distractors = articles.filter(({ id }) => !gold.has(id));
    assert.deepEqual([gold.size, distractors.length], [34, 10]);
    for (const article of distractors) {
      const words = new Set(wordsOf(article));
      const shared = answerable.map(
        ({ query }) => new Set(contentWords(query).filter(word => words.has(word))).size,
      );
      assert.ok(Math.max(...shared) >= 3, `${article.id} shares ${Math.max(...shared)}`);
      assert.ok(demo('README.md').includes(`\`${article.id}\``), article.id);
    }
  });
});

describe('the questions', () => {
  test('have evidence that repeats the fields of its article, with a fact that is one sentence of its first 90 words', () => {
    for (const { id, evidence_list } of questions)
      for (const evidence of evidence_list) {
        const article = byUrl.get(evidence.url);
        assert.ok(article, `${id}: ${evidence.url} is not an article`);
        for (const field of FACTS) assert.equal(evidence[field], article[field], `${id} ${field}`);
        const sentence = sentenceSpans(article.text).find(
          ([start, end]) => article.text.slice(start, end) === evidence.fact,
        );
        assert.ok(sentence, `${id}: not a sentence of ${article.id}: ${evidence.fact}`);
        const isEarly = sentence[1] <= nthWordEnd(article.text, 90);
        assert.ok(isEarly, `${id}: is late in ${article.id}: ${evidence.fact}`);
      }
  });

  test('are 17 of two articles, 10 of three, 5 of four, over all types, and 10 null questions', () => {
    const counts = Object.groupBy(
      questions,
      question => `${goldOf(question).length} ${question.question_type.replace('_query', '')}`,
    );
    assert.deepEqual(
      Object.entries(counts)
        .map(([kind, of]) => `${kind}: ${of!.length}`)
        .sort(),
      [
        ...['0 null: 10', '2 comparison: 5', '2 inference: 7', '2 temporal: 5'],
        ...['3 comparison: 2', '3 inference: 5', '3 temporal: 3'],
        ...['4 comparison: 1', '4 inference: 3', '4 temporal: 1'],
      ],
    );
    for (const field of ['id', 'query'] as const)
      assert.equal(new Set(questions.map(question => question[field])).size, 42);
  });

  test('have answers that are yes or no, about equally often, or that are in a fact and not in the question', () => {
    const polar = answerable.filter(({ answer }) => answer === 'Yes' || answer === 'No');
    const yes = polar.filter(({ answer }) => answer === 'Yes');
    assert.deepEqual([yes.length, polar.length], [7, 15]);
    for (const { id, query, answer, evidence_list } of answerable.filter(
      question => !polar.includes(question),
    )) {
      const isStated = evidence_list.some(({ fact }) => fact.includes(answer));
      assert.ok(isStated, `${id}: ${answer} is not in the facts`);
      assert.ok(!query.includes(answer), `${id} contains its answer`);
    }
  });

  test('have no evidence and one answer if they are null questions, each with a name that no article contains', () => {
    const corpus = new Set(articles.flatMap(wordsOf));
    for (const { id, query, answer, evidence_list } of questions) {
      if (answerable.some(question => question.id === id)) continue;
      assert.deepEqual([answer, evidence_list], ['Insufficient information.', []]);
      const names = query.match(/(?<=\s)[A-Z]\p{L}+/gu) ?? [];
      const isUnknown = names.some(name => !corpus.has(name.toLowerCase()));
      const isRelated = contentWords(query).some(word => corpus.has(word));
      assert.deepEqual([isUnknown, isRelated], [true, true], id);
    }
  });
});

describe('the demo question', () => {
  const question = questions.find(({ id }) => id === 'demo')!;
  const items = articles.map(({ id, title, text, ...metadata }) => ({ id, title, text, metadata }));
  /**
   * Returns ids by score, best first, ties by position in the corpus; those without a common word
   * come last.
   */
  const ranked = (score: Score, query: string): string[] => {
    const scores = score(query);
    return articles
      .map((_, item) => item)
      .sort((a, b) => scores[b]! - scores[a]! || a - b)
      .map(item => articles[item]!.id);
  };

  test('asks for a company over three articles, each a bridge to the next', () => {
    assert.deepEqual(
      [question.answer, question.question_type],
      ['Dunmarrow Drives', 'inference_query'],
    );
    assert.deepEqual(goldOf(question), ['fathom-prize', 'wandering-linnet', 'dunmarrow-motors']);
    const holding = (word: string): string[] =>
      articles.filter(({ title, text }) => `${title} ${text}`.includes(word)).map(({ id }) => id);
    assert.deepEqual(holding('Tarrandine').sort(), ['fathom-prize', 'wandering-linnet']);
    assert.deepEqual(holding('Linnet').sort(), ['dunmarrow-motors', 'wandering-linnet']);
  });

  test('shares no content word with its last article', () => {
    const { title, text } = byId.get('dunmarrow-motors')!;
    const words = new Set(contentWords(`${title} ${text}`));
    const shared = contentWords(question.query).filter(word => words.has(word));
    assert.deepEqual(shared, []);
  });

  for (const [name, score] of [
    ['bm25', bm25Oracle(items)],
    ['s1', s1Oracle(items)],
  ] as const)
    test(`${name}: the last article is far outside the first ten, the first two are inside`, () => {
      const [first, second, last] = goldOf(question).map(
        id => ranked(score, question.query).indexOf(id) + 1,
      );
      assert.deepEqual([first, second], [1, 9]);
      assert.ok(last! > 30, `rank ${last}`);
      const place = `the third article comes ${last}nd of 44 under BM25`;
      assert.ok(name === 's1' || demo('README.md').includes(place), place);
    });
});
