/** Finds sentences that say yes or no to what a question asks. */
import type { AskedValue } from '../../language/english/question/asked-form.ts';
import { defaultValues, speaksOfDefault } from '../../language/english/values/default-values.ts';
import {
  deniedWords,
  denies,
  statesState,
  truthOf,
} from '../../language/english/values/polarity.ts';
import {
  type AskedTerm,
  askedTerms,
  holdsTerm,
  termsOf,
} from '../../language/english/words/terms.ts';
import { Binding, coverage } from './binding.ts';
import { CLEAR, LIKELY, type ValueCandidate } from './candidate.ts';
import type { Section, Sections, SectionUnit } from './section-units.ts';

/** Share of the question's words that sentence and heading must hold. */
const BOUND = 0.5;

/** A state that is asked about is no part of its subject: "is compression enabled?". */
const ASKED_STATE =
  /\b(?:enabled|disabled|inactive|active|(?:turned|switched) (?:on|off)|(?:on|off)(?=\W*$))\b/giu;

/** Returns yes or no of each sentence that says what the question asks. */
export function verdictCandidates(asked: AskedValue, sections: Sections): ValueCandidate[] {
  const { subject } = asked;
  const stateless = subject.replace(ASKED_STATE, ' ');
  const bare = askedTerms(stateless);
  const binding = new Binding(subject, bare.length > 0 ? bare : askedTerms(subject), sections);
  const deniesAsked = denies(subject);
  // "without" denies what stands behind it, and not what is asked.
  if (deniesAsked === undefined || /\bwithout\b/iu.test(subject)) return [];
  return sections.units.flatMap((unit): ValueCandidate[] => {
    if (unit.kind === 'code' || unit.kind === 'heading' || /\?\s*$/u.test(unit.text)) return [];
    const section = sections.sections[unit.section]!;
    const truth = truthIn(unit, section);
    const sought = binding.askedOf(unit);
    if (truth === undefined || !decides(unit, section, sections, sought)) return [];
    const bound = binding.of(unit);
    if (bound.names < 1) return [];
    // A state alone tells whether something is enabled, whatever else a sentence says of it.
    if (stateless !== subject && !truth.isState) return [];
    if (truth.isField && !namesSetting(section, subject)) return [];
    if (!truth.holds && !truth.isState && !deniesAny(unit, sought)) return [];
    const yes = truth.holds !== deniesAsked;
    // A sentence that says what can be done tells nothing of what is done unasked.
    if ((yes || truth.isState) && asked.default && !speaksOfDefault(unit.text)) return [];
    // A heading says what a sentence is about, and not that it is so.
    const spoken = spokenBy(
      sought,
      yes && !truth.isState ? [unit.terms] : [unit.terms, section.leaf],
    );
    const stated = truth.isState && bound.whole >= BOUND && namesSetting(section, subject);
    if (spoken < BOUND && !stated) return [];
    const features = {
      ...bound,
      form: truth.isState ? CLEAR : LIKELY,
      default: Number(speaksOfDefault(unit.text) || !asked.default),
      found: section.found,
      verdict: 1,
    };
    const text = yes ? 'Yes' : 'No';
    return [{ text, unit: unit.index, start: 0, form: features.form, isDefault: false, features }];
  });
}

/**
 * Returns true if the question names the whole setting: whether `cookieHttpOnly` is on tells
 * nothing of what else is asked about a cookie.
 */
function namesSetting({ leaf, place }: Section, subject: string): boolean {
  const said = termsOf(subject);
  const joined = askedTerms(subject).flatMap(({ joins }) => joins);
  const parts = [...leaf].filter(
    term => ![...leaf].some(part => part !== term && term.includes(part)),
  );
  return place.size > 0 && parts.every(term => said.has(term) || joined.includes(term));
}

/** Returns true if a denial stands before a word of the question: what it denies is asked. */
const deniesAny = ({ text }: SectionUnit, sought: ReadonlyMap<AskedTerm, number>): boolean => {
  const denied = termsOf(deniedWords(text));
  return [...sought.keys()].some(term => holdsTerm(denied, term));
};

/**
 * Returns false for a sentence beside one that states whether its subject is on by default: that
 * one decides, whatever else the section says of the subject, unless another states that it is on
 * or off and says more of the question: "enabled by default in development; off in production".
 */
function decides(
  unit: SectionUnit,
  section: Section,
  { units }: Sections,
  sought: ReadonlyMap<AskedTerm, number>,
): boolean {
  const states = section.units.filter(at => statesDefault(units[at]!, section));
  if (states.length === 0 || states.includes(unit.index)) return true;
  const said = ({ terms }: SectionUnit): number => coverage(sought, [terms]);
  return (
    truthIn(unit, section)?.isState === true && states.every(at => said(units[at]!) < said(unit))
  );
}

const statesDefault = (unit: SectionUnit, section: Section): boolean =>
  speaksOfDefault(unit.text) && truthIn(unit, section)?.isState === true;

/** Returns the share of words that the sets hold, by weight or by number, whichever is less. */
function spokenBy(
  weights: ReadonlyMap<AskedTerm, number>,
  sets: readonly ReadonlySet<string>[],
): number {
  const even = new Map([...weights.keys()].map(term => [term, 1]));
  // Half of the words are not enough: one of two may be the subject alone.
  return Math.min(coverage(weights, sets), coverage(even, sets) - Number.EPSILON);
}

interface Truth {
  readonly holds: boolean;
  /** True for a statement that something is on or off, which may leave its subject to a heading. */
  readonly isState: boolean;
  /** True for a field "Default: x", whose subject is the name of the setting above it. */
  readonly isField: boolean;
}

/** Returns what a sentence says to be true of its subject; undefined if it does not say. */
function truthIn({ text, said }: SectionUnit, { heading }: Section): Truth | undefined {
  const value = /^\W*default/iu.test(text) ? defaultValues(text)[0] : undefined;
  if (value === undefined) {
    const { denied } = said;
    return denied === undefined
      ? undefined
      : { holds: !denied, isState: statesState(text), isField: false };
  }
  const truth = truthOf(value.text);
  const setting = (heading.at(-1) ?? '').replace(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const denied = denies(setting);
  if (truth === undefined || denied === undefined) return undefined;
  return { holds: truth !== denied, isState: true, isField: true };
}
