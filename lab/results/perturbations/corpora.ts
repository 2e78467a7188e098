/** Changes of the corpus: no metadata, or the gold articles of some questions deleted. */
import type { Perturbation, RawArticle, RawQuestion } from './perturbation.ts';
import { randomOf } from './perturbation.ts';

/** Fields of an article that are no text. */
const METADATA: ReadonlySet<string> = new Set(['source', 'author', 'category', 'published_at']);

export const noMetadata: Perturbation = {
  name: 'no-metadata',
  summary: 'articles without source, author, category and date',
  apply: ({ questions, articles }) => ({
    questions,
    articles: articles.map(
      article =>
        Object.fromEntries(
          Object.entries(article).filter(([key]) => !METADATA.has(key)),
        ) as unknown as RawArticle,
    ),
  }),
};

/** Share of the gold articles that are deleted at most: the rest of the corpus stays as it is. */
const DELETED = 0.25;
/** The answer of every null question of MultiHop-RAG. */
const INSUFFICIENT = 'Insufficient information.';

const goldOf = ({ evidence_list = [] }: RawQuestion): string[] => [
  ...new Set(evidence_list.flatMap(({ url }) => (url === undefined ? [] : [url]))),
];

/** Returns the articles to delete: question by question, never the last one of a source. */
function deletedOf(
  questions: readonly RawQuestion[],
  articles: readonly RawArticle[],
  seed: number,
): Set<string> {
  const left = new Map<string, number>();
  const sourceOf = new Map<string, string>();
  for (const { url = '', source = '' } of articles) {
    sourceOf.set(url, source);
    left.set(source, (left.get(source) ?? 0) + 1);
  }
  const most = DELETED * new Set(questions.flatMap(goldOf)).size;
  const drawn = new Set<string>();
  const order = questions
    .map(question => ({ gold: goldOf(question), place: randomOf(seed, question.query)() }))
    .sort((a, b) => a.place - b.place);
  for (const { gold } of order) {
    const more = gold.filter(url => !drawn.has(url));
    const spent = Map.groupBy(more, url => sourceOf.get(url) ?? '');
    if (drawn.size + more.length > most) break;
    if ([...spent].some(([source, urls]) => (left.get(source) ?? 0) <= urls.length)) continue;
    for (const [source, urls] of spent) left.set(source, left.get(source)! - urls.length);
    for (const url of more) drawn.add(url);
  }
  return drawn;
}

/** Returns true for an answerable question all of whose gold articles are in `deleted`. */
const isLost = (question: RawQuestion, deleted: ReadonlySet<string>): boolean => {
  const gold = goldOf(question);
  return gold.length > 0 && gold.every(url => deleted.has(url));
};

/** Asks the questions that lose all gold articles, which then have no answer. */
export const deletedGold: Perturbation = {
  name: 'deleted-gold',
  summary: 'all gold articles of some questions deleted, every outlet still known',
  deletes: true,
  apply({ questions, articles }, seed) {
    const deleted = deletedOf(questions, articles, seed);
    return {
      articles: articles.filter(({ url = '' }) => !deleted.has(url)),
      questions: questions
        .filter(question => isLost(question, deleted))
        .map(question => ({
          ...question,
          answer: INSUFFICIENT,
          question_type: 'null_query',
          evidence_list: [],
        })),
    };
  },
};

/** Asks the same questions over all articles. */
export const keptGold: Perturbation = {
  name: 'kept-gold',
  summary: 'the same questions with their gold articles',
  deletes: true,
  apply({ questions, articles }, seed) {
    const deleted = deletedOf(questions, articles, seed);
    return { articles, questions: questions.filter(question => isLost(question, deleted)) };
  },
};
