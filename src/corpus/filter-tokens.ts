/** The words, texts and operators of a filter expression, each with its place. */
import { InputError } from '../errors.ts';

const OPERATORS = ['!=', '<=', '>=', '..', '=', '<', '>', '(', ')', ','] as const;

export interface Token {
  readonly kind: 'operator' | 'word' | 'text' | 'end';
  readonly text: string;
  readonly at: number;
}

/** What stands at a character is not what was expected there. */
export function unreadable(source: string, at: number, expected: string): InputError {
  const received = at >= source.length ? 'the end' : `"${source.slice(at, at + 20)}"`;
  return new InputError('bad-filter', `Cannot read the filter at character ${at + 1}`, {
    expected,
    received,
  });
}

/** Throws `InputError('bad-filter')` for an open quote. */
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

/** Up to what cannot be part of a word; a single dot can, two cannot. */
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
