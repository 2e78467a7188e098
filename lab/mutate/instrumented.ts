/** Writes the sources with all drawn mutants in them, each behind a switch. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckoutCopy } from './copy.ts';
import { instrumented, type Mutant } from './mutants.ts';

/** A copy of the checkout in which mutants are switched on by their numbers. */
export interface SwitchedCopy {
  readonly copy: CheckoutCopy;
  /** By key of the mutant. */
  readonly numbers: ReadonlyMap<string, string>;
}

export async function switchedCopy(drawn: readonly Mutant[], from: string): Promise<SwitchedCopy> {
  const copy = new CheckoutCopy(from);
  const { texts, numbers } = await instrumented(drawn, copy.root);
  for (const [path, text] of texts) writeFileSync(join(copy.root, path), text);
  return { copy, numbers };
}
