/**
 * Lists relations as data: the words by which questions ask for them, the kind of their values, and
 * the texts before and after a value that state them.
 *
 * A pattern of `before` ends where the value starts, one of `after` starts where the value ends. A
 * list of names may stand between ("directed by A and B").
 */
import { KINSHIP } from './kinship.ts';
import type { Relation } from './relation.ts';
import { LEADING_RELATIONS } from './relations-of-people.ts';
import { VALUE_RELATIONS } from './relations-of-values.ts';

export const RELATIONS: readonly Relation[] = [...LEADING_RELATIONS, ...VALUE_RELATIONS];

/** The relation that a noun of kinship means. */
const RELATION_OF: Readonly<Record<string, string>> = {
  parent: 'father',
  husband: 'spouse',
  wife: 'spouse',
  brother: 'sibling',
  sister: 'sibling',
  son: 'child',
  daughter: 'child',
};

/** Relations that are chains of two others, from the question's entity on. */
export const COMPOSED: readonly { readonly asks: RegExp; readonly chain: readonly string[] }[] =
  Object.entries(KINSHIP).map(([word, steps]) => {
    const spellings = word.replace(/^step/, 'step[- ]?').replace(/^co-/, 'co-?');
    return {
      asks: new RegExp(String.raw`\b${spellings.replaceAll(/-(?=in|law)/g, '[- ]')}\b`, 'iu'),
      chain: steps.map(noun => RELATION_OF[noun] ?? noun),
    };
  });
