/** Splits a filter expression into words, quoted texts and operators with their positions. */
import { InputError } from '../errors.ts';

const OPERATORS = ['!=', '<=', '>=', '..', '=', '<', '>', '(', ')', ','] as const;

export interface Token {
  readonly kind: 'operator' | 'word' | 'text' | 'end';
  readonly text: string;
  readonly at: number;
}

/** Returns the error for an unexpected token at a character. */
export function unreadable(source: string, at: number, expected: string): InputError {
  const received = at >= source.length ? 'the end' : `"${source.slice(at, at + 20)}"`;
  return new InputError('bad-filter', `Cannot read the filter at character ${at + 1}`, {
    expected,
    received,
  });
}

/** Returns the tokens of an expression. Throws `InputError('bad-filter')` for an unclosed quote. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(source.charAt(at))) at++;
    if (at >= source.length) return [...tokens, { kind: 'end', text: '', at: source.length }];
    const { kind, text, length } = tokenAt(source, at);
    tokens.push({ kind, text, at });
    at += length;
  }
}

function tokenAt(
  source: string,
  at: number,
): { kind: Token['kind']; text: string; length: number } {
  const operator = OPERATORS.find(candidate => source.startsWith(candidate, at));
  if (operator) return { kind: 'operator', text: operator, length: operator.length };
  if (source[at] === '"' || source[at] === "'") return { kind: 'text', ...quoted(source, at) };
  const word = wordAt(source, at);
  return { kind: 'word', text: word, length: word.length };
}

function quoted(source: string, start: number): { text: string; length: number } {
  let text = '';
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at]!;
    if (character === source[start]) return { text, length: at + 1 - start };
    text += character === '\\' ? (source[++at] ?? '') : character;
  }
  throw unreadable(source, source.length, `the closing ${source[start]}`);
}

/** Returns the longest word at `start`. A word may contain single dots, but not two in a row. */
function wordAt(source: string, start: number): string {
  let end = start;
  while (
    end < source.length &&
    !/[\s(),=<>!"']/.test(source[end]!) &&
    !source.startsWith('..', end)
  )
    end++;
  if (end === start) throw unreadable(source, start, 'a word, a value or an operator');
  return source.slice(start, end);
}
