/** Types of the texts that name members, for editors and compilers. */

/** A name of a family, with settings or without: `'lexical'`, `'lexical(s1)'`. */
export type Spec<N extends string> = N | `${N}(${string})`;

/**
 * Offers the names of a family to editors, and takes any text: names are often known only at run
 * time, and the families say which one was meant.
 */
export type SomeSpec<N extends string> = Spec<N> | (string & {});
