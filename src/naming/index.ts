/**
 * Canonical names and the families that they are names in: for a family of one's own, and for who
 * reads names.
 */
export { type Family, family, type Member, type Parameter, type Settings } from './family.ts';
export { type Argument, type Name, parseName, printName, printValue, type Value } from './name.ts';
export { didYouMean, editDistance, nearest } from './nearest.ts';
