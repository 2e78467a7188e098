/** Tells which measures this version has, so that a report can leave out steps of others. */
import { InputError } from '../../src/core/errors.ts';
import { measure } from '../../src/evaluation/measures.ts';

export function isMeasure(name: string): boolean {
  try {
    measure(name);
    return true;
  } catch (error) {
    if (InputError.is(error)) return false;
    throw error;
  }
}
