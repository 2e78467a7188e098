/**
 * Explains a score: the contributions that `search` sums, in the same order, so that the value is
 * the same float64.
 */
import type { Explanation } from '../explanation.ts';
import { termText } from './dictionary.ts';
import { frequencyIn, type Inverted } from './inverted.ts';
import type { Boost, WeighedTerm, Weighing } from './scorer.ts';

export function explainItem(
  name: string,
  inverted: Inverted,
  weighing: Weighing,
  terms: readonly WeighedTerm[],
  boosts: readonly Boost[],
  item: number,
): Explanation {
  const parts: Explanation[] = [];
  for (const weighed of terms) {
    const frequency = frequencyIn(inverted, weighed.term, item);
    if (frequency === 0) continue;
    const value = weighing.contribution(weighed.weight, weighed.idf, frequency, item);
    parts.push({
      name: termText(inverted.dictionary, weighed.term),
      value,
      formula: weighing.formula,
      parts: weighing.factors(weighed, frequency, item),
    });
  }
  for (const { column, codes, value } of boosts) {
    const code = column.codes[item]!;
    if (codes[code] === 1)
      parts.push({
        name: `${column.fact} "${column.values[code - 1]!}" stands in the query`,
        value,
      });
  }
  let value = 0;
  for (const part of parts) value += part.value;
  return { name, value, formula: 'sum of the parts, in order', parts };
}
