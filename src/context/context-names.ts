/** Names of the family "context", for editors and compilers; written by `npm run docs`. */
export type ContextName = 'lead' | 'whole' | 'headers' | 'sentences';
