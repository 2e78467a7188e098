/**
 * Computes features of the second stage for linked documents: titles that the question or highly
 * ranked sentences mention, which link the documents of a chain (hyperlinks in ChainRAG, entities
 * in HippoRAG; here read from the texts), and the score in a search for a name.
 */
import { bestPlaces, columnOf, type Features, rankDiscount } from './features.ts';
import type { Candidate, QuestionView } from './question-view.ts';
import { bareTitle, padded, type TextWords } from './text-words.ts';

/** The number of best candidates whose mentions of a title count. */
const MENTIONING = 30;
/** Bounds on the characters of a title: shorter ones are initials, longer ones sentences. */
const MIN_LETTERS = 3;
const MAX_LETTERS = 80;

/** Returns the link features by name. `scores`: those of the previous stage. */
export function linksOf(view: QuestionView, scores: Float64Array): Features {
  const { candidates } = view;
  const mentioning = bestPlaces(scores, MENTIONING).map(
    (at, rank): Mentioning => mentioningOf(candidates[at]!, rankDiscount(rank)),
  );
  const question = padded(view.lanes[0]!.toLowerCase());
  const inQuestion = eachDocument(candidates, title => Number(question.includes(title)));
  const mentioned = eachDocument(candidates, (title, documentId) =>
    question.includes(title)
      ? 0
      : (mentioning.find(other => other.documentId !== documentId && other.text.includes(title))
          ?.weight ?? 0),
  );
  const open = bestOfEach(mentioning).filter(
    ({ title }) => title !== '' && !question.includes(title),
  );
  return {
    'title in the question': inQuestion,
    'title mentioned elsewhere': mentioned,
    'mentions a title': columnOf(candidates, ({ documentId, text }) => {
      const words = text.padded;
      return (
        open.find(other => other.documentId !== documentId && words.includes(other.title))
          ?.weight ?? 0
      );
    }),
    'found by a name': view.named,
  };
}

/** A highly ranked candidate, as a source of mentions. */
interface Mentioning {
  readonly documentId: string;
  /** Padded words; the title is empty if it is no name. */
  readonly text: string;
  readonly title: string;
  /** Rank discount of the candidate. */
  readonly weight: number;
}

const mentioningOf = ({ documentId, text, title }: Candidate, weight: number): Mentioning => ({
  documentId,
  text: text.padded,
  title: titleOf(title),
  weight,
});

/** Keeps the best candidate of each document. */
const bestOfEach = (mentioning: readonly Mentioning[]): Mentioning[] =>
  mentioning.filter(
    ({ documentId }, at) => mentioning.findIndex(other => other.documentId === documentId) === at,
  );

/** Returns, for each candidate, the number of its document; 0 if its title is no name. */
function eachDocument(
  candidates: readonly Candidate[],
  numberOf: (title: string, documentId: string) => number,
): Float64Array {
  const known = new Map<string, number>();
  return columnOf(candidates, ({ documentId, title }) => {
    let number = known.get(documentId);
    if (number === undefined) {
      const words = titleOf(title);
      known.set(documentId, (number = words === '' ? 0 : numberOf(words, documentId)));
    }
    return number;
  });
}

/** Returns the title as a name to search for; empty if it is too short or too long for one. */
export function titleName(title: string): string {
  // Skips the search for a parenthesis in long texts that are used as titles.
  const name = title.length > 2 * MAX_LETTERS ? '' : bareTitle(title);
  return name.length < MIN_LETTERS || name.length > MAX_LETTERS ? '' : name;
}

function titleOf(title: TextWords): string {
  const words = title.bareTitle;
  return words.trim().length < MIN_LETTERS ? '' : words;
}
