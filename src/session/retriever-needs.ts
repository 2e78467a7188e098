/** Reads the needs of members from their names. */
import { InputError } from '../core/errors.ts';
import type { Need } from '../core/port.ts';
import { retrievers } from '../search/retrievers.ts';
import { strategies } from '../strategies/strategies.ts';

/** Returns what the named retrievers need. Throws `InputError` for an unknown name. */
export const retrieverNeeds = (names: readonly string[]): Need[] =>
  names.flatMap(name => retrievers.create(name).needs ?? []);

/**
 * Returns what the named strategies need. A text is a name or a row, `strategy=NAME; ...`; a text
 * that names no strategy needs nothing, and whoever runs it refuses it.
 */
export const strategyNeeds = (texts: readonly string[]): Need[] =>
  texts.flatMap(text => {
    const name = /(?:^|;)\s*strategy=([^;]*)/.exec(text)?.[1] ?? text;
    try {
      return strategies.create(name.trim()).needs ?? [];
    } catch (error) {
      if (InputError.is(error)) return [];
      throw error;
    }
  });
