/** Turns laws into tests of node:test. */
import { describe, test } from 'node:test';
import type { Law } from '../../src/testing/law.ts';

export function runLaws(of: string, laws: readonly Law[]): void {
  describe(of, () => {
    for (const law of laws) test(law.name, () => law.run());
  });
}
