/** Declares families of named members, parses their canonical names and suggests near ones. */
export {
  defaultsOf,
  type Family,
  family,
  type Member,
  member,
  type Parameter,
  type Settings,
  type SettingsOf,
  type ValueOf,
} from './family.ts';
export { type Argument, type Name, parseName, printName, printValue, type Value } from './name.ts';
export { didYouMean, editDistance, nearest } from './nearest.ts';
