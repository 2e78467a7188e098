/**
 * Parses and prints canonical names. Code, command line, traces and reports name a member alike.
 *
 *     name     := word [ '(' [ argument { ',' argument } ] ')' ]
 *     argument := [ word '=' ] value
 *     value    := number | true | false | "quoted text" | name
 *
 * Names nest: `fused(lexical, dense(bge-small-en-v1.5))`.
 */
import { InputError } from '../errors.ts';

export type Value = string | number | boolean | Name;
export interface Argument {
  readonly key?: string;
  readonly value: Value;
}
export interface Name {
  readonly name: string;
  readonly args: readonly Argument[];
}

const MAX_LENGTH = 2000;
const MAX_DEPTH = 12;

/** Reads a name. Throws `InputError('bad-name')` that says where reading stopped. */
export function parseName(text: string): Name {
  if (text.length > MAX_LENGTH)
    throw new InputError('bad-name', 'The name is too long', {
      expected: `at most ${MAX_LENGTH} characters`,
      received: `${text.length}`,
    });
  const reader = new NameReader(text);
  const name = reader.name(0);
  reader.end();
  return name;
}

class NameReader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  name(depth: number): Name {
    if (depth > MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} names inside each other`);
    const word = this.word();
    const args: Argument[] = [];
    if (this.eat('(')) {
      while (!this.eat(')')) {
        args.push(this.argument(depth));
        if (!this.eat(',') && !this.peek(')')) this.fail("',' or ')'");
      }
    }
    return { name: word, args };
  }

  end(): void {
    this.space();
    if (this.at < this.text.length) this.fail('the end of the name');
  }

  private argument(depth: number): Argument {
    const key = /^\s*([A-Za-z][\w-]*)\s*=/.exec(this.text.slice(this.at));
    if (key) this.at += key[0].length;
    const value = this.value(depth);
    return key ? { key: key[1]!, value } : { value };
  }

  private value(depth: number): Value {
    this.space();
    const rest = this.text.slice(this.at);
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest);
    if (quoted) {
      this.at += quoted[0].length;
      return quoted[1]!.replace(/\\(.)/g, '$1');
    }
    const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?=\s*[,)]|\s*$)/.exec(rest);
    if (number) {
      this.at += number[0].length;
      return Number(number[0]);
    }
    const name = this.name(depth + 1);
    if (name.args.length === 0 && (name.name === 'true' || name.name === 'false'))
      return name.name === 'true';
    return name;
  }

  private word(): string {
    this.space();
    // Words allow the characters of model names: letters, digits, and . _ - / : @ |
    const match = /^[\p{L}\p{N}_][\p{L}\p{N}_.\-/:@|]*/u.exec(this.text.slice(this.at));
    if (!match) this.fail('a name');
    this.at += match[0].length;
    return match[0];
  }

  private space(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at]!)) this.at++;
  }

  private peek(character: string): boolean {
    this.space();
    return this.text[this.at] === character;
  }

  private eat(character: string): boolean {
    if (!this.peek(character)) return false;
    this.at++;
    return true;
  }

  private fail(expected: string): never {
    const received =
      this.at >= this.text.length ? 'the end' : `"${this.text.slice(this.at, this.at + 20)}"`;
    throw new InputError(
      'bad-name',
      `Cannot read the name "${this.text.slice(0, 200)}" at character ${this.at + 1}`,
      { expected, received },
    );
  }
}

const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_.\-/:@|]*$/u;
const looksOtherwise = /^(?:true|false)$|^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Prints a value as `parseName` reads it. */
export function printValue(value: Value): string {
  if (typeof value === 'object') return printName(value);
  if (typeof value === 'string')
    return plainWord.test(value) && !looksOtherwise.test(value)
      ? value
      : `"${value.replace(/["\\]/g, '\\$&')}"`;
  return String(value);
}

/** Prints a name as `parseName` reads it. */
export function printName(name: Name): string {
  if (name.args.length === 0) return name.name;
  return `${name.name}(${name.args.map(({ key, value }) => (key === undefined ? printValue(value) : `${key}=${printValue(value)}`)).join(', ')})`;
}
