/** Parses limits: `hops=3,documents=6,context-tokens=620,ms=2000`. */
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import { type Budget, LIMIT_NAMES, type LimitName } from '../core/trace/usage.ts';

/** Returns the name of a limit on the command line: `context-tokens` for `contextTokens`. */
export function limitOption(name: LimitName): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

const BY_OPTION: ReadonlyMap<string, LimitName> = new Map(
  LIMIT_NAMES.flatMap(name => [[limitOption(name), name] as const, [name, name] as const]),
);
const FRACTIONAL: readonly LimitName[] = ['usd', 'ms'];

/** Parses a budget. Throws `InputError`: `bad-budget`, `unknown-limit`, `bad-limit`. */
export function parseBudget(text: string): Budget {
  const budget: Partial<Record<LimitName, number>> = {};
  for (const part of text.split(',')) {
    const match = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(part);
    if (!match)
      throw new InputError('bad-budget', 'Cannot read the budget', {
        expected: 'limits such as hops=3,documents=6',
        received: `"${part}"`,
      });
    const limit = BY_OPTION.get(match[1]!) ?? unknownLimit(match[1]!);
    if (budget[limit] !== undefined)
      throw new InputError('bad-budget', `The budget limits "${match[1]}" twice`);
    budget[limit] = amount(limit, match[2]!);
  }
  return budget;
}

/** Parses the limits on a model over all questions together. Throws as `parseBudget` does. */
export function parseTotalBudget(text: string): Budget {
  const budget = parseBudget(text);
  const other = (Object.keys(budget) as LimitName[]).find(
    name => name !== 'modelCalls' && name !== 'modelTokens' && name !== 'usd',
  );
  if (other === undefined) return budget;
  throw new InputError('unknown-limit', `A total budget does not limit "${limitOption(other)}"`, {
    expected: 'model-calls, model-tokens or usd',
    hint: '--budget limits each question.',
  });
}

function unknownLimit(name: string): never {
  const names = LIMIT_NAMES.map(limitOption);
  const near = didYouMean(name, names);
  throw new InputError('unknown-limit', `Unknown limit "${name}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: near,
  });
}

function amount(limit: LimitName, text: string): number {
  const whole = !FRACTIONAL.includes(limit);
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && Number.isFinite(value) && (!whole || Number.isInteger(value)))
    return value;
  throw new InputError('bad-limit', `The limit "${limitOption(limit)}"`, {
    expected: `a ${whole ? 'whole ' : ''}number of at least 0`,
    received: `"${text}"`,
  });
}
