/** Lists the names of readers, which editors complete; a test holds it equal to the family. */
export const READER_NAMES = [
  'combined-reader',
  'extractive',
  'fact-reader',
  'open-reader',
  'section-reader',
  'span',
  'generative',
  'evidence-only',
] as const;

export type ReaderName = (typeof READER_NAMES)[number];
