/**
 * Decides from the candidates, not from the form of the question, which ranker applies: linked
 * titles, articles and short passages need different rankers.
 */
import { type CorpusKind, mostAreHeaded } from '../../core/corpus/corpus-kind.ts';
import type { Document } from '../../core/corpus/document.ts';
import { bestPlaces } from '../../models/fact-ranker/features.ts';
import { titleName } from '../../models/fact-ranker/link-features.ts';
import type { QuestionView } from '../../models/fact-ranker/question-view.ts';
import { bareTitle, padded } from '../../models/fact-ranker/text-words.ts';

/** The number of best candidates whose mentions of a title count. */
const MENTIONING = 30;
/** The most words of a title that is a name; headlines are longer. */
export const NAME_WORDS = 6;
/** Characters of about a thousand words. */
const LONG = 6000;

type Seen = Pick<QuestionView, 'lanes' | 'candidates' | 'words'> & {
  readonly documentsOf: readonly Document[];
  readonly sourceOf: readonly string[];
};

/** Returns the kind of the corpus that the candidates of the first hop come from. */
export function corpusKindOf(view: Seen): CorpusKind {
  const titles = new Map(view.documentsOf.map((document, at) => [document, view.candidates[at]!]));
  const documents = [...titles.keys()];
  if (mostAreHeaded(documents)) return 'sections';
  const short = [...titles.values()].filter(({ title }) => title.count <= NAME_WORDS).length;
  if (2 * short >= documents.length && titlesLink(view, documents)) return 'linked';
  const isArticle = view.sourceOf.some(source => source !== '') || mostAreLong(documents);
  return isArticle ? 'articles' : 'passages';
}

/**
 * Returns true if the title of a candidate is a name that the question mentions, or that another
 * document mentions: in one of the candidates with the best scores by words, else anywhere.
 */
function titlesLink(view: Seen, documents: readonly Document[]): boolean {
  const { lanes, candidates, words } = view;
  const names = documents.flatMap(({ id, title }): DocumentName[] => {
    const name = titleName(title) === '' ? '' : padded(bareTitle(title).toLowerCase());
    return name.trim() === '' ? [] : [{ documentId: id, words: name }];
  });
  const question = padded(lanes[0]!.toLowerCase());
  if (names.some(name => question.includes(name.words))) return true;
  const best = bestPlaces(words[0]!, MENTIONING).map(at => candidates[at]!);
  if (best.some(({ documentId, text }) => mentions(text.padded, documentId, names))) return true;
  // Long documents mention whatever has a short title.
  if (mostAreLong(documents)) return false;
  return documents.some(({ id, text }) => mentions(padded(text.toLowerCase()), id, names));
}

/** A document and its name as padded words. */
interface DocumentName {
  readonly documentId: string;
  readonly words: string;
}

/** Returns true if a text has the name of a document other than its own. */
const mentions = (text: string, holder: string, names: readonly DocumentName[]): boolean =>
  names.some(({ documentId, words }) => documentId !== holder && text.includes(words));

/** Returns true if at least half of the documents are long. */
export function mostAreLong(documents: readonly Document[]): boolean {
  const long = documents.filter(({ text }) => text.length > LONG).length;
  return long > 0 && 2 * long >= documents.length;
}
