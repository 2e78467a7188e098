/** Texts that stand for `|name|`: replacements, characters, and what images show. */
import { endOfIndented } from './lines.ts';
import { optionOf } from './table-directives.ts';

/** Longer texts would make a short file grow without limit. */
const MOST_CHARACTERS = 200;
const DEFINITION = /^( *)\.\. \|([^|]+)\| +(replace|unicode|image)::(?: +(.*))?$/;

/** Returns the definitions `.. |name| replace:: text`. */
export function substitutionsOf(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, indent, name, kind, first = ''] = DEFINITION.exec(line) ?? [];
    if (indent === undefined) continue;
    const range = { from: at, to: lines.length, indent: indent.length + 1 };
    const rest = lines.slice(at + 1, endOfIndented(lines, at + 1, range));
    const stated = textOf(kind!, [first, ...rest]) ?? name!;
    const text = stated.slice(0, MOST_CHARACTERS).toWellFormed();
    found.set(name!, text);
  }
  return found;
}

function textOf(kind: string, lines: readonly string[]): string | undefined {
  if (kind === 'image') return optionOf(lines.slice(1), 'alt');
  const text = lines
    .map(line => line.trim())
    .join(' ')
    .trim();
  if (kind === 'replace') return text.replaceAll('``', '');
  // Codes and texts stand together; a comment follows two full stops.
  const parts = text.replace(/(?:^|\s)\.\.\s.*$/, '').split(/\s+/);
  return parts
    .filter(part => !/^:[lrt]?trim:$/.test(part))
    .map(characterOf)
    .join('');
}

function characterOf(part: string): string {
  const code = /^(?:0x|x|\\x|U\+|\\?u|&#x)([0-9a-f]{1,6});?$/i.exec(part)?.[1];
  const point = code === undefined ? 0 : Number.parseInt(code, 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : part;
}
