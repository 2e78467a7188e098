/** Lines of a manual page that have text: conditions decided, definitions and tables taken out. */

import type { MarkedRow } from '../../blocks/table-rows.ts';
import { tableRows } from './tables.ts';

/** A line, a table, or the name of a macro of which the page prints the arguments. */
export interface RoffLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly table?: readonly MarkedRow[];
  readonly defined?: string;
}

/**
 * Yields the lines of a page as a terminal shows it: `.if n` holds, any other condition does not.
 */
export function* roffLines(text: string): Generator<RoffLine, void, void> {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let took = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^[.'][ \t]*(?:de1?|am|ig)\b/.test(line)) {
      const end = afterDefinition(lines, at);
      const name = /^[.'][ \t]*de1?[ \t]+(\S+)/.exec(line)?.[1];
      if (name !== undefined && lines.slice(at + 1, end).some(printsArguments))
        yield { number: at + 1, text: '', defined: name };
      at = end;
    } else if (/^\.TS\b/.test(line)) {
      const end = endOf(lines, at, /^\.TE\b/);
      yield { number: at + 1, text: '', table: tableRows(lines, at, end) };
      at = end;
    } else {
      const condition = /^[.'][ \t]*(if|ie|el)\b[ \t]*(.*)$/.exec(line);
      if (!condition) {
        yield { number: at + 1, text: line.replace(/\\\}\s*$/, '') };
        continue;
      }
      const [, name, rest] = condition as unknown as [string, string, string];
      const decided: readonly [boolean, string] = name === 'el' ? [!took, rest] : tested(rest);
      const [holds, body] = decided;
      if (name === 'ie') took = holds;
      if (holds) yield { number: at + 1, text: body.replace(/\\[{}]/g, '') };
      else at = afterBlock(lines, at, body);
    }
  }
}

/** Returns whether a condition holds on a terminal, and what follows it. */
function tested(rest: string): readonly [holds: boolean, body: string] {
  const test = rest.replace(/^!\s*/, '');
  const texts = COMPARED.exec(test);
  if (texts === null) {
    const holds = /^(?:n|!t|!\(?\\n\(\.g)/.test(rest);
    return [holds, test.replace(/^(?:\([^)]*\)|\\\S+|\S+)[ \t]*/, '')];
  }
  // Strings of the formatter, such as the name of its device, are empty here.
  const [one, other] = texts.slice(2).map(text => text.replace(/\\\*(?:\[[^\]]*\]|\(..|.)/g, ''));
  return [(one === other) !== rest.startsWith('!'), test.slice(texts[0].length).trimStart()];
}

/** Two texts between the same marks. */
const COMPARED = /^(['"])((?:(?!\1).)*)\1((?:(?!\1).)*)\1/;

/** Returns the last line of a block `\{ ... \}` that is passed; without a block the line itself. */
function afterBlock(lines: readonly string[], from: number, first: string): number {
  let depth = 0;
  for (let at = from; at < lines.length; at++) {
    const line = at === from ? first : lines[at]!;
    depth += line.split('\\{').length - line.split('\\}').length;
    if (depth <= 0) return at;
  }
  return lines.length;
}

/** Tells whether a line of a definition is text or a macro of fonts, with an argument. */
const printsArguments = (line: string): boolean => line.includes('\\\\$') && PRINTS.test(line);

const PRINTS = /^(?:[^.']|\.[ \t]*(?:(?:[BIR]|[BIR]{2}|SM|SB)\b|i[ef][ \t]+\S+[ \t]+[^.'\\]))/;

function afterDefinition(lines: readonly string[], from: number): number {
  return endOf(lines, from, /^[.'][ \t]*\.[ \t]*$/);
}

/** Returns the first line from there that matches, or the last line of the page. */
function endOf(lines: readonly string[], from: number, end: RegExp): number {
  for (let at = from + 1; at < lines.length; at++) if (end.test(lines[at]!)) return at;
  return lines.length - 1;
}
