/** Refuses misspelt values of filters, which no document or every document would pass. */
import type { Filter, Scalar } from '../../core/corpus/filter.ts';
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import type { Call } from '../../core/trace/call.ts';
import type { SearchEngine } from '../engine.ts';
import { textValues, valuesOneByOne } from './all-values.ts';

/** Largest number of values that an error lists. */
const SHOWN = 12;

/**
 * Throws `InputError('unknown-value')`, with the nearest values, for a text of the filter that no
 * document has. For filters that a person wrote: a strategy may read from a question a value that
 * the corpus lacks. Skips numbers and dates. The engine refuses unknown fields.
 */
export async function checkFilterValues(
  filter: Filter,
  engine: SearchEngine,
  call: Call,
): Promise<void> {
  const textsByField = new Map<string, Set<string>>();
  collect(filter, textsByField);
  for (const [field, values] of textsByField) {
    // Texts sort last: a field whose last value is no text has none to misspell.
    const [last] = await engine.values(field, { order: 'descending', limit: 1 }, call);
    if (typeof last?.value !== 'string') continue;
    for (const value of values)
      if (await isAbsent(engine, field, value, last.value, call))
        throw unknownValue(field, value, await textValues(engine, field, call));
  }
}

/**
 * Returns true if the engine names a greater text as the first from `value` on, or a lesser one as
 * the last of all. An empty or short page proves nothing, so that an engine that fails to list
 * values causes no refusal.
 */
async function isAbsent(
  engine: SearchEngine,
  field: string,
  value: string,
  last: string,
  call: Call,
): Promise<boolean> {
  if (last < value) return true;
  const from = value === '' ? { prefix: '' } : { after: { value: value.slice(0, -1) } };
  const request = { ...from, order: 'ascending' } as const;
  for await (const next of valuesOneByOne(engine, field, request, call, 1))
    if (typeof next.value === 'string' && next.value >= value) return next.value > value;
  return false;
}

function collect(filter: Filter, textsByField: Map<string, Set<string>>): void {
  const add = (field: string, values: readonly Scalar[]): void => {
    const texts = values
      .filter(value => typeof value === 'string')
      .filter(value => !DATE.test(value));
    if (texts.length > 0)
      textsByField.set(field, new Set([...(textsByField.get(field) ?? []), ...texts]));
  };
  if (filter.op === 'eq') add(filter.field, [filter.value]);
  else if (filter.op === 'in' || filter.op === 'nin') add(filter.field, filter.values);
  else if (filter.op === 'and' || filter.op === 'or')
    for (const part of filter.filters) collect(part, textsByField);
  else if (filter.op === 'not') collect(filter.filter, textsByField);
}

const DATE = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ]|$)/;

function unknownValue(field: string, value: string, known: readonly string[]): InputError {
  const more = known.length > SHOWN ? ` and ${known.length - SHOWN} more` : '';
  const near = didYouMean(value, known);
  return new InputError('unknown-value', `No document has "${value}" as its ${field}`, {
    expected:
      known.length > 0 ? `one of ${known.slice(0, SHOWN).join(', ')}${more}` : 'an existing value',
    hint: near,
  });
}
