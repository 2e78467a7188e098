/** Writes a clause of a yes/no question as a claim, for people to compare with its evidence. */

/** "Was there a change" asks whether there was one. */
const EXISTENCE = /^(is|are|was|were|has|have|had) there\b/iu;
/** An auxiliary verb before its subject. Modal verbs have a meaning of their own and stay. */
const AUXILIARY =
  /^(?:[Dd]o(?:es)?|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]a[sd]|[Hh]ave)\s+(?=(?:the|this|that|these|those|both|any|all|each|either|its|his|her|their|it|he|she|they)\b|["“'‘]|\p{Lu})/u;

/** Returns the clause without auxiliary, conjunction and question mark, its first letter large. */
export const claimText = (clause: string): string =>
  clause
    .replace(/[\s?]+$/u, '')
    .replace(/^that\s+/iu, '')
    .replace(EXISTENCE, (_, verb: string) => `there ${verb.toLowerCase()}`)
    .replace(AUXILIARY, '')
    .replace(/^\p{Ll}(?!\p{Lu})/u, letter => letter.toUpperCase());
