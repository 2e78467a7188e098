/**
 * Writes the table of groups of letters by which `eld` tells languages as one text, in which each
 * group is looked up: to make 50,000 objects takes longer than to read a thousand documents.
 */
import type { Plugin } from 'rolldown';

/** The languages by their numbers, and what each group of letters adds to some of them. */
export interface LanguageTable {
  readonly ngrams: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The first character of a number, which keeps numbers apart from the ends of lines. */
const ZERO = 0x20;

/** Lines of a group of letters, a tab, and a character each for a language and what it adds. */
function linesOf({ ngrams }: LanguageTable): string {
  const groups = Object.keys(ngrams);
  const wrong = groups.find(group => /[\n\t]/.test(group));
  if (wrong !== undefined) throw new Error(`no line holds the group ${JSON.stringify(wrong)}`);
  // The order of UTF-16 units, in which `<` compares texts.
  const sorted = groups.sort((a, b) => (a < b ? -1 : 1));
  const lines = sorted.map(group => {
    const numbers = Object.entries(ngrams[group]!).flatMap(([code, adds]) => [Number(code), adds]);
    return `${group}\t${String.fromCharCode(...numbers.map(number => number + ZERO))}`;
  });
  return lines.join('\n');
}

/** Returns a module with the table of another one, which is read where it is asked for a group. */
export function tableModule(table: LanguageTable): string {
  const lines = linesOf(table);
  return `const lines = ${JSON.stringify(lines)};
function numbersOf(group) {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const start = lines.lastIndexOf('\\n', (from + to) >> 1) + 1;
    const found = lines.indexOf('\\t', start);
    const end = lines.indexOf('\\n', found);
    const key = lines.slice(start, found);
    if (key === group) return lines.slice(found + 1, end < 0 ? lines.length : end);
    if (key < group) from = end < 0 ? lines.length : end + 1;
    else to = start;
  }
  return '';
}
function added(_, group) {
  const numbers = numbersOf(group);
  const adds = {};
  for (let at = 0; at < numbers.length; at += 2)
    adds[numbers.charCodeAt(at) - ${ZERO}] = numbers.charCodeAt(at + 1) - ${ZERO};
  return adds;
}
export const ngramsData = ${JSON.stringify({ ...table, ngrams: {} })};
ngramsData.ngrams = new Proxy({}, { get: added });
`;
}

/** Replaces the module of the table in the build. */
export const languageTable: Plugin = {
  name: 'language-table',
  load: {
    filter: { id: /\/eld\/src\/ngrams\/\w+\.js$/ },
    handler: async id =>
      tableModule(((await import(id)) as { ngramsData: LanguageTable }).ngramsData),
  },
};
