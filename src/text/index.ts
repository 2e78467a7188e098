/** What words and sentences are, and how text is compared. */
// Inside the room: abbreviations.ts
export { clausesOf } from './clauses.ts';
export { cleanCharacters } from './clean-characters.ts';
export { editRatioAtLeast, indelDistance } from './edit-ratio.ts';
export { findNames, type NameSpan } from './names.ts';
export {
  foldWhitespaceAndPunctuation,
  isBlank,
  normAlnum,
  normHotpot,
  normTitle,
  squash,
} from './normalise.ts';
export { contentWords, sentenceSupport } from './sentence-support.ts';
export { sentenceSpans } from './sentences.ts';
export { capitalisedWords, contentStems, stemOf } from './stems.ts';
export { ENGLISH_STOP_WORDS } from './stop-words.ts';
export { countWords, nthWordEnd, wordRuns } from './words.ts';
