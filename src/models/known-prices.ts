/**
 * Lists prices of some models in US dollars per million tokens, as reported by public price lists;
 * the providers' own pages were not consulted.
 *
 * 2026-07: github.com/cuihuan/llm-gateway-bench, data/prices.json of 2026-07-11, where litellm,
 * OpenRouter and models.dev agree. 2026-02:
 * gist.github.com/t3dotgg/a4bb252e590320e223e71c595e60e6be at that date; OpenRouter and Vercel
 * agree on gpt-4o-mini. Prices change: `--price` overrides them, and output that shows a price
 * shows its date.
 */
import type { PriceTable } from './price.ts';

export const KNOWN_PRICES: PriceTable = {
  'gpt-4o': { input: 2.5, output: 10, asOf: '2026-02' },
  'gpt-4o-mini': { input: 0.15, output: 0.6, asOf: '2026-02' },
  'gpt-4.1': { input: 2, output: 8, asOf: '2026-02' },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, asOf: '2026-02' },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, asOf: '2026-02' },
  'claude-haiku-4-5': { input: 1, output: 5, asOf: '2026-07' },
  'claude-sonnet-4-5': { input: 3, output: 15, asOf: '2026-07' },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, asOf: '2026-07' },
};
