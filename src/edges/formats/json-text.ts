/** JSON.parse whose error says file, line and column, the same on every engine. */
import { InputError } from '../../errors.ts';

/** Parses JSON. Throws `InputError('bad-json')` naming `path`, line and column; `line` is that of the text's first character in the file. */
export function parseJson(text: string, path: string, line = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = jsonErrorOffset(text);
    const before = text.slice(0, at);
    const lastBreak = before.lastIndexOf('\n');
    const place = `line ${line + (before.match(/\n/g)?.length ?? 0)}, column ${at - lastBreak}`;
    const received = at >= text.length ? 'the end' : JSON.stringify(text.slice(at, at + 20));
    throw new InputError('bad-json', `${JSON.stringify(path)} is not valid JSON at ${place}`, { received, cause });
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/** UTF-16 offset of the first character that no JSON text could have here; the length where more should come. Iterative: depth does not matter. */
export function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const string = (): boolean => {
    if (text[at] !== '"') return false;
    at++;
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '\\') {
        if (!skip(ESCAPE)) return false;
      } else if (text.charCodeAt(at) < 0x20) return false;
      else at++;
    }
    return text[at] === '"' && ++at > 0;
  };
  const key = (): boolean => {
    skip(SPACE);
    if (!string()) return false;
    skip(SPACE);
    return text[at] === ':' && ++at > 0;
  };
  for (;;) {
    // a value
    skip(SPACE);
    const first = text[at];
    if (first === '{' || first === '[') {
      at++;
      skip(SPACE);
      if (text[at] !== (first === '{' ? '}' : ']')) {
        open.push(first);
        if (first === '{' && !key()) return at;
        continue;
      }
      at++;
    } else if (first === '"' ? !string() : !(skip(WORD) || skip(NUMBER))) return at;
    // what may follow a value
    for (;;) {
      skip(SPACE);
      const inside = open.at(-1);
      if (inside === undefined) return at;
      if (text[at] === ',') {
        at++;
        if (inside === '{' && !key()) return at;
        break;
      }
      if (text[at] !== (inside === '{' ? '}' : ']')) return at;
      at++;
      open.pop();
    }
  }
}
