/** How an index is built and searched. What comes out is the same. */

/** `fast` uses WebAssembly where it can, `plain` never does, `auto` is `fast` where it pays. */
export type SearchMode = 'auto' | 'fast' | 'plain';
