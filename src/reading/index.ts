/** Readers: what they must be, and those that come along. */
// Inside the room: answer-type.ts, date-answer.ts, entity-answer.ts, evidence-only.ts,
// extractive.ts, fact-reader.ts, fact-reader/, generative.ts, generative-answer.ts,
// generative-prompt.ts, question-support.ts
export { checkedAnswer, checkedCitations } from './citation-check.ts';
export { type LexicalSupport, lexicalSupport } from './lexical-support.ts';
export { INSUFFICIENT, type Reader } from './reader.ts';
export { readers } from './readers.ts';
export { citationOf, type ShownPassage, shownPassages } from './shown-passages.ts';
export { type ShownSentence, shownSentences } from './shown-sentences.ts';
