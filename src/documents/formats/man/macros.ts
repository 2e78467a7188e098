/** The macros of man(7) and mdoc(7) that stand for blocks. */
import type { ManBlocks } from './blocks.ts';
import { isMdocInline } from './mdoc-inline.ts';
import { roffArguments } from './roff-text.ts';

/** Acts on a macro with its arguments; `rest` is their text as it stands. */
type Handler = (page: ManBlocks, words: readonly string[], rest: string) => void;

const none: Handler = () => {};
const joined: Handler = (page, words) => page.words(words, ' ');
const alternating: Handler = (page, words) => page.words(words, '');
const heading =
  (level: number): Handler =>
  (page, words) =>
    words.length === 0 ? page.expectHeading(level) : page.heading(level, words);
/** A link whose text stands on its line, as asciidoctor writes it. */
const link =
  (isMail: boolean): Handler =>
  (page, [address = '', text = '', after = '']) => {
    page.openLink([address], isMail);
    if (text !== '') page.words([text], '');
    page.closeLink(after);
  };
const paragraph: Handler = page => page.paragraph();
const isCode = (words: readonly string[]): boolean =>
  words.some(word => word === '-literal' || word === '-unfilled');

/** Macros by name. Requests that place text on a page have no part in it. */
const MACROS: Readonly<Record<string, Handler>> = {
  TH: (page, [name = '', section = '', date = '']) => page.title(name, section, date),
  Dd: (page, words) => {
    page.date = words.filter(word => !word.includes('$')).join(' ');
  },
  Dt: (page, [name = '', section = '']) => page.title(name.toLowerCase(), section, page.date),
  SH: heading(1),
  Sh: heading(1),
  SS: heading(2),
  Ss: heading(2),
  ...Object.fromEntries(['PP', 'P', 'LP', 'HP'].map(name => [name, paragraph])),
  ...Object.fromEntries(['sp', 'Pp', 'Lp'].map(name => [name, (page: ManBlocks) => page.flush()])),
  br: none,
  TP: page => page.expectTag(),
  TQ: page => page.expectTag(),
  IP: (page, words) => page.indented(words),
  RS: page => page.openIndent(),
  RE: page => page.closeIndent(),
  ...Object.fromEntries(
    ['nf', 'EX', 'Vb'].map(name => [name, (page: ManBlocks) => page.openCode()]),
  ),
  ...Object.fromEntries(
    ['fi', 'EE', 'Ve'].map(name => [name, (page: ManBlocks) => page.closeCode()]),
  ),
  ...Object.fromEntries(['B', 'I', 'SM', 'SB', 'R', 'CW'].map(name => [name, joined])),
  ...Object.fromEntries(['BR', 'BI', 'RB', 'RI', 'IR', 'IB'].map(name => [name, alternating])),
  UR: (page, words) => page.openLink(words, false),
  MT: (page, words) => page.openLink(words, true),
  UE: (page, [after]) => page.closeLink(after),
  ME: (page, [after]) => page.closeLink(after),
  URL: link(false),
  MTO: link(true),
  MR: (page, [name = '', section = '', after = '']) =>
    page.words([`${name}(${section})${after}`], ''),
  SY: joined,
  OP: (page, words) => page.words([`[${words.join(' ')}]`], ''),
  ds: (page, [name = ''], rest) => page.define(name, rest.slice(name.length).trim()),
  Nm: (page, words) => page.nameLine(words),
  Nd: (page, words) => page.descriptionLine(words),
  Bl: (page, words) => page.openList(words),
  El: page => page.closeList(),
  It: (page, words) => page.item(words),
  Bd: (page, words) => (isCode(words) ? page.openCode() : page.flush()),
  Ed: page => {
    page.closeCode();
    page.flush();
  },
  Dl: (page, words) => page.codeLine(words),
  D1: (page, words) => page.codeLine(words),
};

/** Reads a line of text or a macro. */
export function readRoff(page: ManBlocks, number: number, line: string): void {
  page.number = number;
  const [, name, rest = ''] = /^[.'][ \t]*([A-Za-z%][\w%]*|\\["#])[ \t]*(.*)$/.exec(line) ?? [];
  if (name === undefined) {
    if (!/^[.'](?:\s|$|\\)/.test(line)) page.text(line);
  } else if (Object.hasOwn(MACROS, name)) MACROS[name]!(page, roffArguments(rest), rest);
  else if (page.defined.has(name)) page.arguments(roffArguments(rest));
  else if (isMdocInline(name)) page.inline([name, ...roffArguments(rest)]);
}
