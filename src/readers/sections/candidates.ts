/** Finds the texts of the evidence that have the form which a question asks for. */
import type { AskedForm } from '../../language/english/question/asked-form.ts';
import { isWhole } from '../../language/english/values/spans.ts';
import { termOf } from '../../language/english/words/terms.ts';
import type { Candidate, Found, Place } from './candidate.ts';
import { countsIn, datesIn, measuresIn, versionsIn } from './number-candidates.ts';
import { commandsIn, optionsIn, personsIn, valuesIn } from './text-candidates.ts';

/** Returns the candidates of one sentence. What the question says already is none. */
export function candidatesIn(place: Place): Candidate[] {
  const { asked, unit, known } = place;
  const found = FINDERS[asked.form]?.(place) ?? [];
  return found
    .filter(({ text, form, isDefault }) => form > 0 && (isDefault || isNew(text, known)))
    .filter(({ text }) => isWhole(text))
    .map(each => ({ ...each, unit: unit.index }));
}

function isNew(text: string, known: ReadonlySet<string>): boolean {
  const terms = (text.match(/[\p{L}\p{N}.]*[\p{L}\p{N}]/gu) ?? []).map(termOf);
  return terms.length > 0 && !terms.every(term => known.has(term));
}

/** Prices, places, lists and definitions have none: no rule finds them on other documents. */
const FINDERS: Readonly<Partial<Record<AskedForm, (place: Place) => Found[]>>> = {
  duration: measuresIn('time'),
  size: measuresIn('bytes'),
  count: countsIn,
  number: countsIn,
  version: versionsIn,
  date: datesIn,
  person: personsIn,
  command: commandsIn,
  option: optionsIn,
  value: valuesIn,
};
