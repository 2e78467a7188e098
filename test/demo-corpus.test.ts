/**
 * Tests the claims of demo/README.md about the corpus, and that one search misses the demo
 * question's last article, which three find.
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
const answerable = questions.filter(question => question.question_type !== 'null_query');
const nulls = questions.filter(question => question.question_type === 'null_query');

/** Returns the distinct articles of the evidence, in the order of the chain. */
const goldOf = (question: Graded): string[] => [
  ...new Set(question.evidence_list.map(({ url }) => byUrl.get(url)?.id ?? `unresolved ${url}`)),
];
const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter(
    word => !ENGLISH_STOP_WORDS.has(word),
  );

/** Articles that are evidence of no question and share words with the questions. */
const DISTRACTORS = [
  'cruise-ship-call',
  'fish-auction-clock',
  'lantern-glass-guild',
  'lantern-week-programme',
  'oyster-alert',
  'pell-bridge-closure',
  'pilots-prize-school',
  'seal-count-ledges',
  'tug-race',
  'whale-season',
];

describe('the articles', () => {
  test('are 44, with unique ids, titles and urls, and all fields filled', () => {
    assert.equal(articles.length, 44);
    for (const field of ['id', 'title', 'url'] as const)
      assert.equal(new Set(articles.map(article => article[field])).size, 44, field);
    for (const article of articles) {
      assert.deepEqual(Object.keys(article), [
        'id',
        'title',
        'text',
        'source',
        'published_at',
        'category',
        'author',
        'url',
      ]);
      for (const [field, value] of Object.entries(article))
        assert.ok(
          typeof value === 'string' && value.trim() === value && value !== '',
          `${article.id} ${field}`,
        );
    }
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

  test('are either evidence of a question or one of the ten distractors', () => {
    const gold = new Set(answerable.flatMap(goldOf));
    assert.equal(gold.size, 34);
    assert.deepEqual([...gold, ...DISTRACTORS].sort(), articles.map(({ id }) => id).sort());
  });

  test('include distractors that each share at least three content words with an answerable question and are listed in the README', () => {
    const readme = demo('README.md');
    for (const id of DISTRACTORS) {
      const { title, text } = articles.find(article => article.id === id)!;
      const words = new Set(contentWords(`${title} ${text}`));
      const shared = answerable.map(
        ({ query }) => new Set(contentWords(query).filter(word => words.has(word))).size,
      );
      assert.ok(Math.max(...shared) >= 3, `${id} shares ${Math.max(...shared)}`);
      assert.ok(readme.includes(`\`${id}\``), id);
    }
  });
});

describe('the questions', () => {
  test('have evidence that repeats the fields of its article, with a fact that is one sentence of its first 90 words', () => {
    for (const { id, evidence_list } of questions) {
      for (const evidence of evidence_list) {
        const article = byUrl.get(evidence.url);
        assert.ok(article, `${id}: ${evidence.url} is not an article`);
        for (const field of FACTS) assert.equal(evidence[field], article[field], `${id} ${field}`);
        const sentence = sentenceSpans(article.text).find(
          ([start, end]) => article.text.slice(start, end) === evidence.fact,
        );
        assert.ok(sentence, `${id}: not a sentence of ${article.id}: ${evidence.fact}`);
        assert.ok(
          sentence[1] <= nthWordEnd(article.text, 90),
          `${id}: is late in ${article.id}: ${evidence.fact}`,
        );
      }
    }
  });

  test('are 17 of two articles, 10 of three, 5 of four, over all types, and 10 null questions', () => {
    const counts: Record<string, number> = {};
    for (const question of questions) {
      const key = `${goldOf(question).length} ${question.question_type}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    assert.deepEqual(counts, {
      '2 inference_query': 7,
      '2 comparison_query': 5,
      '2 temporal_query': 5,
      '3 inference_query': 5,
      '3 comparison_query': 2,
      '3 temporal_query': 3,
      '4 inference_query': 3,
      '4 comparison_query': 1,
      '4 temporal_query': 1,
      '0 null_query': 10,
    });
    assert.equal(new Set(questions.map(({ id }) => id)).size, 42);
    assert.equal(new Set(questions.map(({ query }) => query)).size, 42);
  });

  test('have answers that are yes or no, about equally often, or that are in a fact and not in the question', () => {
    const polar = answerable.filter(({ answer }) => answer === 'Yes' || answer === 'No');
    assert.equal(polar.filter(({ answer }) => answer === 'Yes').length, 7);
    assert.equal(polar.length, 15);
    for (const { id, query, answer, evidence_list } of answerable) {
      if (answer === 'Yes' || answer === 'No') continue;
      assert.ok(
        evidence_list.some(({ fact }) => fact.includes(answer)),
        `${id}: ${answer} is not in the facts`,
      );
      assert.ok(!query.includes(answer), `${id} contains its answer`);
    }
  });

  test('have no evidence and one answer if they are null questions, each with a name that no article contains', () => {
    const corpus = new Set(
      articles.flatMap(({ title, text, source }) => contentWords(`${title} ${text} ${source}`)),
    );
    for (const { id, query, answer, evidence_list } of nulls) {
      assert.equal(answer, 'Insufficient information.');
      assert.deepEqual(evidence_list, []);
      const names = query.match(/(?<=\s)[A-Z]\p{L}+/gu) ?? [];
      assert.ok(
        names.some(name => !corpus.has(name.toLowerCase())),
        id,
      );
      assert.ok(
        contentWords(query).some(word => corpus.has(word)),
        `${id} shares no word with the corpus`,
      );
    }
  });
});

describe('the demo question', () => {
  const question = questions.find(({ id }) => id === 'demo')!;
  const items = articles.map(({ id, title, text, ...metadata }) => ({ id, title, text, metadata }));
  const scorers: [name: string, score: Score][] = [
    ['bm25', bm25Oracle(items)],
    ['s1', s1Oracle(items)],
  ];
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
    assert.equal(question.answer, 'Dunmarrow Drives');
    assert.equal(question.question_type, 'inference_query');
    assert.deepEqual(goldOf(question), ['fathom-prize', 'wandering-linnet', 'dunmarrow-motors']);
    const [prize, ship, motors] = goldOf(question).map(
      id => articles.find(article => article.id === id)!,
    );
    const holds = (article: Article | undefined, word: string): boolean =>
      `${article!.title} ${article!.text}`.includes(word);
    assert.deepEqual(
      [prize, ship, motors].map(article => holds(article, 'Tarrandine')),
      [true, true, false],
    );
    assert.deepEqual(
      [prize, ship, motors].map(article => holds(article, 'Linnet')),
      [false, true, true],
    );
    const others = articles.filter(article => ![prize, ship, motors].includes(article));
    assert.ok(!others.some(article => holds(article, 'Tarrandine') || holds(article, 'Linnet')));
  });

  test('shares no content word with its last article', () => {
    const { title, text } = articles.find(({ id }) => id === 'dunmarrow-motors')!;
    const words = new Set(contentWords(`${title} ${text}`));
    assert.deepEqual(
      contentWords(question.query).filter(word => words.has(word)),
      [],
    );
  });

  for (const [name, score] of scorers) {
    test(`${name}: the last article is far outside the first ten, the first two are inside`, () => {
      const places = goldOf(question).map(id => ranked(score, question.query).indexOf(id) + 1);
      assert.deepEqual(places.slice(0, 2), [1, 9]);
      assert.ok(places[2]! > 30, `rank ${places[2]}`);
      const last = score(question.query)[articles.findIndex(({ id }) => id === 'dunmarrow-motors')];
      if (name === 's1') assert.equal(last, 0);
      else
        assert.ok(
          demo('README.md').includes(`the third article comes ${places[2]}nd of 44 under BM25`),
        );
    });

    test(`${name}: three rounds with cues find it in the third, by a clear margin`, () => {
      const [first, second, third] = rounds(query => score(query));
      assert.deepEqual(
        first!.fresh,
        name === 'bm25'
          ? ['fathom-prize', 'pilots-prize-school']
          : ['fathom-prize', 'lady-aumbry-engines'],
      );
      assert.deepEqual(second!.fresh, ['wandering-linnet']);
      assert.deepEqual(third!.fresh, ['dunmarrow-motors']);
      // The next best of rounds 2 and 3 scores at least a tenth less, so that neither rounding nor
      // ties decide.
      for (const round of [second!, third!])
        assert.ok(round.scores[2]! < 0.9 * round.scores[1]!, round.scores.join(' '));
    });
  }

  /**
   * Runs iterative(rounds=3) as docs/papers/budgeted-agent.md describes it: two documents a round,
   * duplicates not replaced, cues of the best new article.
   */
  function rounds(score: Score): { fresh: string[]; scores: number[] }[] {
    const kept: string[] = [];
    let query = question.query;
    return [1, 2, 3].map(() => {
      const scores = score(query).sort((a, b) => b - a);
      const fresh = ranked(score, query)
        .slice(0, 2)
        .filter(id => !kept.includes(id));
      kept.push(...fresh);
      query = `${question.query} ${cues(articles.find(({ id }) => id === fresh[0])!)}`;
      return { fresh, scores };
    });
  }

  /**
   * Returns title, source, category and the eight most frequent content words of title and text;
   * ties in alphabetical order.
   */
  function cues({ title, text, source, category }: Article): string {
    const counts = new Map<string, number>();
    for (const word of contentWords(`${title} ${text}`))
      counts.set(word, (counts.get(word) ?? 0) + 1);
    const frequent = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 8);
    return [title, source, category, ...frequent.map(([word]) => word)].join(' ');
  }
});
