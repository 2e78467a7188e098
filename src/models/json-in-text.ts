/**
 * Finds JSON in the replies of language models: bare, fenced or after prose. Never throws and never
 * completes broken JSON.
 */
import { parseJson } from '../core/text/bounded-json.ts';
import { withoutThinking } from './thoughts.ts';

/** Characters of a text that are searched; UTF-16 units. */
const MAX_LENGTH = 1_000_000;
/**
 * Maximum number of brackets from which JSON is parsed. Prose has brackets too, and each costs a
 * scan of at most the whole text.
 */
const MAX_BRACKETS = 32;
/**
 * Maximum depth of nesting. Deeper values answer no prompt and would overflow recursive readers.
 */
const MAX_DEPTH = 64;

/**
 * Returns the first complete JSON object or array of a text, after any think-block; undefined if
 * there is none. Takes linear time.
 */
export function jsonIn(text: string): { readonly value: unknown } | undefined {
  for (const value of jsonValuesIn(text)) return { value };
  return undefined;
}

/**
 * Yields the complete top-level JSON objects and arrays of a text, in order. The caller picks the
 * one that it asked for, because prose has brackets too ("as [1] says: {...}"). Values inside
 * broken JSON are parts of an answer and are skipped; truncated JSON ends the search.
 */
export function* jsonValuesIn(text: string): Generator<unknown, void, void> {
  const reply = withoutThinking(text).slice(0, MAX_LENGTH).trim();
  for (let at = 0, brackets = 0; at < reply.length && brackets < MAX_BRACKETS; at++) {
    const open = reply[at];
    if (open !== '{' && open !== '[') continue;
    brackets++;
    const end = balancedEnd(reply, at);
    const likelyJson = BEGINS_JSON.test(reply.slice(at, at + 200));
    if (end === undefined && likelyJson) return;
    if (typeof end !== 'number') continue;
    const json = parsed(reply.slice(at, end));
    if (json) yield json.value;
    if (json || likelyJson) at = end - 1;
  }
}

/** Matches a bracket that begins JSON, not prose. */
const BEGINS_JSON = /^(?:\{\s*["']|\[\s*(?:["'{[]|-?\d+\s*,))/;

/**
 * Parses JSON. Returns undefined if it is invalid or holds a key `__proto__`, which could pollute
 * the object that it is copied into.
 */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = parseJson(text);
    return isPlain(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Checks for `__proto__`; recursion is safe because the depth is bounded before parsing. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.hasOwn(value, '__proto__') && Object.values(value).every(isPlain);
}

/**
 * Returns the index after the bracket that closes the one at `from`, skipping strings; 'deep' if
 * more than MAX_DEPTH levels are nested; undefined if it is not closed.
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
      if (++depth > MAX_DEPTH) return 'deep';
    } else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
