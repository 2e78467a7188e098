/** Makes sections of documents for tests of `fact-lanes`. */
import type { Document } from '../src/core/corpus/document.ts';
import { defined } from '../src/core/defined.ts';
import type { Section } from '../src/strategies/fact-lanes/section-rank.ts';

export interface GivenSection {
  readonly id?: string;
  readonly text?: string;
  readonly heading?: string;
  readonly words?: number;
}

/** Returns a section that is all of its document; `at` tells sections of one document apart. */
export function sectionOf(
  { id = 'x.md', text = 'nothing', heading = '', words = 0 }: GivenSection,
  at: number,
): Section {
  const document: Document = defined({
    id,
    title: '',
    text,
    metadata: {},
    outline: heading === '' ? undefined : [{ start: 0, heading: [heading], kind: 'prose' }],
  });
  return {
    words,
    lane: 0,
    search: { hop: 1, search: 0 },
    hit: { id: `${id}#${at}`, documentId: id, start: 0, end: text.length, score: 1 },
    passage: { id: `${id}#${at}`, documentId: id, start: 0, end: text.length, text },
    document,
  };
}
