/**
 * Spells the names of a question as its evidence does: in any case where the question has no
 * capitals (truecasing by the form that the text uses: Lita et al., tRuEcasIng, ACL 2003), and by
 * one edit where the evidence lacks a word of a name.
 */

import { MisspellingIndex } from '../../../core/text/one-edit.ts';
import { withReplacements } from '../../../core/text/replace-spans.ts';
import { type Span, SpanIndex } from '../../../core/text/span-index.ts';
import { isWordUnit } from '../../../core/text/words.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { findDates } from '../values/dates.ts';
import { capitalsTell } from './citing-words.ts';
import { findNames } from './names.ts';
import { citedSources } from './source-names.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/** Returns the question with names as `texts` spell them; names of sources and dates stay. */
export function withNamesOf(
  question: string,
  texts: readonly string[],
  catalogue: MetadataCatalogue,
): string {
  const { known, unknown } = citedSources(question, catalogue);
  const taken = [...known, ...unknown, ...findDates(question)];
  return namesTell(question, taken)
    ? withSpelledNames(question, taken, texts)
    : withCasedNames(question, taken, texts);
}

const namesOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap(text => findNames(text).map(name => name.text)));

/** Returns true if capitals tell names from words outside the spans. */
const namesTell = (question: string, taken: readonly Span[]): boolean =>
  capitalsTell(
    withReplacements(
      question,
      disjoint(taken).map(({ start, end }) => ({ start, end, by: '' })),
    ),
  );

function disjoint(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  const index = new SpanIndex();
  for (const span of spans) {
    if (index.overlaps(span.start, span.end)) continue;
    index.add(span);
    kept.push(span);
  }
  return kept;
}

/** Gives capitals to the names of the texts, longest first; a word must be no common one there. */
function withCasedNames(
  question: string,
  taken: readonly Span[],
  texts: readonly string[],
): string {
  const lower = question.toLowerCase();
  // Lower-casing may change the length of a text (İ), which would shift offsets.
  if (lower.length !== question.length) return question;
  const common = new Set(texts.flatMap(text => text.match(/(?<![\p{L}\p{N}])\p{Ll}+/gu) ?? []));
  const found: (Span & { readonly by: string })[] = [];
  const held = new SpanIndex(taken);
  for (const name of [...namesOf(texts)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
    const small = name.toLowerCase();
    if (small.length !== name.length || common.has(small)) continue;
    for (let start = lower.indexOf(small); start >= 0; start = lower.indexOf(small, start + 1)) {
      const span = { start, end: start + name.length };
      const apart = !isWordUnit(lower[start - 1]) && !isWordUnit(lower[span.end]);
      if (!apart || held.overlaps(span.start, span.end)) continue;
      held.add(span);
      found.push({ ...span, by: name });
    }
  }
  return withReplacements(question, found);
}

/** Returns true if a text has the word, which is one run of letters and numbers. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) continue;
    // Lower-casing may add a mark to a word, which is then none (İ).
    if (!OPENS_WITH_WORD.test(text.slice(end, end + 2)) && RUN.test(word)) return true;
  }
  return false;
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const OPENS_WITH_WORD = /^[\p{L}\p{N}]/u;
const RUN = /^[\p{L}\p{N}]+$/u;

/** Replaces the words of names that the texts lack by the only word of a name within one edit. */
function withSpelledNames(
  question: string,
  taken: readonly Span[],
  texts: readonly string[],
): string {
  const lower = texts.map(text => text.toLowerCase());
  const held = new SpanIndex(taken);
  const lacking = findNames(question).flatMap(({ text, start }) =>
    Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
      word,
      start: start + index,
      end: start + index + word.length,
    })).filter(
      ({ word, start, end }) =>
        !held.overlaps(start, end) && !lower.some(text => hasWord(text, word.toLowerCase())),
    ),
  );
  if (lacking.length === 0) return question;
  const words = new Map<string, string>();
  for (const name of namesOf(texts))
    for (const word of name.match(WORD) ?? [])
      if (!words.has(word.toLowerCase())) words.set(word.toLowerCase(), word);
  const index = new MisspellingIndex(words.keys());
  return withReplacements(
    question,
    lacking.flatMap(({ word, start, end }) => {
      const near = index.near(word.toLowerCase());
      return near.length === 1 ? [{ start, end, by: words.get(near[0]!)! }] : [];
    }),
  );
}
