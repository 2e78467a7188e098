/**
 * Stores the metadata that S1 boosts by as columns: each distinct value once, and a code per item.
 */
import { BOOSTED_FACTS, type BoostedFact, factOf, type LexicalItems } from './item.ts';

/** `values[codes[item] - 1]` is the item's value; code 0 means that it has none. */
export interface FactColumn {
  readonly fact: BoostedFact;
  readonly values: readonly string[];
  readonly codes: Uint32Array;
}

export function factColumns(items: LexicalItems): FactColumn[] {
  const columns = BOOSTED_FACTS.map(fact => ({
    fact,
    numbers: new Map<string, number>([['', 0]]),
    codes: new Uint32Array(items.length),
  }));
  let at = 0;
  for (const item of items) {
    for (const { fact, numbers, codes } of columns) {
      const value = factOf(item, fact);
      let code = numbers.get(value);
      if (code === undefined) numbers.set(value, (code = numbers.size));
      codes[at] = code;
    }
    at++;
  }
  return columns.map(({ fact, numbers, codes }) => ({
    fact,
    values: [...numbers.keys()].slice(1),
    codes,
  }));
}
