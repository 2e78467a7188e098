/** Answers yes or no by the one sentence that mentions all that the question asks. */
import type { Asked } from './asked-form.ts';
import { Binding } from './binding.ts';
import { defaultValues, speaksOfDefault } from './default-values.ts';
import { denies, deniesInMain, statesState, truthOf } from './polarity.ts';
import {
  coverage,
  type Section,
  type Sections,
  type SectionUnit,
  termWeights,
} from './section-units.ts';
import { type AskedTerm, askedTerms } from './terms.ts';

export interface SectionVerdict {
  readonly yes: boolean;
  readonly unit: number;
  /** From 0 to 1: mean of what the sentence and its section state of the question. */
  readonly share: number;
}

/** Compares two things, of which one sentence tells nothing. */
const COMPARES =
  /\b(?:same|equal|equals|both|identical|differ|different|than|older|newer|larger|smaller|compared|against|versus)\b/iu;
export const comparesThings = (question: string): boolean => COMPARES.test(question);

/** Share of the question's words that sentence and heading, or the section, must hold. */
const BOUND = 0.5;

/** Returns the verdict of the sentence that binds the question best; undefined if none does. */
export function sectionVerdict(asked: Asked, sections: Sections): SectionVerdict | undefined {
  const binding = new Binding(termWeights(askedTerms(asked.subject), sections), sections);
  const deniesAsked = denies(asked.subject);
  let best: SectionVerdict | undefined;
  for (const unit of sections.units) {
    if (unit.kind === 'code' || unit.kind === 'heading' || /\?\s*$/u.test(unit.text)) continue;
    const section = sections.sections[unit.section]!;
    const truth = truthIn(unit, section);
    if (!decides(unit, section, sections)) continue;
    const bound = binding.of(unit);
    if (truth === undefined || deniesAsked === undefined || bound.names === 0) continue;
    const yes = truth.holds !== deniesAsked;
    const own = binding.own(unit);
    // A heading says what a sentence is about, and not that it is so.
    const spoken = yes && !truth.isState ? spokenBy(own, unit) : bound.clause;
    const stated = truth.isState && bound.whole >= BOUND && coverage(own, [section.leaf]) > 0;
    if (spoken < BOUND && !stated) continue;
    const isDefault = speaksOfDefault(unit.text) || !asked.default;
    const parts = [bound.clause, bound.whole, bound.names, section.found];
    const share = mean([...parts, Number(isDefault), Number(truth.isState)]);
    if (best === undefined || share > best.share) best = { yes, unit: unit.index, share };
  }
  return best;
}

/**
 * Returns false for a sentence beside one that states whether its subject is on by default: that
 * one decides, whatever else the section says of the subject.
 */
function decides(unit: SectionUnit, section: Section, { units }: Sections): boolean {
  const states = section.units.filter(at => statesDefault(units[at]!, section));
  return states.length === 0 || states.includes(unit.index);
}

const statesDefault = (unit: SectionUnit, section: Section): boolean =>
  speaksOfDefault(unit.text) && truthIn(unit, section)?.isState === true;

const mean = (parts: readonly number[]): number =>
  parts.reduce((sum, part) => sum + part, 0) / parts.length;

/** Returns the share that the sentence itself holds, by weight or by words, whichever is less. */
function spokenBy(weights: ReadonlyMap<AskedTerm, number>, { terms }: SectionUnit): number {
  const even = new Map([...weights.keys()].map(term => [term, 1]));
  // Half of the words are not enough: one of two may be the subject alone.
  return Math.min(coverage(weights, [terms]), coverage(even, [terms]) - Number.EPSILON);
}

interface Truth {
  readonly holds: boolean;
  /** True for a statement that something is on or off, which may leave its subject to a heading. */
  readonly isState: boolean;
}

/** Returns what a sentence says to be true of its subject; undefined if it does not say. */
function truthIn({ text }: SectionUnit, { heading }: Section): Truth | undefined {
  const value = /^\W*default/iu.test(text) ? defaultValues(text)[0] : undefined;
  if (value === undefined) {
    const denied = deniesInMain(text);
    return denied === undefined ? undefined : { holds: !denied, isState: statesState(text) };
  }
  const truth = truthOf(value.text);
  const setting = (heading.at(-1) ?? '').replace(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const denied = denies(setting);
  if (truth === undefined || denied === undefined) return undefined;
  return { holds: truth !== denied, isState: true };
}
