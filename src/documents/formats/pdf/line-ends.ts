/**
 * Joins lines: says for each end of a line if a hyphen belongs to the word or to the line break,
 * and if a blank follows. The document decides first, by how it writes the word within its lines.
 */
import { englishWords } from './english-words.ts';

/** Returns a line with all that stands between it and the beginning of the next. */
export type EndedLine = (text: string, next: string) => string;

/** Letters and digits before a hyphen at the end of a line, and what its token begins with. */
const HYPHENS = '-\u00ad\u2010\u2011';
const BROKEN = /^(?<before>.*?)(?<part>[\p{L}\p{M}\p{N}]+)(?<hyphen>[-\u00ad\u2010\u2011])$/u;
const FIRST_PART = /^[\p{L}\p{M}\p{N}]+/u;
/** Beginnings of a token that is no word but an option, an address, a path or a name in code. */
const IS_CODE = /^-|[\d_/\\.@=:]/;
/** Words after a hyphen that stands for the rest of a word: "pre- and postwar", "Ein- und Aus". */
const CONJUNCTION =
  /^(?:and|or|to|und|oder|bzw|bis|sowie|et|ou|y|o|e|en|of|och|eller|og|eða|ja|tai|i|lub|a|nebo|и|или)(?![\p{L}\p{M}\p{N}-])/u;

/** Scripts that have no blank between words. */
const HAS_NO_BLANKS =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u3000-\\u303f\\uff00-\\uffef]';
const ENDS_WITHOUT_BLANK = new RegExp(`${HAS_NO_BLANKS}$`, 'u');
const BEGINS_WITHOUT_BLANK = new RegExp(`^${HAS_NO_BLANKS}`, 'u');

/** Counts of words that are broken somewhere, as a document writes them within its lines. */
interface Evidence {
  /** Counts both parts as one word. */
  readonly joined: Map<string, number>;
  /** Counts both parts with a hyphen. */
  readonly hyphenated: Map<string, number>;
}

/** Reads the lines of a document and returns how their ends are joined. */
export async function lineEnds(lines: readonly string[]): Promise<EndedLine> {
  const evidence: Evidence = { joined: new Map(), hyphenated: new Map() };
  lines.forEach((text, at) => {
    const parts = partsOf(text, lines[at + 1] ?? '');
    if (!parts) return;
    evidence.joined.set(keyOf(parts, ''), 0);
    evidence.hyphenated.set(keyOf(parts, '-'), 0);
  });
  if (evidence.joined.size > 0) countEvidence(lines, evidence);
  const isUndecided = [...evidence.joined.values()].includes(0);
  const words = isUndecided ? await englishWords() : new Set<string>();
  return (text, next) => {
    const parts = partsOf(text, next);
    if (!parts) return hasNoBlank(text, next) ? text : `${text} `;
    if (CONJUNCTION.test(next)) return `${text} `;
    return belongsToWord(parts, evidence, words) ? text : text.slice(0, -1);
  };
}

interface Parts {
  /** All of the token before its last part. */
  readonly before: string;
  readonly last: string;
  readonly hyphen: string;
  readonly first: string;
}

function partsOf(text: string, next: string): Parts | undefined {
  if (!HYPHENS.includes(text.at(-1)!)) return undefined;
  const found = BROKEN.exec(lastToken(text))?.groups;
  const first = FIRST_PART.exec(next)?.[0];
  if (!found || first === undefined) return undefined;
  return { before: found['before']!, last: found['part']!, hyphen: found['hyphen']!, first };
}

/** Most characters of a token that are looked at. */
const LONGEST = 100;

const lastToken = (text: string): string => text.slice(text.lastIndexOf(' ') + 1).slice(-LONGEST);

const keyOf = ({ last, first }: Parts, between: string): string =>
  `${last}${between}${first}`.toLowerCase();

const IS_COMPOUND = /[-\u2010\u2011]/;
const NO_WORD = /[^\p{L}\p{M}\p{N}]+/u;

/** Returns a token without the commonest signs before and after it. */
function withoutSigns(token: string): string {
  let [from, to] = [0, token.length];
  while (from < to && SIGNS.has(token.charCodeAt(from))) from++;
  while (to > from && SIGNS.has(token.charCodeAt(to - 1))) to--;
  return token.slice(from, to);
}

const SIGNS = new Set([...'.,;:!?()[]{}"\'“”‘’«»<>'].map(sign => sign.charCodeAt(0)));

/** Counts how the document writes broken words within its lines. */
function countEvidence(lines: readonly string[], { joined, hyphenated }: Evidence): void {
  const count = (counts: Map<string, number>, word: string): void => {
    const found = counts.get(word);
    if (found !== undefined) counts.set(word, found + 1);
  };
  let before: Parts | undefined;
  lines.forEach((text, line) => {
    const after = partsOf(text, lines[line + 1] ?? '');
    const inner = text.slice(before?.first.length ?? 0, after && -after.last.length - 1);
    before = after;
    for (const token of inner.toLowerCase().split(' ')) {
      count(joined, withoutSigns(token));
      if (!IS_COMPOUND.test(token)) continue;
      const parts = token.split(NO_WORD);
      parts.forEach((part, at) => {
        count(joined, part);
        if (at > 0) count(hyphenated, `${parts[at - 1]}-${part}`);
      });
    }
  });
}

/** Tells if a hyphen at the end of a line is part of its word. */
function belongsToWord(parts: Parts, evidence: Evidence, words: ReadonlySet<string>): boolean {
  const { before, last, hyphen, first } = parts;
  const joined = evidence.joined.get(keyOf(parts, '')) ?? 0;
  const hyphenated = evidence.hyphenated.get(keyOf(parts, '-')) ?? 0;
  const isSoft = hyphen === '\u00ad';
  if (joined + hyphenated > 0) return hyphenated > joined || (hyphenated === joined && !isSoft);
  if (isSoft) return false;
  // Words are broken within letters of one case, at least two before the hyphen.
  const isWord =
    (/\p{Ll}$/u.test(last) && /^\p{Ll}/u.test(first)) ||
    (/^\p{Lu}+$/u.test(last) && /^\p{Lu}{2,}$/u.test(first));
  if (!isWord || IS_CODE.test(before) || last.length < 2) return true;
  const [left, right] = [last.toLowerCase(), first.toLowerCase()];
  // Both are words, and together they make none that is known: they were joined by a hyphen.
  return !words.has(left + right) && words.has(left) && words.has(right);
}

/** Tells if a line breaks within a text that has no blanks, an address or a path. */
function hasNoBlank(text: string, next: string): boolean {
  if (ENDS_WITHOUT_BLANK.test(text) && BEGINS_WITHOUT_BLANK.test(next)) return true;
  const token = lastToken(text);
  if (!/[/\\.]/.test(token)) return false;
  const goesOn = next.slice(0, next.indexOf(' ') >>> 0);
  if (/^[("'<[]*(?:[a-z][a-z+]*:\/\/|www\.)/i.test(token)) return continuesAddress(token, goesOn);
  return (
    isPath(token) && /[/\\]$/.test(token) && /^[\p{L}\p{N}_.-]*[/\\_.][\p{L}\p{N}]/u.test(goesOn)
  );
}

const isPath = (token: string): boolean =>
  /^[("'<[]*(?:~|\.{1,2}|[\p{L}\p{N}_.-]+|[A-Za-z]:)?[/\\]/u.test(token);

/** Tells if a token continues an address: the address is open, or the token is no word. */
function continuesAddress(address: string, next: string): boolean {
  if (/[-_=&?%#~+]$/.test(address)) return /^[\p{L}\p{N}%]/u.test(next);
  if (/[.]$/.test(address))
    return /^[\p{Ll}\p{N}]+(?:[/?#.]|$)/u.test(next) && /^\p{Ll}/u.test(next);
  if (/[/:]$/.test(address)) return /^[\p{L}\p{N}_~%-]+[/._=?#%-]+[\p{L}\p{N}]/u.test(next);
  return /^[/?#&=_%~][\p{L}\p{N}]/u.test(next) || /^\.[\p{Ll}\p{N}]/u.test(next);
}
