/** Thoughts that a rule copies from search results, and their records in a trace. */

import type { ModelOutput } from '../core/trace/trace.ts';

/** Role of a thought that was copied. */
export const EXTRACTED = 'extracted';

/** Returns the note of a trace whose thoughts come from no model. */
export const withoutModel = (lost: string): ModelOutput => ({
  role: 'degraded',
  text: `Without a language model: each thought is a sentence copied from search results. Missing: ${lost}.`,
  parsed: true,
});
