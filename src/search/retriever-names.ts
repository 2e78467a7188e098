/** Names of the family "retriever", for editors and compilers; written by `npm run docs`. */
export type RetrieverName =
  | 'lexical'
  | 'dense'
  | 'hybrid'
  | 'fused'
  | 'clauses'
  | 'max-p'
  | 'filtered'
  | 'reranked';
