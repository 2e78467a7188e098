/** Defines the modes of building and searching an index; results are equal in all of them. */

/** `fast` uses WebAssembly if available, `plain` never does, `auto` is `fast` if it pays off. */
export type SearchMode = 'auto' | 'fast' | 'plain';
