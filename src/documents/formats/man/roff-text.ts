/** Text of roff: escapes resolved, arguments of macros split. */

import { specialCharacter } from './special-characters.ts';

/** Each escape has a bounded length or ends at the next of its marks. */
const ESCAPE =
  /\\(?:["#].*|f(?:\[[^\]\\]*\]|\([^\\]{2}|[^\\])|s(?:\[[^\]\\]*\]|[+-]?\d{1,2})|\*(?:\[([^\]\\]*)\]|\(([^\\]{2})|([^\\]))|n[+-]?(?:\[[^\]\\]*\]|\([^\\]{2}|[^\\])|[mMFY](?:\[[^\]\\]*\]|\([^\\]{2})|N'(\d{1,7})'|[hvwlLDXboNR]'[^'\\]*'|\(([^\\]{2})|\[([^\]\\]*)\]|(.)|$)/g;

/** A number that is set half a line higher. */
const RAISED = /(?<=[\p{L}\p{N})])()\\u([-+]?\p{N}{1,9})\\d/gu;

/** Resolves the escapes of a line. `strings`: those that the page defines. */
export function roffText(line: string, strings: ReadonlyMap<string, string>): string {
  if (!line.includes('\\')) return line;
  return line
    .replace(RAISED, '$1^$2')
    .replace(ESCAPE, (_, long, two, letter, code, special, bracketed, single) => {
      const string = long ?? two ?? letter;
      if (string !== undefined) return strings.get(string) ?? specialCharacter(string);
      const name = special ?? bracketed;
      if (name !== undefined) return specialCharacter(name);
      if (code !== undefined) return specialCharacter(`char${code}`);
      if (single === undefined) return '';
      return SINGLE[single] ?? (/[A-Za-z&|^/,%:)!{}?]/.test(single) ? '' : single);
    });
}

const SINGLE: Readonly<Record<string, string>> = {
  e: '\\',
  E: '\\',
  '\\': '\\',
  '~': ' ',
  '0': ' ',
  t: '\t',
  "'": "'",
};

/** Splits the arguments of a macro: separated by spaces, `"` around spaces, `""` for a quote. */
export function roffArguments(line: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ' || line[at] === '\t') {
      at++;
      continue;
    }
    const quoted = line[at] === '"';
    let text = '';
    if (quoted) at++;
    while (at < line.length) {
      const each = line[at]!;
      if (each === '\\' && at + 1 < line.length) {
        if (line[at + 1] === '"') return text === '' ? found : [...found, text];
        text += each + line[at + 1]!;
        at += 2;
        continue;
      }
      if (quoted && each === '"') {
        if (line[at + 1] !== '"') break;
        at++;
      } else if (!quoted && (each === ' ' || each === '\t')) break;
      text += each;
      at++;
    }
    at++;
    found.push(text);
  }
  return found;
}
