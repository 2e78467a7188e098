/** Readers: what they must be, and those that come along. */
// Inside the room: evidence-only.ts
export { checkedCitations } from './citation-check.ts';
export { type QuestionSupport, questionSupport } from './question-support.ts';
export { INSUFFICIENT, type Reader } from './reader.ts';
export { readers } from './readers.ts';
export { contentWords, sentenceSupport } from './sentence-support.ts';
export { type ShownSentence, shownSentences } from './shown-sentences.ts';
