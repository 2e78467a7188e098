/**
 * Rewrites a question for analysis: without courtesy, with a question mark, with the names of
 * sources as the catalogue spells them, and with capitals where the text has none.
 */

import { finish } from '../../../core/steps.ts';
import { type Replacement, withReplacements } from '../../../core/text/replace-spans.ts';
import { countWhile, SpanIndex } from '../../../core/text/span-index.ts';
import type { MetadataCatalogue } from '../../catalogue.ts';
import { capitalsTell, REPORTS } from '../names/citing-words.ts';
import { SourceSpellings } from '../names/misspelled-sources.ts';
import { findSources, sourceNames } from '../names/source-names.ts';
import { MONTH } from '../values/dates.ts';
import { isDiscourseWord } from '../words/discourse-words.ts';
import { withoutCourtesy } from './courtesy.ts';

/** Rounds in which a question is rewritten: a name that was found makes its neighbour one too. */
const MOST_ROUNDS = 4;

/**
 * Returns the question as analysis reads it. A question in plain spelling and case, without
 * courtesy, is returned unchanged. Idempotent.
 */
export function plainQuestion(question: string, catalogue: MetadataCatalogue): string {
  let plain = question;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = rewritten(plain, catalogue);
    if (next === plain) return plain;
    plain = next;
  }
  return plain;
}

function rewritten(question: string, catalogue: MetadataCatalogue): string {
  const asked = withoutCourtesy(withoutBlankRuns(question));
  return withQuestionMark(
    capitalsTell(asked) ? withSpelledSources(asked, catalogue) : withCapitals(asked, catalogue),
  );
}

/** Shortens runs of four blanks or more, over which expressions would take quadratic time. */
const withoutBlankRuns = (text: string): string =>
  text.replace(/\s{4,}/g, run => (run.split('\n').length > 2 ? '\n\n' : ' '));

/** The longest closing marks after a question mark that are read. */
const CLOSING = 16;
const withQuestionMark = (text: string): string =>
  text.trim() === '' || /[?.!…]["”’')]*\s*$/u.test(text.slice(-CLOSING))
    ? text
    : `${text.trimEnd()}?`;

function withSpelledSources(text: string, catalogue: MetadataCatalogue): string {
  const { sources, aliases = sourceNames(sources) } = catalogue;
  if (sources.length === 0) return text;
  const { spellings = finish(SourceSpellings.prepare(aliases)) } = catalogue;
  const found = spellings.find(text, findSources(text, sources, aliases));
  return withReplacements(
    text,
    found.map(({ start, end, spelling }) => ({ start, end, by: spelling })),
  );
}

const capitalised = (word: string): string =>
  word.replace(/^\p{Ll}/u, letter => letter.toUpperCase());

/** Fewer than `REPORTED`: without capitals, "presented in court" would cite a source. */
const REPORTING =
  'reported|covered|published|discussed|detailed|mentioned|highlighted|described|noted|reviewed';
/** Opens a citation: "according to NAME". */
const CITED = new RegExp(
  String.raw`\b(?:according to|as per|(?:${REPORTING}|${REPORTS}|another) (?:by|in|from)) (?:both )?(?:the )?['"‘“]?`,
  'giu',
);
/** Ends a citation: "NAME report". */
const CITING = new RegExp(String.raw`(?<=\s)(?:${REPORTS})\b`, 'giu');
const OF_DATE = new RegExp(String.raw`\b(?:${MONTH})(?= \d)`, 'giu');
/** UTF-16 units before a name in which its article stands. */
const ARTICLE = 10;
/** Number of words that a cited name has at most. */
const LONGEST_NAME = 5;

/**
 * Gives capitals to the beginning, to months of dates, to names of sources, and to names that are
 * cited as sources: the words between the citation and the nearest function word or word of
 * discourse.
 */
function withCapitals(text: string, catalogue: MetadataCatalogue): string {
  // The first letter gets a capital, so that it alone does not tell small letters from capitals.
  const small = /\p{Ll}/u.test(text.slice(1)) ? text : text.toLowerCase();
  const spelled = withSourcesInAnyCase(capitalised(small), catalogue);
  const words = Array.from(spelled.matchAll(/(?:[&.’'-]{0,3}[\p{L}\p{N}])+/gu), match => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  const spans: Replacement[] = [];
  const capitalise = (run: typeof words): void => {
    for (const { start, end, text: word } of run) spans.push({ start, end, by: capitalised(word) });
  };
  for (const { index, 0: cue } of spelled.matchAll(CITED)) {
    const next = countWhile(words, ({ start }) => start < index + cue.length);
    const run = words.slice(next, next + LONGEST_NAME);
    // "-ing" follows a name ("in acme detailing") or opens one ("in rolling stone").
    const end = run.findIndex((word, at) => isOrdinary(word) && !(at === 0 && isGerund(word)));
    capitalise(end < 0 ? run : run.slice(0, end));
  }
  for (const { index } of spelled.matchAll(CITING)) {
    // The last word before a place ends before it: blanks separate them.
    const next = countWhile(words, ({ start }) => start < index);
    const run = words.slice(Math.max(0, next - LONGEST_NAME), next);
    let from = run.findLastIndex(isOrdinary) + 1;
    // "A rolling stone piece": the name begins after the article.
    if (from > 1 && from < run.length && isGerund(run[from - 1]!) && isArticle(run[from - 2]!))
      from--;
    const name = run.slice(from);
    const before = name[0]
      ? spelled.slice(Math.max(0, name[0].start - ARTICLE), name[0].start)
      : '';
    if (/(?:^|\s)(?:an?|the)\s+['"‘“]?$/i.test(before)) capitalise(name);
  }
  const once = new Map(spans.map(span => [span.start, span]));
  return withReplacements(spelled, [...once.values()]).replace(OF_DATE, capitalised);
}

interface Word {
  readonly text: string;
}

const isArticle = ({ text }: Word): boolean => /^(?:an?|the)$/i.test(text);
const isGerund = ({ text }: Word): boolean => /ing$/.test(text) && !isDiscourseWord(text);

const isOrdinary = ({ text }: Word): boolean => {
  const word = text.toLowerCase().replace(/['’]s$/, '');
  return isDiscourseWord(word) || /(?:ing|ly)$/.test(word) || /^\p{N}/u.test(word);
};

/** Spells the sources that a text without capitals names as the catalogue does. */
function withSourcesInAnyCase(text: string, catalogue: MetadataCatalogue): string {
  const { sources, aliases = sourceNames(sources) } = catalogue;
  if (sources.length === 0) return text;
  const { spellings = finish(SourceSpellings.prepare(aliases)) } = catalogue;
  const known = findSources(text, sources, aliases).filter(({ names }) => names.length === 1);
  const near = spellings.find(text, known, false);
  const taken = new SpanIndex(near);
  const exact = known.flatMap(({ start, end, names: [name] }): Replacement[] =>
    text.slice(start, end).toLowerCase() === name!.toLowerCase() && !taken.overlaps(start, end)
      ? [{ start, end, by: name! }]
      : [],
  );
  return withReplacements(text, [
    ...exact,
    ...near.map(({ start, end, spelling }) => ({ start, end, by: spelling })),
  ]);
}
