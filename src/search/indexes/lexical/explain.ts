/**
 * Explains a score: the contributions that `search` sums, in the same order, so that the value is
 * the same float64.
 */
import { shownTerm } from '../../../core/text/identifiers.ts';
import type { Explanation } from '../explanation.ts';
import { termText } from './dictionary.ts';
import { frequencyIn } from './inverted.ts';
import type { Boost, WeighedTerm, Weighing } from './scorer.ts';
import type { SegmentView } from './segment-view.ts';

export interface ExplainedQuery {
  readonly terms: readonly WeighedTerm[];
  readonly boosts: readonly Boost[];
  /** Returns the number of items of the collection that hold a term of the segment. */
  readonly frequencyOf: (term: number) => number;
}

export function explainItem(
  name: string,
  view: SegmentView,
  weighing: Weighing,
  { terms, boosts, frequencyOf }: ExplainedQuery,
  item: number,
): Explanation {
  const { inverted } = view.segment;
  const norm = weighing.norms(view)(item);
  const parts: Explanation[] = [];
  for (const weighed of terms) {
    const { term, weight, idf } = weighed;
    const frequency = frequencyIn(inverted, term, item);
    if (frequency === 0) continue;
    const documentFrequency = frequencyOf(term);
    parts.push({
      name: shownTerm(termText(inverted.dictionary, term)),
      value: weighing.contribution(weight, idf, frequency, norm),
      formula: weighing.formula(weight),
      parts: weighing.factors({ ...weighed, documentFrequency }, frequency, item, view),
    });
  }
  for (const { column, codes, value } of boosts) {
    const code = column.codes[item]!;
    if (codes[code] === 1)
      parts.push({
        name: `${column.fact} "${column.values[code - 1]!}" occurs in the query`,
        value,
      });
  }
  let value = 0;
  for (const part of parts) value += part.value;
  return { name, value, formula: 'sum of the parts, in order', parts };
}
