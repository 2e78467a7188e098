/**
 * Computes the cost of tokens in whole billionths of a dollar, so that sums do not depend on their
 * order.
 */

/**
 * US dollars per million tokens. Discounts for cached prompts are not modelled: a bill may be
 * lower.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Date of the price list, such as `2026-07`; missing for a price that the user gave. */
  readonly asOf?: string;
}

/** Prices by the provider's name of the model. */
export type PriceTable = Readonly<Record<string, Price>>;

/** Relative tolerance for decimal prices that floats cannot represent exactly. */
const ROUNDING = 1e-12;

/** Returns the cost of the tokens in US dollars, rounded up to a billionth. */
export function usdOf(
  { input, output }: Price,
  tokens: { readonly input: number; readonly output: number },
): number {
  // Tokens times dollars per million are millionths of a dollar; times a thousand, billionths.
  return Math.ceil((tokens.input * input + tokens.output * output) * 1000 * (1 - ROUNDING)) / 1e9;
}

/**
 * Returns the price of the first of `names` that the table lists: as written, else without its
 * provider prefix (`openai-compatible:NAME`, `openai/NAME`). Names match in full only: another
 * version has another price.
 */
export function priceIn(table: PriceTable, names: readonly string[]): Price | undefined {
  for (const name of names)
    for (const form of [
      name,
      name.replace(/^[\w.-]+:/, ''),
      name.replace(/^(?:[\w.-]+:)?.*\//, ''),
    ])
      if (Object.hasOwn(table, form)) return table[form];
  return undefined;
}
