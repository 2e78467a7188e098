/**
 * Describes how a sentence is written, whatever is asked: what reports are cited for are whole
 * statements with names and numbers, rather than headings, captions and questions.
 */

/** One number for each property, by the name of its feature. */
export type SentenceForm = Readonly<Record<FormName, number>>;

const FORM_NAMES = [
  'ends with a full stop',
  'ends with a question mark',
  'begins in lower case',
  'has a digit',
  'reports what was said',
  'logarithm of its words',
  'logarithm of its capitalised words',
] as const;
export type FormName = (typeof FORM_NAMES)[number];
export const SENTENCE_FORMS: readonly FormName[] = FORM_NAMES;

const FULL_STOP = /[.。．।][”"’'」』]?$/u;
const QUESTION_MARK = /[?？؟]$/u;
const LOWER_CASE = /^\p{Ll}/u;
const DIGIT = /\p{Nd}/u;
const REPORTS =
  /\b(?:said|says|told|according|wrote|added|testified|argued|claimed|reported|announced)\b/u;

/** `words` and `capitalised`: numbers of words of the text. */
export function sentenceForm(text: string, words: number, capitalised: number): SentenceForm {
  const trimmed = text.trim();
  return {
    'ends with a full stop': Number(FULL_STOP.test(trimmed)),
    'ends with a question mark': Number(QUESTION_MARK.test(trimmed)),
    'begins in lower case': Number(LOWER_CASE.test(trimmed)),
    'has a digit': Number(DIGIT.test(trimmed)),
    'reports what was said': Number(REPORTS.test(trimmed)),
    'logarithm of its words': Math.log1p(words),
    'logarithm of its capitalised words': Math.log1p(capitalised),
  };
}
