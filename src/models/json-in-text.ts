/**
 * JSON as language models write it: bare, in a fence, or after some words; never thrown at, never
 * guessed at.
 */

/** The longest text that is looked through; UTF-16 units. */
const LONGEST = 1_000_000;
/**
 * Brackets from which JSON is looked for: prose has some, and each is looked after to the end of
 * the text at most.
 */
const MOST_BRACKETS = 32;
/**
 * Objects and arrays within each other: what is deeper is no answer to anything, and would overflow
 * who walks through it.
 */
const DEEPEST = 64;

/**
 * The first whole JSON object or array of a text, after any think-block; undefined where there is
 * none. Linear in the text's length.
 */
export function jsonIn(text: string): { readonly value: unknown } | undefined {
  for (const value of jsonValuesIn(text)) return { value };
  return undefined;
}

/**
 * The whole JSON objects and arrays of a text, in order, none from inside another, for who knows
 * which one was asked for: prose has brackets too ("as [1] says: {...}"). What stands inside of
 * JSON that is broken is a part of an answer and not the answer; where it is cut off, the search
 * ends.
 */
export function* jsonValuesIn(text: string): Generator<unknown, void, void> {
  const said = withoutThinking(text).slice(0, LONGEST).trim();
  for (let at = 0, brackets = 0; at < said.length && brackets < MOST_BRACKETS; at++) {
    const open = said[at];
    if (open !== '{' && open !== '[') continue;
    brackets++;
    const end = balancedEnd(said, at);
    const meant = BEGINS_JSON.test(said.slice(at, at + 200));
    if (end === undefined && meant) return;
    if (typeof end !== 'number') continue;
    const found = parsed(said.slice(at, end));
    if (found) yield found.value;
    if (found || meant) at = end - 1;
  }
}

/** A bracket that is followed like one of JSON's, and not like one of prose. */
const BEGINS_JSON = /^(?:\{\s*["']|\[\s*(?:["'{[]|-?\d+\s*,))/;

/**
 * A reasoning model's words to itself, which are no answer. One that is not closed is all there is.
 */
export function withoutThinking(text: string): string {
  const closed = text.lastIndexOf('</think>');
  if (closed >= 0) return text.slice(closed + '</think>'.length);
  return /^\s*<think>/.test(text) ? '' : text;
}

/**
 * Without values that would harm who copies them: a key `__proto__` is none that anybody asked for.
 */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlain(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** The depth was bounded before it was parsed. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.hasOwn(value, '__proto__') && Object.values(value).every(isPlain);
}

/**
 * Where the bracket at `from` is closed, strings read as strings; 'deep' where more stand within it
 * than anybody should walk through.
 */
function balancedEnd(text: string, from: number): number | 'deep' | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > DEEPEST) return 'deep';
    } else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
