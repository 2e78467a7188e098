/**
 * Hostile inputs of one repeated piece: the one list that `bench growth` times and
 * `test/growth.test.ts` counts the work of. A piece begins something in one of the formats and
 * never ends it, or ends it too often; a parser that looks for the other end anew at each piece
 * takes quadratic time.
 */

export interface Hostile {
  readonly name: string;
  /** About so many UTF-16 units. */
  readonly text: (length: number) => string;
}

/** The piece again and again, between a beginning and an end. */
export const repeated = (piece: string, before = '', after = ''): Hostile => ({
  name: [before, `${JSON.stringify(piece)}…`, after]
    .filter(Boolean)
    .map(part => (part.startsWith('"') ? part : JSON.stringify(part.slice(0, 24))))
    .join(' '),
  text: length => `${before}${piece.repeat(Math.ceil(length / piece.length))}${after}`,
});

const all = (...pieces: readonly string[]): Hostile[] => pieces.map(piece => repeated(piece));

/** Marks that several formats know, alone and around a letter. */
const MARKS = all(
  ...['_a_', '*a*', '**a', '`a`', '`a', '[a](b)', '![a](b)', '[a]', '<a>', '&amp;', '~~a~~'],
  ...['- a\n', '> ', '| a |', '1. a\n', '# a\n', '***', '___', '[', '](', '`', '\\_', 'a_', '_a'],
  ...['a', 'http://a.b ', '<!--', '  ', '\t', '[^1]', '|-|\n', '```\n', '<b>', 'a@b.c ', '"a'],
  ...['<a href="', '<![CDATA[', '<p>', '</p>', "'a", 'A. ', '.\n', '|===\n', ':a: ', '.B a\n'],
  ...['---\n- a\n', '{', '(', 'Mr. ', '...', ',', 'a,"b"\n', 'a\n: b\n', '\n', ' \n', 'a ', '\\'],
  ...['&', '&#', '<', '</', '<?', '=', '-', '"', "'", '$', '{{', '::', '**', '``', '|', '||'],
);

const MARKDOWN = [
  ...all('[a](', '![', '![a](', '[a](<', '[a][', '[a]: b\n', '[a]:', '*a_', '**a*', '~a', '~~'),
  ...all('a\n===\n', 'a\n-', '=\n', '| a\n', '|a|b|\n|-|-|\n', '- ', '> - ', '1) ', '    a\n'),
  ...all('<a b=', '<a b="c" ', '<!', '<?a', '&a;', '&#1', 'www.', 'a.b@', 'https://', '<http://'),
  ...all(
    '*a `b _c ',
    '<div>\n\n',
    '|a|b|\n|-|-|\n',
    '    a\n\n',
    'term\n\n: text\n\n',
    'term\n',
    ': text\n',
  ),
  ...all(
    '> a\n',
    '*',
    '_',
    '* a\n',
    '  * a\n',
    'a  \n',
    '\\\n',
    '``a`',
    '~~~\n',
    '[\\',
    '[a](b "',
    ')(',
  ),
  ...['[', '![', '[a](', '[a](<', '<', '`', '*', '_', '**', '~~', '&', '"'].map(piece =>
    repeated(piece, 'a ', ' b\n\nc'),
  ),
  repeated('](a)', '[a'),
  repeated(']', '['.repeat(50)),
  repeated(')', '[a](b'),
  repeated(' ', '[a](', 'b'),
  repeated(' ', '# a', 'b'),
  repeated(' ', 'a', 'b'),
  repeated('\n', 'a', 'b'),
  repeated('-', 'a\n', ' b'),
  repeated('|', '| a |\n|', '\na'),
  repeated('- t\n', '---\ntags:\n', '---\nA text.\n'),
  repeated('a: b\n', '---\n', '---\nA text.\n'),
  repeated('a', '---\ntitle: "', '\n---\nA text.\n'),
  repeated(' ', '---\ntitle: a', 'b\n---\nA text.\n'),
  repeated(' ', '---\n- a', 'b\n---\nA text.\n'),
  repeated('\n--', '---\na: b', '\nA text.\n'),
  repeated('a, ', '---\ntags: [', ']\n---\nA text.\n'),
  repeated('  x\n', 'term\n: text\n'),
  // Lines that continue what is below many marks, and are read again at each of them.
  ...['- ', '1. ', '1) ', '* ', '+ ', '> - ', '- > ', '> '].flatMap(mark =>
    ['b\n', ':\n', '|\n', '1\n', ' b\n'].map(line => repeated(line, `${mark.repeat(32)}a\n`)),
  ),
];

const HTML = [
  ...all('<li>x', '<dl><dt>x</dl>', '<table><tr><td>x', '<table><tr><th>a<tr><td>x</table>'),
  ...all('<a href="#x">x', '<pre>x</pre>', '<script>', '<style>', '<title>', '</', '<a b', '&#x'),
  ...all('<a ', '<a b=', '<a b="', '<a b=c ', '<!', '<!-', '-->', ']]>', '<br>', '<h1>a', '&lt'),
  ...all('<td>', '<tr>', '<ul>', '<textarea>', '<svg>', '<noscript>', '<p>a</p>\n', '<b>a</b> '),
  repeated('<a href=b.html></a>', '<table><tr><td>', 'cell</table>'),
  repeated(' a=b', '<p', '>'),
  repeated(' ', '<p', '>'),
  repeated('-', '<!--', '>'),
  repeated('<', '<script>', '</script>'),
  repeated('</', '<script>', '</script>'),
  repeated('a', '<title>', ''),
];

const RST = [
  ...all('a\n\n  b\n\n', 'a\n  b\n', '``a ', '.. note:: a\n\n', '+--+--+\n', 'a\n===\n', '      '),
  ...all(
    '::\n',
    '.. a\n',
    '.. _a: b\n',
    '`a <b>`_ ',
    ':a:`b` ',
    '|a| ',
    '``a',
    '*a ',
    'a_ ',
    '__ ',
  ),
  ...all(
    '+--+\n',
    '=== ===\n',
    '| a\n',
    ':a: b\n',
    '- a\n\n  ',
    'a\n=\n',
    '[1]_ ',
    '[#a]_ ',
    '.. ',
  ),
  ...all('`', '``', '`a ', ':a:`', '**a ', '|a ', '_`a', 'https://a/', '.. note:: a\n', '  - a\n'),
  repeated('https://tern.example/a ', 'A\n=\n\n', 'end\n'),
  repeated('+', '+--+\n| a |\n', '\n'),
  repeated(' ', 'a', 'b'),
  repeated('=', 'a\n', ' b'),
];

const MAN = [
  ...all(
    '.TP\na\nb\n',
    '.RS\na\n',
    '.Bl -tag\n.It a\n',
    '.if t \\{\n',
    '\\f[',
    '\\*[a',
    'Op Oo Fl ',
  ),
  ...all(
    '.SH a\n',
    '.PP\n',
    '.TP\na\n',
    '\\fB',
    '\\fBa\\fR',
    '\\(',
    '\\*(',
    '\\[',
    '\\h',
    "\\h'1'",
  ),
  ...all(
    '.de a\n',
    '.if a\n',
    '.ie a\n.el b\n',
    '.so a\n',
    '.nf\n',
    '.TS\na\n',
    '.ds a b\n',
    '\\n(',
  ),
  ...all(
    '.Xr a 1\n',
    '.Fl a ',
    '.Bl\n',
    '.It a\n',
    '.Pq ',
    '.Op Fl a\n',
    '\\{',
    '\\}',
    "'",
    '.\\"\n',
  ),
  ...all('.RS\n', '.RE\n', '.IP a 4\nb\n', '.EQ\n', '\'\\" a\n', '\\', '\\e', '.UR a\n', '.B "a" '),
  repeated('"', '.SH A\n.B ', '\n'),
  repeated(' ', '.SH A\n.B a', 'b\n'),
];

const CSV = [
  ...all('a,', '"', '""', '"a",', ',\n', '"\n', 'a\n', '"a\n', ';', '\r', '\t'),
  repeated(',b', 'id,text'),
  repeated('1,a\n', 'id,text\n'),
  repeated('"",', 'id,text\n1,"'),
];

const key = (length: number): string => 'k'.repeat(length);
const JSON_RECORDS: readonly Hostile[] = [
  {
    name: 'a source of "A", blanks, "B"',
    text: length => JSON.stringify({ id: 'a', text: 'b', source: `A${' '.repeat(length)}B` }),
  },
  {
    name: 'keys that amplify paths',
    text: length => {
      const leaves = Object.fromEntries(
        Array.from({ length: length >> 4 }, (_, at) => [`l${at}`, 1]),
      );
      return JSON.stringify({ id: 'a', text: 'b', [key(Math.min(length >> 2, 900))]: leaves });
    },
  },
  {
    name: 'nested keys',
    text: length =>
      `{"id":"a","text":"b","c":${'{"k":'.repeat(length / 6)}1${'}'.repeat(length / 6)}}`,
  },
  {
    name: 'a nested list',
    text: length => `{"id":"a","text":"b","c":${'['.repeat(length / 2)}1${']'.repeat(length / 2)}}`,
  },
  {
    name: 'many keys',
    text: length =>
      JSON.stringify({
        id: 'a',
        text: 'b',
        ...Object.fromEntries(Array.from({ length: length >> 3 }, (_, at) => [`k${at}`, 1])),
      }),
  },
  {
    name: 'a list of objects',
    text: length =>
      JSON.stringify({
        id: 'a',
        text: 'b',
        c: Array.from({ length: length >> 3 }, () => ({ d: 1 })),
      }),
  },
  {
    name: 'published_at with zeros',
    text: length =>
      JSON.stringify({
        id: 'a',
        text: 'b',
        published_at: `2023-10-07 20:15:26.${'0'.repeat(length)}1Z`,
      }),
  },
  {
    name: 'published_at of blanks',
    text: length =>
      JSON.stringify({ id: 'a', text: 'b', published_at: `2023-10-07${' '.repeat(length)}x` }),
  },
  {
    name: 'many records',
    text: length =>
      Array.from({ length: length >> 5 }, (_, at) => `{"id":"a${at}","text":"b c"}\n`).join(''),
  },
  {
    name: 'a text of blanks',
    text: length => JSON.stringify({ id: 'a', text: `b${' '.repeat(length)}c`, title: 'd' }),
  },
];

const titled = (inputs: readonly Hostile[]): Hostile[] =>
  inputs.map(({ name, text }) => ({
    name,
    // Front matter stands at the beginning, or it is none.
    text: length => {
      const made = text(length);
      return /^(?:---\n(?:tags|a|title)|---\n- a {2}|term)/.test(made) ? made : `Title\n\n${made}`;
    },
  }));

/** Files by the ending of their names. */
export const FILES: Readonly<Record<string, readonly Hostile[]>> = {
  md: titled([...MARKS, ...MARKDOWN]),
  html: [...MARKS, ...HTML],
  rst: titled([...MARKS, ...RST]),
  1: [
    ...[...MARKS, ...MAN].map(({ name, text }) => ({
      name,
      text: (length: number) => `.TH A 1\n.SH A\n${text(length)}`,
    })),
    // The beginning tells a manual page.
    ...all('\n', ' \n', ' ', '.\\" a\n'),
  ],
  txt: titled(MARKS),
  csv: [...MARKS, ...CSV],
  jsonl: JSON_RECORDS,
};

const asked = (...fragments: readonly string[]): Hostile[] =>
  fragments.map(fragment => ({
    name: `${JSON.stringify(fragment)}…`,
    text: length =>
      `Who ${fragment.repeat(Math.max(1, Math.floor((length - 6) / fragment.length)))}x?`,
  }));

/** Fragments over which a careless expression of a planner takes quadratic time. */
export const QUESTIONS: readonly Hostile[] = asked(
  ...['A', 'Ada Lovelace ', 'Ada of Lovelace ', '"', "'", '"A’" ', '"A’"', 'A-', ', ', '. ', ' '],
  ...['The Ferry Post ', 'TehFerry Harbuorline Quyaside ', 'according to The Ferry Post ', '1'],
  ...['articles by ', 'October 7 ', 'which ', 'before ', 'did the ferry sail, and ', '“a', 'A.'],
  ...['the director of ', 'Ines Quill ', "Ines's a ", ', or and ', 'Tarn and ', 'x, y or ', '?'],
  ...['the city where it was ', 'both the same and from ', 'please ', '#1 ', '(', '2023-10-', '\n'],
);

/** Replies of a model, which may hold anything. */
export const REPLIES: readonly Hostile[] = [
  ...all(
    '{',
    '{"a":',
    '{ x ',
    '{}',
    '[',
    '"',
    '\\"',
    '<think>',
    '</think>',
    ' ',
    '\n',
    '[1]',
    '[1, ',
  ),
  ...all(
    'a',
    'a. ',
    'A. ',
    ' answer is: ',
    'answer is:',
    'I ',
    '1,',
    '1 + ',
    '```',
    '```json\n',
    '- a',
  ),
  ...all(
    '1. a\n',
    '[[',
    '【1】',
    '[passage 1',
    '`',
    '1',
    'a\n',
    '{"a":1}',
    '{"named_entities":["a",',
  ),
  repeated('\\"', '{"a": "'),
  repeated('1,', '['),
  repeated('[1],', '{"triples":['),
  repeated(' ', '', '{"a": 1}'),
  repeated('"', '[x '.repeat(31)),
  repeated(' ', 'a', 'b'),
  repeated('1 + ', '', '1 = 2'),
];

/** Texts of documents. */
export const PROSE: readonly Hostile[] = all(
  ...[
    '.',
    'a. ',
    'A. ',
    '. . ',
    '\n',
    ' ',
    '"',
    ')',
    '。',
    '[1]',
    'a',
    '1. ',
    '…”',
    'a ',
    '𝐀',
    '’',
  ],
  ...[
    '\ud800',
    'Ada Lovelace ',
    'Ada of ',
    'A-',
    'A.',
    "A's ",
    'Mr. ',
    'October 7, 2023 ',
    '1,',
    'é',
  ],
  ...['e\u0301', '\u200b', '\0', 'and ', ', ', '; ', '(a', '?!', '1.5', 'a.b', '-', '–', 'A & '],
  'Ada Lovelace, the countess, ',
);

/** Manifests of projects, beside a front page. */
export const MANIFESTS: readonly Hostile[] = all(
  ...['\n', ' ', ' \n', 'a ', '"', 'a = ', "a = 'b'", '\t', 'a', "'", 'Project-URL: a, http://b\n'],
);

/** Conditions on metadata, as a user writes them. */
export const FILTERS: readonly Hostile[] = [
  ...all(
    '(',
    ')',
    'a = 1 and ',
    'not ',
    '"',
    'a',
    ' ',
    'a in [',
    'a in ["b", ',
    '\\',
    '=',
    'a = 1 or ',
  ),
  repeated('"b", ', 'a in [', '"c"]'),
  repeated(' ', 'a', '= 1'),
  repeated('\\"', 'a = "', '"'),
];
