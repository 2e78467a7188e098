/**
 * Describes how a sentence is written, whatever is asked: what reports are cited for are whole
 * statements with names and numbers, rather than headings, captions and questions.
 */

/** The names of the features, one for each property. */
export const SENTENCE_FORMS = [
  'ends with a full stop',
  'ends with a question mark',
  'begins in lower case',
  'has a digit',
  'reports what was said',
  'logarithm of its words',
  'logarithm of its capitalised words',
] as const;
export type FormName = (typeof SENTENCE_FORMS)[number];

/** One number for each property, in the order of `SENTENCE_FORMS`. */
export type SentenceForm = readonly number[];

const FULL_STOP = /[.。．।][”"’'」』]?$/u;
const QUESTION_MARK = /[?？؟]$/u;
/** UTF-16 units that the two read at the end: an expression tries every place before it. */
const LONGEST_ENDING = 2;
const LOWER_CASE = /^\p{Ll}/u;
const DIGIT = /\p{Nd}/u;
const REPORTS =
  /\b(?:said|says|told|according|wrote|added|testified|argued|claimed|reported|announced)\b/u;

/** `words` and `capitalised`: numbers of words of the text. */
export function sentenceForm(text: string, words: number, capitalised: number): SentenceForm {
  const trimmed = text.trim();
  const ending = trimmed.slice(-LONGEST_ENDING);
  return [
    Number(FULL_STOP.test(ending)),
    Number(QUESTION_MARK.test(ending)),
    Number(LOWER_CASE.test(trimmed)),
    Number(DIGIT.test(trimmed)),
    Number(REPORTS.test(trimmed)),
    Math.log1p(words),
    Math.log1p(capitalised),
  ];
}
