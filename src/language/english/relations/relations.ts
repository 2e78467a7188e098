/**
 * Lists relations as data: the words by which questions ask for them, the kind of their values, and
 * the texts before and after a value that state them.
 *
 * A pattern of `before` ends where the value starts, one of `after` starts where the value ends. A
 * list of names may stand between ("directed by A and B").
 */
import type { Relation } from './relation.ts';
import { LEADING_RELATIONS } from './relations-of-people.ts';
import { VALUE_RELATIONS } from './relations-of-values.ts';

export const RELATIONS: readonly Relation[] = [...LEADING_RELATIONS, ...VALUE_RELATIONS];

/** Relations that are chains of two others, from the question's entity on. */
export const COMPOSED: readonly { readonly asks: RegExp; readonly chain: readonly string[] }[] = [
  { asks: /\bpaternal grandfather\b/iu, chain: ['father', 'father'] },
  { asks: /\bpaternal grandmother\b/iu, chain: ['father', 'mother'] },
  { asks: /\bmaternal grandfather\b/iu, chain: ['mother', 'father'] },
  { asks: /\bmaternal grandmother\b/iu, chain: ['mother', 'mother'] },
  { asks: /\bgrandfather\b/iu, chain: ['father', 'father'] },
  { asks: /\bgrandmother\b/iu, chain: ['father', 'mother'] },
  { asks: /\bgrand(?:child|son|daughter)\b/iu, chain: ['child', 'child'] },
  { asks: /\bfather[- ]in[- ]law\b/iu, chain: ['spouse', 'father'] },
  { asks: /\bmother[- ]in[- ]law\b/iu, chain: ['spouse', 'mother'] },
  { asks: /\b(?:sibling|brother|sister)[- ]in[- ]law\b/iu, chain: ['spouse', 'sibling'] },
  { asks: /\b(?:child|son|daughter)[- ]in[- ]law\b/iu, chain: ['child', 'spouse'] },
  { asks: /\b(?:uncle|aunt)\b/iu, chain: ['father', 'sibling'] },
  { asks: /\bstep[- ]?mother\b/iu, chain: ['father', 'spouse'] },
  { asks: /\bstep[- ]?father\b/iu, chain: ['mother', 'spouse'] },
  { asks: /\bco-?(?:husband|wife)\b/iu, chain: ['spouse', 'spouse'] },
  { asks: /\b(?:nephew|niece)\b/iu, chain: ['sibling', 'child'] },
];
