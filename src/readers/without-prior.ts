/** Names a reader with its abstention and its prior switched off. */
import { parseName, printName } from '../core/naming/name.ts';
import { readers } from './readers.ts';

/** Settings that switch them off, for the parameters that a reader has. */
const OFF = { support: 0, prior: 'off' } as const;

/**
 * Returns the name of the same reader that always answers and reads the evidence alone; the name
 * itself for a reader without such settings. Throws `InputError` for an unknown reader.
 */
export function withoutPrior(reader: string): string {
  const name = parseName(readers.canonical(reader));
  const parameters = readers.members.find(one => one.name === name.name)?.parameters ?? [];
  const changed = parameters.flatMap(({ name: key, type }) => {
    if (!Object.hasOwn(OFF, key)) return [];
    const value = OFF[key as keyof typeof OFF];
    return [{ key, value: type === 'flag' ? false : value }];
  });
  const kept = name.args.filter(({ key }) => !changed.some(other => other.key === key));
  return readers.canonical(printName({ ...name, args: [...kept, ...changed] }));
}
