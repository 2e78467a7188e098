/**
 * Compares two things by the values that their sections state: each side is read as a question of
 * its own, over the sections about it alone. Nothing follows if a side is missing, or if the values
 * have no common unit.
 */

import { normHotpot } from '../../core/text/normalise.ts';
import type { Asked } from '../../language/asked.ts';
import type { AskedForm } from '../../language/english/question/asked-form.ts';
import {
  type ComparedQuestion,
  comparedQuestion,
  isAbout,
  type Things,
} from '../../language/english/question/compared-sides.ts';
import {
  asVersion,
  compareQuantities,
  type Quantity,
  quantityOf,
  sameQuantity,
} from '../../language/english/values/quantities.ts';
import {
  type AskedTerm,
  askedTerms,
  holdsTerm,
  termsOf,
} from '../../language/english/words/terms.ts';
import type { SectionModel } from '../../models/section-reader/section-checkpoint.ts';
import type { Draft } from '../draft.ts';
import { decideValue, valueCandidates } from './decide.ts';
import type { Section, Sections } from './section-units.ts';

/** Returns undefined if the question compares no two things, or the evidence does not tell. */
export function decideComparison(
  asked: Asked,
  sections: Sections,
  model: SectionModel,
): Draft | undefined {
  const compared = comparedQuestion(asked, thingsIn(sections));
  if (!compared) return undefined;
  const forms = formsOf(compared.asked[0].form);
  const found = forms.flatMap(form => decideBy(form, compared, sections, model) ?? []);
  return found.reduce<Draft | undefined>(
    (best, each) => (best === undefined || each.share > best.share ? each : best),
    undefined,
  );
}

/** A limit is a number, a size or a span of time; the words of the question do not always tell. */
const formsOf = (form: AskedForm): readonly AskedForm[] =>
  form === 'number' || form === 'count' ? [form, 'size', 'duration'] : [form];

function decideBy(
  form: AskedForm,
  compared: ComparedQuestion,
  sections: Sections,
  model: SectionModel,
): Draft | undefined {
  const { things, asked } = compared;
  const attribute = askedTerms(asked[0].noun);
  const counts = form === 'count' || form === 'number';
  const sides = things.map((thing, at) => {
    const other = things[1 - at]!;
    const concerns = ({ place, terms }: Section): boolean =>
      isAbout(place, thing) &&
      !isAbout(place, other) &&
      attribute.some(term => holdsTerm(place, term) || holdsTerm(terms, term));
    const candidates = valueCandidates({ ...asked[at]!, form }, sections).filter(
      ({ unit, text }) =>
        concerns(sections.sections[sections.units[unit]!.section]!) &&
        !(counts && isMeasured(text)),
    );
    return decideValue(candidates, model, valueKey);
  });
  const [first, second] = sides;
  const text = first && second && outcome(compared, first, second);
  if (text === undefined) return undefined;
  return {
    form: 'value',
    text,
    // One sentence of each side.
    sentences: [first!.sentences[0]!, second!.sentences[0]!],
    share: first!.share * second!.share,
    others: [],
  };
}

/** A span of time or a size is no count. */
function isMeasured(text: string): boolean {
  const read = quantityOf(text);
  return read !== undefined && isMeasure(read);
}

/** Equal quantities count together: "2" and "2 retries". */
function valueKey(text: string): string {
  const read = quantityOf(text);
  return read ? `${read.dimension} ${read.parts.join('.')} ${read.word}` : normHotpot(text);
}

/** A thing has sections of its own, but not all: it stands in the path of some, or heads some. */
export function thingsIn({ sections }: Sections): Things {
  const some = (held: (section: Section, term: AskedTerm) => boolean) => (term: AskedTerm) => {
    const holding = sections.filter(section => held(section, term)).length;
    return holding > 0 && holding < sections.length;
  };
  return {
    isProject: some(
      ({ document, place }, term) =>
        holdsTerm(termsOf(document.id.split('/')[0]!), term) ||
        (term.isName && holdsTerm(termsOf(document.title), term) && holdsTerm(place, term)),
    ),
    isSubject: some(({ place }, term) => term.isName && holdsTerm(place, term)),
  };
}

/** Returns yes or no, or the thing that has more or less; undefined if the values do not tell. */
function outcome(
  { things, asked, comparative, isVerdict }: ComparedQuestion,
  first: Draft,
  second: Draft,
): string | undefined {
  const read = asked[0].form === 'version' ? asVersion : quantityOf;
  const [a, b] = alike([read(first.text), read(second.text)]);
  if (!a || !b) return undefined;
  if (comparative === 'same' || comparative === 'different') {
    const same = sameQuantity(a, b);
    return same === undefined ? undefined : same === (comparative === 'same') ? 'Yes' : 'No';
  }
  const order = compareQuantities(a, b);
  if (order === undefined) return undefined;
  const holds = comparative === 'more' ? order > 0 : order < 0;
  if (isVerdict) return holds ? 'Yes' : 'No';
  return order === 0 ? undefined : things[holds ? 0 : 1];
}

/**
 * A bare number beside a measure has no known unit, and they have no order; but zero is the same in
 * any unit.
 */
function alike([a, b]: readonly [Quantity | undefined, Quantity | undefined]): readonly [
  Quantity | undefined,
  Quantity | undefined,
] {
  if (!a || !b || a.dimension === b.dimension) return [a, b];
  const isZero = ({ parts, dimension }: Quantity): boolean =>
    dimension === 'number' && parts[0] === 0;
  if (isZero(a) && isMeasure(b)) return [{ ...a, dimension: b.dimension }, b];
  if (isZero(b) && isMeasure(a)) return [a, { ...b, dimension: a.dimension }];
  return [a, b];
}
const isMeasure = ({ dimension }: Quantity): boolean =>
  dimension === 'time' || dimension === 'bytes';
