/**
 * Definition lists of Markdown, the common subset of PHP Markdown Extra, Pandoc and MyST: lines of
 * terms, and below them definitions that begin with a colon and a space.
 *
 *     gc.auto
 *     : When there are more loose objects than this, they are packed.
 *
 *       The default value is 6700.
 */
import type { Lexer, Token } from 'marked';

/** A definition: its blocks, and the number of lines before them in the list. */
interface Definition {
  readonly tokens: Token[];
  readonly line: number;
}

/** Terms with the definitions that they share. */
export interface DefinedTerms {
  /** Inline tokens of each term. */
  readonly terms: readonly Token[][];
  readonly line: number;
  readonly definitions: readonly Definition[];
}

/** A token of the lexer, as other tokens are. */
export interface Definitions {
  readonly type: 'definitions';
  readonly raw: string;
  readonly items: readonly DefinedTerms[];
}

const COLON = /^( {0,3}:)( {1,3}|\t)(?=\S)/;
/** Begins a block of another kind: a table, a heading, a quote, an item, code, a rule, HTML. */
const OTHER =
  /^(?:[|#>:<]|[-*+](?:\s|$)|\d{1,9}[.)]\s|`{3}|~{3}|[-=*_](?:\s*[-=*_])+\s*$| {4}|\t)|\s\|\s/;
/** Most lines of terms above one definition. */
const MOST_TERMS = 4;
/** Most characters of a term: a longer line is a paragraph. */
const TERM_CHARACTERS = 120;

/** Reads a definition list at the beginning of a text; undefined if there is none. */
export function definitionsAt(lexer: Lexer, text: string): Definitions | undefined {
  if (!COLON.test(lineAt(text, afterTerms(text, 0)))) return undefined;
  const items: DefinedTerms[] = [];
  let [at, line] = [0, 0];
  for (;;) {
    const from = afterBlank(text, at);
    const colon = afterTerms(text, from);
    if (colon === from || !COLON.test(lineAt(text, colon))) break;
    line += lineBreaks(text, at, from);
    const terms = text
      .slice(from, colon)
      .split('\n')
      .filter(row => row.trim() !== '')
      .map(row => inlineOf(lexer, row.trim()));
    const item = { terms, line, definitions: [] as Definition[] };
    line += lineBreaks(text, from, colon);
    at = colon;
    for (;;) {
      const next = afterBlank(text, at);
      if (!COLON.test(lineAt(text, next))) break;
      line += lineBreaks(text, at, next);
      const end = endOfDefinition(text, next);
      const tokens = lexer.blockTokens(outdented(text.slice(next, end)), []);
      item.definitions.push({ tokens, line });
      line += lineBreaks(text, next, end);
      at = end;
    }
    items.push(item);
  }
  return items.length === 0 ? undefined : { type: 'definitions', raw: text.slice(0, at), items };
}

function inlineOf(lexer: Lexer, text: string): Token[] {
  const tokens: Token[] = [];
  lexer.inline(text, tokens);
  return tokens;
}

/**
 * Returns the offset behind lines of terms, and behind one blank line if there is one term; the
 * same offset if no term stands there.
 */
function afterTerms(text: string, from: number): number {
  let at = from;
  let count = 0;
  for (; count < MOST_TERMS && at < text.length; count++) {
    const row = lineAt(text, at);
    if (row.trim() === '' || COLON.test(row)) break;
    if (row.length > TERM_CHARACTERS || OTHER.test(row)) return from;
    at = nextLine(text, at);
  }
  if (count === 0) return from;
  return at < text.length && lineAt(text, at).trim() === '' ? nextLine(text, at) : at;
}

/** Returns the end of a definition: of its paragraph, and of the indented blocks behind it. */
function endOfDefinition(text: string, from: number): number {
  let end = nextLine(text, from);
  let at = end;
  let isOpen = true;
  while (at < text.length) {
    const row = lineAt(text, at);
    if (row.trim() === '') isOpen = false;
    else if (COLON.test(row) && !/^ {2,}/.test(row)) break;
    else if (/^(?: {2}|\t)/.test(row) || isOpen) end = nextLine(text, at);
    else break;
    at = nextLine(text, at);
  }
  return end;
}

/** Returns the lines of a definition without its colon and without what all others begin with. */
function outdented(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  let width = 4;
  // No spread: an engine takes only so many arguments, and a definition may have more lines.
  for (const row of rest)
    if (/^\s{2}/.test(row)) width = Math.min(width, row.length - row.trimStart().length);
  const lead = new RegExp(`^ {0,${width}}`);
  const inner = rest.map(row => row.replace(/^\t/, '    ').replace(lead, ''));
  return [first.replace(COLON, ''), ...inner].join('\n');
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end);
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function afterBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && lineAt(text, at).trim() === '') at = nextLine(text, at);
  return at;
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1))
    count++;
  return count;
}
