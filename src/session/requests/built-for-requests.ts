/**
 * Decides what is built over all documents because a request names it: the indexes of default
 * settings. Others would cost time and memory for each setting.
 */
import { InputError } from '../../core/errors.ts';
import type { Family } from '../../core/naming/family.ts';
import { parseName, printValue } from '../../core/naming/name.ts';

/** Throws `InputError('setting-not-allowed')` for a setting that chooses what is built. */
export function checkSettings(family: Family<unknown>, given: string | undefined): void {
  if (given === undefined) return;
  const { name, args } = parseName(family.canonical(given));
  const { parameters = [] } = family.members.find(member => member.name === name)!;
  // A canonical name leaves out what is at its default.
  for (const { key, value } of args) {
    const parameter = parameters.find(one => one.builds && one.name === key);
    if (!parameter) continue;
    throw new InputError('setting-not-allowed', `A request does not set "${key}" of "${name}"`, {
      expected: `its default, ${printValue(parameter.default)}`,
      received: printValue(value),
      hint: 'It chooses a graph of all documents: set it on the command line or in a program.',
    });
  }
}
