/** Text of AsciiDoc inside a block: marks and macros removed, links gathered. */
import type { Inline } from './markdown-inline.ts';

/** Each part ends at the next mark of its kind, so the time is linear. */
const MARKED =
  /\\(?=[*_`#{[<^~+])|(?<!\w)(?:pass|stem|latexmath|asciimath):[a-z,]*\[([^\][]*)\]|``([^`'\n]+)''|\{([\w-]+)\}|<<([^<>]+)>>|\[\[[^\][\s]*\]\]|(?<![\w:])(link|xref|mailto|image|icon|kbd|btn|menu|footnote|[a-z]*link[a-z]*):{1,2}([^\s[\]:][^\s[\]]*)?\[([^\][]*)\]|((?:https?|ftp|irc):\/\/[^\s[\]<>]+)(?:\[([^\][]*)\])?|``([^`]+)``|`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])\*([^\s*][^*]*)\*(?![\w*])|__([^_]+)__|(?<![\w_])_([^\s_][^_]*)_(?!\w)|(?<![\w+])\+([^\s+][^+]*)\+(?!\w)|(?<!\w)#([^#\s][^#]*)#(?!\w)|\^([^^\s]+)\^|~([^~\s]+)~|\(\(\(?[^()]*\)\)\)?/g;

const CHARACTERS: Readonly<Record<string, string>> = {
  nbsp: ' ',
  sp: ' ',
  empty: '',
  plus: '+',
  asterisk: '*',
  tilde: '~',
  caret: '^',
  backtick: '`',
  'two-colons': '::',
  startsb: '[',
  endsb: ']',
  vbar: '|',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  quot: '"',
  litdd: '--',
  backslash: '\\',
  zwsp: '',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  deg: '°',
};

/** Reads running text; `attributes` are those that the file defines. */
export function asciidocInline(text: string, attributes: ReadonlyMap<string, string>): Inline {
  const links: string[] = [];
  const shown = text.replace(MARKED, (...found: (string | undefined)[]) => {
    const [
      whole = '',
      passed,
      quoted,
      attribute,
      reference,
      macro,
      target,
      label,
      url,
      urlLabel,
      ...plain
    ] = found;
    if (passed !== undefined) return passed;
    if (quoted !== undefined) return `"${quoted}"`;
    if (attribute !== undefined) return attributes.get(attribute) ?? CHARACTERS[attribute] ?? whole;
    if (reference !== undefined) return referenced(reference, links);
    if (macro !== undefined) return macroText(macro, target ?? '', label ?? '', links);
    if (url !== undefined) {
      links.push(url);
      return firstPart(urlLabel ?? '') || url;
    }
    return plain.slice(0, MARKS).find(part => part !== undefined) ?? '';
  });
  return { text: shown, links };
}

/** Groups of `MARKED` after those that are named. */
const MARKS = 10;

function referenced(reference: string, links: string[]): string {
  const [target = '', ...label] = reference.split(',');
  if (/\.(?:adoc|asciidoc|asc|txt)(?:#|$)/.test(target)) links.push(target);
  return (
    label.join(',').trim() || target.replace(/^.*#/, '').replace(/^_+/, '').replaceAll('_', ' ')
  );
}

function macroText(macro: string, target: string, label: string, links: string[]): string {
  if (macro === 'footnote') return ` (${label})`;
  if (macro === 'image' || macro === 'icon') return firstPart(label);
  if (macro === 'kbd' || macro === 'btn' || macro === 'menu')
    return [target, label].filter(Boolean).join(' > ');
  if (macro === 'xref' || macro === 'link') links.push(target);
  // Macros such as linkgit:git-add[1] name a manual page and its section.
  if (/^\d\w*$/.test(label)) return `${target}(${label})`;
  return firstPart(label) || target;
}

/** Returns the text of a list of attributes: its first part, quotes removed. */
function firstPart(label: string): string {
  const quoted = /^"([^"]*)"/.exec(label);
  const part = quoted ? quoted[1]! : label.replace(/,\s*\w+=.*$/s, '').replace(/\^$/, '');
  return part.trim();
}
