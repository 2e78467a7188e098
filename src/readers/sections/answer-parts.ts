/** Answers each of the questions that one question asks, all or none. */

import type { Asked } from '../../language/asked.ts';
import type { AskedValue } from '../../language/english/question/asked-form.ts';
import type { SectionModel } from '../../models/section-reader/section-checkpoint.ts';
import type { Draft } from '../draft.ts';
import { decideComparison } from './comparison.ts';
import { decideValue, valueCandidates } from './decide.ts';
import type { Sections } from './section-units.ts';
import { comparesThings, sectionVerdict } from './section-verdict.ts';

/** Returns true if the answer follows from two things and not from one sentence. */
export const isCompared = ({ form, subject }: AskedValue): boolean =>
  form === 'choice' || (form === 'verdict' && comparesThings(subject));

/** Returns undefined if the evidence has no text of the form of one part. */
function answerParts(
  parts: readonly AskedValue[],
  sections: Sections,
  model: SectionModel,
): Draft | undefined {
  const found = parts.flatMap(part => answerTo(part, sections, model) ?? []);
  const [first, ...more] = found;
  if (!first || found.length < parts.length) return undefined;
  if (more.length === 0) return first;
  return {
    form: 'value',
    text: found.map(({ text }) => text).join('; '),
    sentences: [...new Set(found.flatMap(({ sentences }) => sentences))],
    share: found.reduce((product, { share }) => product * share, 1),
    others: [],
  };
}

/**
 * Answers a whole question: one that compares by the values of both things, any other part by part.
 * Undefined if it compares and asks how or why beside.
 */
export function answerQuestion(
  asked: Asked,
  sections: Sections,
  model: SectionModel,
): Draft | undefined {
  const parts = asked.values;
  if (!parts.some(isCompared)) return answerParts(parts, sections, model);
  return parts.some(({ form }) => form === 'manner')
    ? undefined
    : decideComparison(asked, sections, model);
}

function answerTo(asked: AskedValue, sections: Sections, model: SectionModel): Draft | undefined {
  if (asked.form !== 'verdict') return decideValue(valueCandidates(asked, sections), model);
  const verdict = sectionVerdict(asked, sections);
  return (
    verdict && {
      form: 'statement',
      text: verdict.yes ? 'Yes' : 'No',
      sentences: [verdict.unit],
      share: verdict.share,
      others: [],
    }
  );
}
