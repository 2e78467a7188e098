/** Parses JSON of others, whose nesting is bounded: what walks the value may call itself. */

/** Deepest nesting of lists and objects; ours stay below 20. */
export const MAX_NESTING = 200;

/** Returns `JSON.parse(text)`. Throws `SyntaxError`, also for deeper nesting than `MAX_NESTING`. */
export function parseJson(text: string): unknown {
  if (nestsDeeper(text, MAX_NESTING))
    throw new SyntaxError(`JSON that is nested deeper than ${MAX_NESTING} levels`);
  return JSON.parse(text);
}

/** Reads strings and brackets alone, once. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isString) {
      if (character === BACKSLASH) at++;
      else if (character === QUOTE) isString = false;
    } else if (character === QUOTE) isString = true;
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      if (++depth > most) return true;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  ...['"', '\\', '[', ']', '{', '}'],
].map(character => character.charCodeAt(0));
