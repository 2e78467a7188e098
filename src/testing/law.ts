/**
 * Defines laws: named checks without a test runner, whose errors state the expected and the
 * received value.
 */
import { InputError } from '../core/errors.ts';

export interface Law {
  readonly name: string;
  /**
   * Resolves if the law holds; otherwise rejects with a `LawBroken`, or with the error of the
   * checked value.
   */
  run(): Promise<void>;
}

/**
 * Signals that a law does not hold. The message names the law, the expected and the received value.
 */
export class LawBroken extends Error {
  readonly expected: string;
  readonly received: string;

  constructor(what: string, expected: unknown, received: unknown) {
    const [expectedText, got] = [shown(expected), shown(received)];
    super(`${what}: expected ${expectedText}, received ${got}`);
    this.name = 'LawBroken';
    this.expected = expectedText;
    this.received = got;
  }
}

/** Creates a law whose errors begin with its name. */
export function law(name: string, run: () => Promise<void> | void): Law {
  return {
    name,
    async run() {
      try {
        await run();
      } catch (error) {
        if (error instanceof LawBroken) error.message = `${name}: ${error.message}`;
        throw error;
      }
    },
  };
}

/** Throws `LawBroken` unless the condition holds. `expected` is a phrase, `received` a value. */
export function holds(
  condition: boolean,
  what: string,
  expected: string,
  received: unknown,
): asserts condition {
  if (!condition) throw new LawBroken(what, new Words(expected), received);
}

/**
 * Throws `LawBroken` that shows the first difference unless both values have the same JSON (object
 * keys in any order; undefined counts as missing).
 */
export function same(received: unknown, expected: unknown, what: string): void {
  // Most values agree in the order of their keys as well, and plain JSON costs far less.
  if (JSON.stringify(received) === JSON.stringify(expected)) return;
  if (canonicalJson(received) === canonicalJson(expected)) return;
  const { path, left, right } = firstDifference(expected, received, '');
  throw new LawBroken(path === '' ? what : `${what}, at ${path}`, left, right);
}

interface Difference {
  /** `hops[1].searches[0].text`; empty if the values differ as wholes. */
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Returns the first part in which two values of different JSON differ. */
function firstDifference(left: unknown, right: unknown, path: string): Difference {
  const [a, b] = [partsOf(left), partsOf(right)];
  if (!a || !b || Array.isArray(left) !== Array.isArray(right)) return { path, left, right };
  const key = [...new Set([...Object.keys(a), ...Object.keys(b)])].find(
    name => canonicalJson(a[name]) !== canonicalJson(b[name]),
  );
  if (key === undefined) return { path, left, right };
  const dot = path === '' ? '' : '.';
  const next = Array.isArray(left) ? `${path}[${key}]` : `${path}${dot}${key}`;
  return firstDifference(a[key], b[key], next);
}

const partsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;

/** Throws `LawBroken` unless the work throws an error that `fits`. */
export async function throws(
  work: () => Promise<unknown> | unknown,
  fits: (error: unknown) => boolean,
  what: string,
  expected: string,
): Promise<void> {
  let received: unknown = new Words('no error');
  try {
    await work();
  } catch (error) {
    if (fits(error)) return;
    received = error;
  }
  throw new LawBroken(what, new Words(expected), received);
}

/** Returns a test for an `InputError`, of any code if none is given. */
export const isInput =
  (code?: string) =>
  (error: unknown): boolean =>
    InputError.is(error) && (code === undefined || error.code === code);

class Words {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function shown(value: unknown): string {
  if (value instanceof Words) return value.text;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= 400 ? json : `${json.slice(0, 400)}...`;
}

/** Returns JSON with sorted keys, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'undefined'
  );
}
