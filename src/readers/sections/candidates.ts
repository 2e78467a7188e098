/** Finds the texts of the evidence that have the form which a question asks for. */
import type { ValueForm } from '../../language/english/question/asked-form.ts';
import { termOf } from '../../language/english/words/terms.ts';
import type { Candidate, Found, Place } from './candidate.ts';
import { countsIn, datesIn, measuresIn, pricesIn, versionsIn } from './number-candidates.ts';
import { byColumn } from './table-cells.ts';
import {
  commandsIn,
  definitionsIn,
  listsIn,
  optionsIn,
  personsIn,
  placesIn,
  valuesIn,
} from './text-candidates.ts';

/** Returns the candidates of one sentence. What the question says already is none. */
export function candidatesIn(place: Place): Candidate[] {
  const { asked, unit, known } = place;
  const found = FINDERS[asked.form as ValueForm]?.(place) ?? [];
  return byColumn(found, place)
    .filter(({ text, form, isDefault }) => form > 0 && (isDefault || isNew(text, known)))
    .map(each => ({ ...each, unit: unit.index }));
}

function isNew(text: string, known: ReadonlySet<string>): boolean {
  const terms = (text.match(/[\p{L}\p{N}.]*[\p{L}\p{N}]/gu) ?? []).map(termOf);
  return terms.length > 0 && !terms.every(term => known.has(term));
}

const FINDERS: Readonly<Record<ValueForm, (place: Place) => Found[]>> = {
  duration: measuresIn('time'),
  size: measuresIn('bytes'),
  count: countsIn,
  number: countsIn,
  price: pricesIn,
  version: versionsIn,
  date: datesIn,
  person: personsIn,
  place: placesIn,
  command: commandsIn,
  option: optionsIn,
  definition: definitionsIn,
  list: listsIn,
  value: valuesIn,
};
