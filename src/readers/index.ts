/**
 * Exports contexts and readers by name, and the parts for writing one.
 *
 * @module multihop/reading
 */
export type { UnboundContext } from '../context/context.ts';
export { contexts } from '../context/contexts.ts';
export { checkedAnswer } from './citation-check.ts';
export { INSUFFICIENT } from './reader.ts';
export { readers } from './readers.ts';
export { citationOf, type ShownPassage, shownPassages } from './shown-passages.ts';
export { type ShownSentence, shownSentences } from './shown-sentences.ts';
