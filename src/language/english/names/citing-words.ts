/** Tells names from words where capitals do not: by the words with which a question cites. */

import type { Span } from '../../../core/text/span-index.ts';

export const REPORTS =
  'articles?|reports?|reporting|pieces?|coverage|stor(?:y|ies)|reviews?|interviews?|posts?|features?|analys[ei]s|publications?|columns?|profiles?';
export const REPORTED =
  'reported|covered|detailed|discussed|noted|described|highlighted|mentioned|published|stated|outlined|cited|reviewed|presented|claimed|revealed|featured|documented|profiled|raised|quoted';
const SAYS =
  'says?|said|claims?|suggests?|reports?|writes|wrote|states?|indicates?|implies|imply|notes?|mentions?|argues?|describes?|highlights?|discusses|attributes?|portrays?';

/** Words that open a sentence or a name: capitalised there, but no part of the name after them. */
export const OPENINGS =
  'The|A|An|Did|Does|Do|Has|Have|Had|Is|Are|Was|Were|Can|Could|Will|Would|Should|Which|Who|Whose|What|When|Where|Why|How|If|After|Before|Since|While|Between|Considering|According to|According|In|On|At|By|From|For|Per|Of|Both|Based|To';

const AFTER = new RegExp(
  String.raw`^(?:['’]s|s['’])?['"’”]?\s+(?:(?:later|also|then|\p{L}+ly) )?(?:${REPORTS}|${SAYS}|${REPORTED})\b`,
  'iu',
);
const BEFORE = new RegExp(
  String.raw`\b(?:according to|as per|per|via|both|by|(?:${REPORTED}|${REPORTS}|another|one) (?:by|in|from|on))(?: both)?(?: the| an?)?\s+['"‘“]?$`,
  'iu',
);
const QUOTES: readonly (readonly [RegExp, RegExp])[] = [
  [/'$/, /^'(?!s)/],
  [/"$/, /^"/],
  [/[“‘]$/, /^[”’](?!s)/],
];
/** Joins names of one list. */
const JOINED = /^(?:['’]s)?['"’”]?\s*(?:,|,?\s+(?:and|or|&))\s+(?:the |by |in |from )?['"‘“]?$/iu;
/** Number of UTF-16 units before a name that are read. */
const NEAR = 40;

/**
 * Returns true if the words around a span cite it as a source, quote it as a title, or join it to
 * one of `sources`.
 */
export function isCitedAt(
  text: string,
  start: number,
  end: number,
  sources: readonly Span[],
): boolean {
  const [before, after] = [
    text.slice(Math.max(0, start - NEAR), start),
    text.slice(end, end + NEAR),
  ];
  const joins = (from: number, to: number): boolean =>
    to - from <= NEAR && JOINED.test(text.slice(from, to));
  return (
    AFTER.test(after) ||
    BEFORE.test(before) ||
    QUOTES.some(([opens, closes]) => opens.test(before) && closes.test(after)) ||
    sources.some(
      other =>
        (other.end <= start && joins(other.end, start)) ||
        (other.start >= end && joins(end, other.start)),
    )
  );
}

/**
 * Returns true if capitals tell names from words: some letter is a capital that neither opens a
 * sentence nor is "I", and some letter is small.
 */
export function capitalsTell(text: string): boolean {
  const inside = text.replace(/(?:^|[.?!:]\s)\W{0,8}\p{Lu}|\bI\b/gu, '');
  return /\p{Lu}/u.test(inside) && /\p{Ll}/u.test(text);
}
