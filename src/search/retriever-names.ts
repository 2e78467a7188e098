/** Lists the names of retrievers, which editors complete; a test holds it equal to the family. */
export const RETRIEVER_NAMES = [
  'lexical',
  'dense',
  'hybrid',
  'fused',
  'clauses',
  'max-p',
  'filtered',
  'reranked',
] as const;

export type RetrieverName = (typeof RETRIEVER_NAMES)[number];
