/**
 * Lists the mutants that no test can kill, by the first digits of their keys, and why. They count
 * as survivors in the first score that is printed, and not at all in the second.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {};

/** Digits of a key that name a mutant in reports. */
export const KEY_DIGITS = 10;
