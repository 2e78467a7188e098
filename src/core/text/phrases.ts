/** Reads phrases in quotes from a query, and tells whether a text holds one. */
import { foldedText } from './folded.ts';
import { identifiersIn } from './identifiers.ts';
import { GRAM_SCRIPTS } from './scripts.ts';

const LETTER = String.raw`\p{L}\p{M}\p{N}${GRAM_SCRIPTS}`;

/**
 * Matches quotes of many languages, with what stands between them on one line or several. Straight
 * ones open before a letter or symbol and not after a letter or digit, as inches do: 6" pipe.
 */
const QUOTED = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])["＂](?=\S)([^"＂]+)(?<=\S)["＂](?![\p{L}\p{N}])`,
    '“([^“”]+)”',
    '„([^„“”]+)[“”]',
    '«([^«»]+)»',
    '»([^«»]+)«',
    '‹([^‹›]+)›',
    '「([^「」]+)」',
    '『([^『』]+)』',
    '《([^《》]+)》',
  ].join('|'),
  'gu',
);
const HAS_LETTER = new RegExp(`[${LETTER}]`, 'u');

/** Returns the distinct phrases in quotes of a query; a quote without its other end is none. */
export function quotedPhrases(query: string): string[] {
  const phrases = [...query.matchAll(QUOTED)].map(match =>
    match
      .slice(1)
      .find(text => text !== undefined)!
      .trim(),
  );
  return [...new Set(phrases.filter(phrase => HAS_LETTER.test(phrase)))];
}

const TOKEN = new RegExp(`[${GRAM_SCRIPTS}]\\p{M}*|(?:(?![${GRAM_SCRIPTS}])[${LETTER}])+`, 'gu');

/** Punctuation that sets words apart, unless the phrase has some at that place. */
const APART = String.raw`,;:.!?…|()\[\]{}。、，；：！？`;
const IS_APART = new RegExp(`[${APART}]`, 'u');
const ANYTHING = `[^${LETTER}]`;
const NOTHING_APART = `[^${LETTER}${APART}]`;

/**
 * Returns a test for texts that hold a phrase: its words in their order, with nothing but white
 * space, quotes and hyphens between them; an identifier as it is spelled. Equal texts match.
 */
export function phraseTest(phrase: string): (text: string) => boolean {
  let pattern = '';
  let before: PhrasePart | undefined;
  for (const part of partsOf(phrase)) {
    const between = part.isApart ? ANYTHING : NOTHING_APART;
    // A character of a script without spaces may touch what is beside it.
    if (before) pattern += `${between}${before.isCharacter || part.isCharacter ? '*' : '+'}`;
    pattern += part.source;
    before = part;
  }
  if (!before) return () => false;
  const matcher = new RegExp(pattern, 'u');
  return text => matcher.test(foldedText(text));
}

interface PhrasePart {
  readonly source: string;
  readonly isCharacter: boolean;
  /** True if the phrase has punctuation before it that sets words apart. */
  readonly isApart: boolean;
}

const RUN = /[\p{L}\p{M}\p{N}_\-.:/@#+&$~%=?\\]+/gu;

/** Reads a phrase: identifiers literally, the rest word by word. */
function partsOf(phrase: string): PhrasePart[] {
  const parts: PhrasePart[] = [];
  let end = 0;
  for (const identifier of (phrase.match(RUN) ?? []).flatMap(identifiersIn)) {
    const start = phrase.indexOf(identifier, end);
    let isApart = IS_APART.test(phrase.slice(end, start));
    for (const piece of piecesOf(foldedText(identifier))) {
      parts.push({ ...piece, isApart });
      isApart = false;
    }
    end = start + identifier.length;
  }
  return parts;
}

function piecesOf(folded: string): Omit<PhrasePart, 'isApart'>[] {
  if (/[^\p{L}\p{M}\p{N}]/u.test(folded)) return [{ source: bounded(folded), isCharacter: false }];
  return (folded.match(TOKEN) ?? []).map(token =>
    CHARACTER.test(token)
      ? { source: token, isCharacter: true }
      : { source: bounded(token), isCharacter: false },
  );
}

const CHARACTER = new RegExp(`^[${GRAM_SCRIPTS}]`, 'u');
const WORD = String.raw`(?:(?![${GRAM_SCRIPTS}])[\p{L}\p{M}\p{N}])`;
const bounded = (text: string): string =>
  `(?<!${WORD})${text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?!${WORD})`;
