/** Answers each of the questions that one question asks, all or none. */

import { type Asked, askedForm, askedParts } from '../../language/english/question/asked-form.ts';
import type { SectionModel } from '../../models/section-reader/section-checkpoint.ts';
import type { Shared } from '../confidence.ts';
import { decideComparison } from './comparison.ts';
import { decideValue, type ValueDecision, valueCandidates } from './decide.ts';
import type { Sections } from './section-units.ts';
import { comparesThings, sectionVerdict } from './section-verdict.ts';

export interface PartsAnswer {
  /** The answers of the parts, separated by semicolons. */
  readonly text: string;
  readonly units: readonly number[];
  readonly form: 'value' | 'statement';
  /** Product of the shares of the parts, from 0 to 1. */
  readonly share: number;
  /** The next texts of a question of one part, best first. */
  readonly others: readonly Shared[];
}

/** Returns true if the answer follows from two things and not from one sentence. */
export const isCompared = ({ form, subject }: Asked): boolean =>
  form === 'choice' || (form === 'verdict' && comparesThings(subject));

/** Returns undefined if the evidence has no text of the form of one part. */
export function answerParts(
  parts: readonly Asked[],
  sections: Sections,
  model: SectionModel,
): PartsAnswer | undefined {
  if (parts.some(isCompared)) return undefined;
  const found = parts
    .map(part => answerTo(part, sections, model))
    .filter(each => each !== undefined);
  if (found.length === 0 || found.length < parts.length) return undefined;
  const [first, ...more] = found as [ValueDecision, ...ValueDecision[]];
  return {
    text: found.map(({ text }) => text).join('; '),
    units: [...new Set(found.flatMap(({ units }) => units))],
    form: more.length === 0 && parts[0]!.form === 'verdict' ? 'statement' : 'value',
    share: found.reduce((product, { share }) => product * share, 1),
    others: more.length === 0 ? first.others : [],
  };
}

/**
 * Answers a whole question: one that compares by the values of both things, any other part by part.
 * Undefined too if it compares and asks for something else beside.
 */
export function answerQuestion(
  question: string,
  sections: Sections,
  model: SectionModel,
): PartsAnswer | undefined {
  const parts = askedParts(question).map(askedForm);
  if (!parts.some(isCompared)) return answerParts(parts, sections, model);
  if (OTHERS.some(form => parts.some(part => part.form === form))) return undefined;
  const compared = decideComparison(question, sections, model);
  return compared && { ...compared, form: 'value', others: [] };
}
const OTHERS: readonly Asked['form'][] = ['manner'];

function answerTo(
  asked: Asked,
  sections: Sections,
  model: SectionModel,
): ValueDecision | undefined {
  if (asked.form !== 'verdict') return decideValue(valueCandidates(asked, sections), model);
  const verdict = sectionVerdict(asked, sections);
  if (!verdict) return undefined;
  const { yes, unit, share } = verdict;
  return { text: yes ? 'Yes' : 'No', units: [unit], share, others: [] };
}
