/** Finds the passage that answers how or why: the section that binds the question best. */

import { askedTerms } from '../../language/english/words/terms.ts';
import { Binding } from './binding.ts';
import type { Sections, SectionUnit } from './section-units.ts';

/** Sentences of a passage beside the best one. */
const MOST_UNITS = 3;

/**
 * Returns the best sentence with the code or the next sentences below it, of the section that holds
 * most of the question and was found best; empty if no section holds a word of it.
 */
export function passageOf(subject: string, sections: Sections): number[] {
  const binding = new Binding(askedTerms(subject), sections);
  const scored = sections.units.map(unit => {
    const { clause, whole, names } = binding.of(unit);
    const { found } = sections.sections[unit.section]!;
    return { unit, score: clause + whole === 0 ? 0 : clause + whole + names + found };
  });
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (most, each) => (most === undefined || each.score > most.score ? each : most),
    undefined,
  );
  if (best === undefined || best.score === 0) return [];
  return [best.unit.index, ...below(best.unit, sections)];
}

/** Returns the code that follows in the section, or else the next sentences. */
function below({ index, section }: SectionUnit, { units, sections }: Sections): number[] {
  const next = sections[section]!.units.filter(each => each > index);
  const code = next.filter(each => units[each]!.kind === 'code');
  return (code.length > 0 ? code : next).slice(0, MOST_UNITS - 1);
}
