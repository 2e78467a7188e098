/**
 * Counts the work inside what the language brings: steps of regular expressions, characters that
 * methods of strings look at, elements that methods of arrays move. Counts while `counting` alone.
 */
import assert from 'node:assert/strict';
import { forgetSearches, match } from './regex-machine.ts';

export interface Counts {
  steps: number;
  characters: number;
  elements: number;
  /** Steps by expression, to name the slow one. */
  readonly byExpression: Map<string, number>;
}

let counts: Counts | undefined;

const nativeExec = RegExp.prototype.exec;

function countedExec(this: RegExp, given: string): RegExpExecArray | null {
  const now = counts;
  if (!now) return nativeExec.call(this, given);
  const text = `${given}`;
  const from = this.global || this.sticky ? this.lastIndex : 0;
  const found = nativeExec.call(this, text);
  // The machine's own work does not count.
  counts = undefined;
  try {
    check(now, this, text, from, found);
  } finally {
    counts = now;
  }
  return found;
}

function check(
  now: Counts,
  expression: RegExp,
  text: string,
  from: number,
  found: RegExpExecArray | null,
): void {
  const { bounds, steps } = match(expression, text, from);
  now.steps += steps;
  const name = `/${expression.source}/${expression.flags}`;
  now.byExpression.set(name, (now.byExpression.get(name) ?? 0) + steps);
  // The machine must do what the engine does, or its steps say nothing.
  assert.equal(bounds?.[0], found?.index, `${name} in ${JSON.stringify(text.slice(0, 200))}`);
  if (found) assert.equal(bounds![1], found.index + found[0].length, name);
}

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Cost = (self: { readonly length: number }, given: readonly unknown[], made: unknown) => number;

const whole: Cost = self => self.length;
const made: Cost = (_, __, value) => (value as { readonly length: number }).length;
const searched: Cost = (self, given, value) =>
  (typeof value === 'number' && value >= 0 ? value : self.length) -
  Math.min(Number(given[1] ?? 0), self.length) +
  1;
const nativeIndexOf = String.prototype.indexOf;
const included: Cost = (self, given) =>
  searched(self, given, nativeIndexOf.apply(self as string, given as [string, number?]));
const parts: Cost = (_, __, value) => {
  let sum = 0;
  for (let at = 0; at < (value as string[]).length; at++)
    sum += (value as string[])[at]!.length + 1;
  return sum;
};
const searchedBack: Cost = (self, given, value) =>
  Math.min(Number(given[1] ?? self.length), self.length) - Number(value) + 1;
const sought: Cost = (_, given) => String(given[0]).length;

const OF_STRINGS: Readonly<Record<string, Cost>> = {
  indexOf: searched,
  includes: included,
  lastIndexOf: searchedBack,
  startsWith: sought,
  endsWith: sought,
  localeCompare: sought,
  toLowerCase: whole,
  toUpperCase: whole,
  normalize: whole,
  repeat: made,
  padEnd: made,
  trim: (self, _, value) => self.length - (value as string).length + 1,
  trimEnd: (self, _, value) => self.length - (value as string).length + 1,
  trimStart: (self, _, value) => self.length - (value as string).length + 1,
};
/** These take an expression too, whose steps count by themselves. */
const BY_STRING: Readonly<Record<string, Cost>> = {
  split: parts,
  replace: whole,
  replaceAll: whole,
};
const OF_ARRAYS: Readonly<Record<string, Cost>> = {
  indexOf: whole,
  includes: whole,
  lastIndexOf: whole,
  slice: made,
  splice: whole,
  shift: whole,
  unshift: whole,
  concat: made,
  join: whole,
  reverse: whole,
  sort: whole,
  toReversed: made,
  toSorted: made,
  toSpliced: made,
  with: made,
  flat: made,
  fill: whole,
};

function wrap(
  target: object,
  costs: Readonly<Record<string, Cost>>,
  add: (now: Counts, cost: number) => void,
  byStringAlone = false,
): void {
  for (const [name, cost] of Object.entries(costs)) {
    const native = Reflect.get(target, name) as Method;
    const counted: Method = function (...given) {
      const value = native.apply(this, given);
      if (counts && !(byStringAlone && given[0] instanceof RegExp))
        add(counts, cost(this as string, given, value));
      return value;
    };
    Object.defineProperty(target, name, { value: counted, writable: true, configurable: true });
  }
}

RegExp.prototype.exec = countedExec;
const addCharacters = (now: Counts, cost: number): void => {
  now.characters += cost;
};
const addElements = (now: Counts, cost: number): void => {
  now.elements += cost;
};
wrap(String.prototype, OF_STRINGS, addCharacters);
wrap(String.prototype, BY_STRING, addCharacters, true);
wrap(Array.prototype, OF_ARRAYS, addElements);

const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as { next: Method };
const nativeNext = iterator.next;
iterator.next = function (...given) {
  if (counts) counts.elements++;
  return nativeNext.apply(this, given);
};

/** Counts what happens until the work has ended. */
export async function counting(work: () => unknown): Promise<Counts> {
  const now: Counts = { steps: 0, characters: 0, elements: 0, byExpression: new Map() };
  counts = now;
  try {
    await work();
  } finally {
    counts = undefined;
    forgetSearches();
  }
  return now;
}
