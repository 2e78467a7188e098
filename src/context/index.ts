/** How evidence is put into words, and what they cost. */
// Inside the room: headers.ts, lead.ts, sentences.ts, whole.ts
export { byDocument, headerOf, keptSpans, linesOf, type Show, type Shown } from './by-document.ts';
export type { Context, UnboundContext } from './context.ts';
export { contexts } from './contexts.ts';
export { Selection } from './selection.ts';
