/** JSON.parse whose error says file, line and column, the same on every engine. */
import { InputError } from '../../core/errors.ts';

/**
 * Parses JSON. Throws `InputError('bad-json')` naming `path`, line and column; `line` is that of
 * the text's first character in the file.
 */
export function parseJson(text: string, path: string, line = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = jsonErrorOffset(text);
    const before = text.slice(0, at);
    const lastBreak = before.lastIndexOf('\n');
    const place = `line ${line + (before.match(/\n/g)?.length ?? 0)}, column ${at - lastBreak}`;
    const received = at >= text.length ? 'the end' : JSON.stringify(text.slice(at, at + 20));
    throw new InputError('bad-json', `${JSON.stringify(path)} is not valid JSON at ${place}`, {
      received,
      cause,
    });
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * UTF-16 offset of the first token that no JSON text could have here; the length where more should
 * come. Iterative: depth does not matter.
 */
export function jsonErrorOffset(text: string): number {
  const scanner = new Scanner(text);
  while (scanner.value() && scanner.goesOn());
  return scanner.at;
}

class Scanner {
  at = 0;
  private readonly open: ('{' | '[')[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Reads a scalar, an empty list or object, or the beginning of a full one down to its first
   * scalar.
   */
  value(): boolean {
    for (;;) {
      this.skip(SPACE);
      const first = this.text[this.at];
      if (first === '"') return this.string();
      if (first !== '{' && first !== '[') return this.skip(WORD) || this.skip(NUMBER);
      this.at++;
      this.skip(SPACE);
      if (this.eat(first === '{' ? '}' : ']')) return true;
      this.open.push(first);
      if (first === '{' && !this.key()) return false;
    }
  }

  /**
   * After a value: closes what ends here. True when a comma, and in objects a key, says that
   * another value comes.
   */
  goesOn(): boolean {
    for (;;) {
      this.skip(SPACE);
      const inside = this.open.at(-1);
      if (inside === undefined) return false;
      if (this.eat(',')) return inside === '[' || this.key();
      if (!this.eat(inside === '{' ? '}' : ']')) return false;
      this.open.pop();
    }
  }

  private key(): boolean {
    this.skip(SPACE);
    if (!this.string()) return false;
    this.skip(SPACE);
    return this.eat(':');
  }

  private string(): boolean {
    if (!this.eat('"')) return false;
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      if (this.text[this.at] === '\\') {
        if (!this.skip(ESCAPE)) return false;
      } else if (this.text.charCodeAt(this.at) < 0x20) return false;
      else this.at++;
    }
    return this.eat('"');
  }

  private eat(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found !== null;
  }
}
