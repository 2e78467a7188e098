/**
 * Decides from the candidates, not from the form of the question, which ranker applies: linked
 * titles, articles and short passages need different rankers.
 */
import { type CorpusKind, mostAreHeaded } from '../../core/corpus/corpus-kind.ts';
import type { Document } from '../../core/corpus/document.ts';
import { titleName } from '../../models/fact-ranker/link-features.ts';
import type { QuestionView } from '../../models/fact-ranker/question-view.ts';
import { padded } from '../../models/fact-ranker/text-words.ts';

/** The most words of a title that is a name; headlines are longer. */
export const NAME_WORDS = 6;
/** Least share of texts that say their title: 0.6 to 0.8 of encyclopedias, 0 to 0.15 elsewhere. */
const NAMED = 1 / 3;
/** Characters at the beginning of an entry, which say what it is about. */
const LEAD = 2000;
/** Characters of about a thousand words. */
const LONG = 6000;

type Seen = Pick<QuestionView, 'candidates'> & {
  readonly documentsOf: readonly Document[];
  readonly sourceOf: readonly string[];
};

/** Returns the kind of the corpus that the candidates of the first hop come from. */
export function corpusKindOf(view: Seen): CorpusKind {
  const titles = new Map(view.documentsOf.map((document, at) => [document, view.candidates[at]!]));
  const documents = [...titles.keys()];
  if (mostAreHeaded(documents)) return 'sections';
  const short = [...titles.values()].filter(({ title }) => title.count <= NAME_WORDS).length;
  if (2 * short >= documents.length && areNamed(documents)) return 'linked';
  const isArticle = view.sourceOf.some(source => source !== '') || mostAreLong(documents);
  return isArticle ? 'articles' : 'passages';
}

/**
 * Returns true if a third of the texts say their own title, as entries of an encyclopedia do: such
 * titles are names, which other documents and questions mention. Headings of sections ("Options")
 * are words that any text has.
 */
function areNamed(documents: readonly Document[]): boolean {
  const named = documents.filter(({ title, text }) => {
    const name = padded(titleName(title).toLowerCase());
    return (
      name.trim() !== '' &&
      linesOf(text.slice(0, LEAD)).some(line => line !== name && line.includes(name))
    );
  });
  return NAMED * documents.length <= named.length;
}

/** Returns the lines of a text as padded words: a line that is the title alone is a heading. */
const linesOf = (text: string): string[] => text.toLowerCase().split('\n').map(padded);

/** Returns true if at least half of the documents are long. */
export function mostAreLong(documents: readonly Document[]): boolean {
  const long = documents.filter(({ text }) => text.length > LONG).length;
  return long > 0 && 2 * long >= documents.length;
}
