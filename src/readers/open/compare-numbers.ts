/** Compares things by numbers that stand with their unit or with a word of the question. */

import { hasUnit, unitsCompared } from '../../language/english/values/measures.ts';
import { numberOf } from '../../language/english/values/units.ts';
import { stemsOf } from '../../language/english/words/verb-forms.ts';
import type { Compared } from './compared-things.ts';
import type { OpenReading } from './reading.ts';

/** The outcome of a comparison. */
export interface Comparison {
  /** Index of the winning thing; undefined if the values do not tell. */
  readonly winner: number | undefined;
  /** True if values count that no relation states: the first date in what is said of a thing. */
  readonly loose?: boolean;
  readonly sentences: readonly number[];
}

export const UNKNOWN: Comparison = { winner: undefined, sentences: [] };

const MORE =
  /\b(?:more|most|larger|largest|bigger|biggest|longer|longest|taller|tallest|higher|highest|greater|greatest|deeper|deepest)\b/iu;
const FEWER = /\b(?:fewer|fewest|less|least|smaller|smallest|shorter|shortest|lower|lowest)\b/iu;
/** Characters after a number in which its unit stands. */
const UNIT = 30;

/** Compares the things by numbers that stand before a word of the question: "22 species". */
export function compareNumbers(reading: OpenReading, things: readonly Compared[]): Comparison {
  const { text } = reading.asked;
  const fewer = FEWER.test(text);
  if (!fewer && !MORE.test(text)) return UNKNOWN;
  const units = unitsCompared(text);
  const read = things.map(({ passages }) => {
    for (const index of passages)
      for (const sentence of reading.passages[index]!.sentences)
        for (const mention of sentence.mentions) {
          if (mention.kind !== 'number') continue;
          const measured = units !== undefined && hasUnit(sentence.text, mention, units);
          const unit = stemsOf(sentence.text.slice(mention.end, mention.end + UNIT));
          const value = numberOf(mention.text);
          if (
            value !== undefined &&
            (measured || [...unit].some(stem => reading.unbound.has(stem)))
          )
            return { value, sentence: sentence.index };
        }
    return undefined;
  });
  const known = read.filter(one => one !== undefined);
  if (known.length < things.length) return UNKNOWN;
  return {
    winner: firstOf(known, (a, b) => (fewer ? 1 : -1) * (a.value - b.value)),
    sentences: known.map(({ sentence }) => sentence),
  };
}

/** Returns the index of the thing that comes before all others; undefined if two come first. */
export function firstOf<T>(
  things: readonly T[],
  compare: (a: T, b: T) => number,
): number | undefined {
  const order = [...things.keys()].sort((a, b) => compare(things[a]!, things[b]!));
  return compare(things[order[0]!]!, things[order[1]!]!) === 0 ? undefined : order[0]!;
}
