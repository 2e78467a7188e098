/** Text of roff: escapes resolved, arguments of macros split. */

const SPECIAL: Readonly<Record<string, string>> = {
  aq: "'",
  cq: '’',
  oq: '‘',
  lq: '“',
  rq: '”',
  dq: '"',
  bu: '•',
  co: '(c)',
  rg: '(R)',
  tm: '(TM)',
  em: '—',
  en: '–',
  hy: '-',
  mi: '-',
  ha: '^',
  ti: '~',
  rs: '\\',
  at: '@',
  sh: '#',
  Do: '$',
  ga: '`',
  aa: '´',
  lB: '[',
  rB: ']',
  lC: '{',
  rC: '}',
  la: '<',
  ra: '>',
  ba: '|',
  or: '|',
  br: '|',
  mu: '×',
  di: '÷',
  '+-': '±',
  '<=': '≤',
  '>=': '≥',
  '!=': '≠',
  '->': '→',
  '<-': '←',
  de: '°',
  sc: '§',
  dg: '†',
  ':a': 'ä',
  ':o': 'ö',
  ':u': 'ü',
  ss: 'ß',
  "'e": 'é',
  "'a": 'á',
  '`e': 'è',
  oA: 'Å',
  oa: 'å',
  '/o': 'ø',
  ',c': 'ç',
  '~n': 'ñ',
  Fo: '«',
  Fc: '»',
  '*a': 'α',
  '*b': 'β',
  '*m': 'μ',
  '*p': 'π',
  if: '∞',
  R: '(R)',
  Tm: '(TM)',
  q: '"',
  L: '(',
  Lq: '“',
  Rq: '”',
  Le: '≤',
  Ge: '≥',
  Ne: '≠',
  Pm: '±',
  Am: '&',
  Ba: '|',
  Gt: '>',
  Lt: '<',
};

/** Each escape has a bounded length or ends at the next of its marks. */
const ESCAPE =
  /\\(?:["#].*|f(?:\[[^\]\\]*\]|\([^\\]{2}|[^\\])|s(?:\[[^\]\\]*\]|[+-]?\d{1,2})|\*(?:\[([^\]\\]*)\]|\(([^\\]{2})|([^\\]))|n[+-]?(?:\[[^\]\\]*\]|\([^\\]{2}|[^\\])|[mMFY](?:\[[^\]\\]*\]|\([^\\]{2})|[hvwlLDXboNR]'[^'\\]*'|\(([^\\]{2})|\[([^\]\\]*)\]|(.)|$)/g;

/** Resolves the escapes of a line. `strings`: those that the page defines. */
export function roffText(line: string, strings: ReadonlyMap<string, string>): string {
  if (!line.includes('\\')) return line;
  return line.replace(ESCAPE, (_, long, two, letter, special, bracketed, single) => {
    const string = long ?? two ?? letter;
    if (string !== undefined) return strings.get(string) ?? SPECIAL[string] ?? '';
    const name = special ?? bracketed;
    if (name !== undefined) return SPECIAL[name] ?? unicode(name);
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

function unicode(name: string): string {
  const code = /^u([0-9A-F]{4,6})$/i.exec(name);
  const point = code ? Number.parseInt(code[1]!, 16) : 0;
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : '';
}

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
