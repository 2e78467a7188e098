/**
 * Reduces a document or shown evidence to its words, so that one pattern matches both: tags,
 * emphasis, link targets, roles and man macros go, and runs of spaces become one.
 */

/** Tags that stand within a word or between two that no space separates. */
const INLINE = /<\/?(?:span|code|a|em|strong|b|i|tt|cite|kbd|var|sub|sup|small)(?:\s[^<>]*)?>/g;
/** Requests of man pages whose whole line is layout, and names of those whose line is text. */
const LAYOUT =
  /^\.(?:RS|RE|IP|P|PP|TP|sp|nf|fi|ad|hy|br|de|ie|el|in)\b[^\n]*|^\.[A-Z]{1,2}(?![A-Za-z])/gm;
/** Changes of font, zero-width characters and special characters of man pages. */
const ESCAPES = /\\f[A-Z]|\\&|\\\(..|\\\[[^\]]*\]/g;
/** Roles of reStructuredText and of MyST, whose text in backticks stays. */
const ROLES = /:[a-zA-Z][\w:+.-]*:(?=`)|\{[\w:-]+\}(?=`)/g;
/** The target within a link or role of reStructuredText, and the underscores behind a link. */
const TARGETS = /\s*<[^<>`]*>`_{0,2}/g;
/** The underscore that ends a reference of reStructuredText. */
const REFERENCES = /(?<!\w)([A-Za-z0-9][\w.+-]*?)__?(?=[\s.,;:)!?]|$)/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
};

/** Returns the words of a text in any of the formats of the corpus. */
export const plainWords = (text: string): string =>
  text
    .replace(LAYOUT, '')
    .replace(ESCAPES, '')
    .replace(/<(script|style)\b.*?<\/\1>/gis, ' ')
    .replace(TARGETS, '`')
    .replace(INLINE, '')
    .replace(/<\/?[a-zA-Z!][^<>]*>/g, ' ')
    .replace(/\]\([^()\s]*(?:\s"[^"]*")?\)/g, ']')
    .replace(/&(#x?[\da-f]+|\w+);/gi, decoded)
    .replace(ROLES, '')
    .replace(/[`*|\\]/g, '')
    .replace(REFERENCES, '$1')
    .replace(/\s+/g, ' ');

function decoded(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
