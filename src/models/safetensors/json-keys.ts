/** Finds a key that an object of a JSON text has twice: `JSON.parse` silently takes the last. */

/** Texts and marks: all that keys can be told by. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** The first key that its object holds twice. `text` is valid JSON. */
export function repeatedKey(text: string): string | undefined {
  const objects: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') objects.push(new Set());
    else if (token === '}' || token === ']') objects.pop();
    else if (token === ':') {
      // Escapes resolved: two spellings of one key are one key.
      const key = JSON.parse(last) as string;
      const keys = objects.at(-1)!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
    last = token;
  }
  return undefined;
}
