/**
 * Stores the metadata that S1 boosts by as columns: each distinct value once, and a code per item.
 */
import { BOOSTED_FACTS, type BoostedFact, factOf, type LexicalItem } from './item.ts';

/** `values[codes[item] - 1]` is the item's value; code 0 means that it has none. */
export interface FactColumn {
  readonly fact: BoostedFact;
  readonly values: readonly string[];
  readonly codes: Uint32Array;
}

export function factColumns(items: readonly LexicalItem[]): FactColumn[] {
  return BOOSTED_FACTS.map(fact => {
    const numbers = new Map<string, number>([['', 0]]);
    const codes = new Uint32Array(items.length);
    for (let item = 0; item < items.length; item++) {
      const value = factOf(items[item]!, fact);
      let code = numbers.get(value);
      if (code === undefined) numbers.set(value, (code = numbers.size));
      codes[item] = code;
    }
    return { fact, values: [...numbers.keys()].slice(1), codes };
  });
}
