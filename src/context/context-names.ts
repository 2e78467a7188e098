/** Lists the names of contexts, which editors complete; a test holds it equal to the family. */
export const CONTEXT_NAMES = ['lead', 'whole', 'headers', 'sentences'] as const;

export type ContextName = (typeof CONTEXT_NAMES)[number];
