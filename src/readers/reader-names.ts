/** Names of the family "reader", for editors and compilers; written by `npm run docs`. */
export type ReaderName =
  | 'combined-reader'
  | 'extractive'
  | 'fact-reader'
  | 'open-reader'
  | 'section-reader'
  | 'span'
  | 'generative'
  | 'cascade'
  | 'evidence-only';
