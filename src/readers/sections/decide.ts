/** Decides for the value whose clause, section and place bind the subject of the question best. */

import { normHotpot } from '../../core/text/normalise.ts';
import type { AskedValue } from '../../language/english/question/asked-form.ts';
import { speaksOfDefault } from '../../language/english/values/default-values.ts';
import { askedTerms } from '../../language/english/words/terms.ts';
import { type SectionModel, sectionLogit } from '../../models/section-reader/section-checkpoint.ts';
import type { Draft } from '../draft.ts';
import { Binding } from './binding.ts';
import type { Candidate, ValueCandidate } from './candidate.ts';
import { candidatesIn } from './candidates.ts';
import type { Sections, SectionUnit } from './section-units.ts';
import { verdictCandidates } from './section-verdict.ts';

/** Returns what may answer a question: texts of its form, or yes and no. */
export const candidatesOf = (asked: AskedValue, sections: Sections): ValueCandidate[] =>
  asked.form === 'verdict' ? verdictCandidates(asked, sections) : valueCandidates(asked, sections);

/** Returns all texts of the form that is asked for, in the order of the evidence. */
function valueCandidates(asked: AskedValue, sections: Sections): ValueCandidate[] {
  const terms = askedTerms(asked.subject);
  const known = new Set(terms.flatMap(({ term, joins }) => [term, ...joins]));
  const binding = new Binding(asked.subject, terms, sections);
  return sections.units.flatMap((unit): ValueCandidate[] => {
    const section = sections.sections[unit.section]!;
    const found = candidatesIn({ asked, unit, section, known });
    if (found.length === 0) return [];
    const bound = binding.of(unit);
    // Another product's answer: the question names one, and the section none of its names.
    if (bound.names === 0) return [];
    return found.map(candidate => ({
      ...candidate,
      features: {
        ...bound,
        form: candidate.form,
        default: statedAsDefault(candidate, unit, asked),
        found: section.found,
        verdict: 0,
      },
    }));
  });
}

/** From 0 to 1: a field "Default: x", a statement of a default, talk of defaults, or neither. */
function statedAsDefault(
  { isDefault }: Candidate,
  { text }: SectionUnit,
  asked: AskedValue,
): number {
  if (isDefault) return /^\W*default/iu.test(text) ? 1 : 0.85;
  if (speaksOfDefault(text)) return 0.7;
  return asked.default ? 0 : 0.4;
}

/** Sentences that a value cites, and values that are named beside it. */
const [MOST_UNITS, MOST_OTHERS] = [2, 3];

/** Returns the value of the greatest share, where those of an equal key count together. */
export function decideValue(
  candidates: readonly ValueCandidate[],
  model: SectionModel,
): Draft | undefined {
  const shares = sectionLogit.shares(
    model,
    candidates.map(({ features }) => features),
  );
  const byText = new Map<string, { share: number; members: number[] }>();
  for (const [at, { text }] of candidates.entries()) {
    const key = normHotpot(text);
    const group = byText.get(key) ?? { share: 0, members: [] };
    group.share += shares[at]!;
    group.members.push(at);
    byText.set(key, group);
  }
  const ranked = [...byText.values()].sort(
    (a, b) => b.share - a.share || a.members[0]! - b.members[0]!,
  );
  const texts = ranked.map(({ share, members }) => {
    const order = members.toSorted((a, b) => shares[b]! - shares[a]! || a - b);
    return { share, order, text: candidates[order[0]!]!.text };
  });
  const [best, ...others] = texts;
  return (
    best && {
      form: 'value',
      text: best.text,
      sentences: [...new Set(best.order.map(at => candidates[at]!.unit))].slice(0, MOST_UNITS),
      share: Math.min(1, best.share),
      others: others.slice(0, MOST_OTHERS).map(({ text, share }) => ({ text, share })),
    }
  );
}
