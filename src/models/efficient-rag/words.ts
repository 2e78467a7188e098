/**
 * Tokenizes text for the lite classifiers: words with a light stem, in place of spaCy's words and
 * lemmas, and the names that they form.
 */
import { sentenceSpans } from '../../core/text/sentences.ts';
import { wordRuns } from '../../core/text/words.ts';
import { ENGLISH_STOP_WORDS } from '../../language/english/words/stop-words.ts';

export interface Word {
  readonly text: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  readonly sentence: number;
  readonly stop: boolean;
  readonly capital: boolean;
  readonly digit: boolean;
  /** First and last word of its run: a name, a date, or itself. */
  readonly first: number;
  readonly last: number;
}

/** Matches words that need no Unicode normalisation. */
const ASCII = /^[a-zA-Z0-9]*$/;
const VERB_OR_AGENT = /(?:ing|ed|er|or|ion)$/;
const MIN_STEM = 4;

/**
 * Returns the lower-cased word without accents, a plural ending and one ending of verbs and agents:
 * director, directed and directs share a stem.
 */
export function stemOf(word: string): string {
  let stem = ASCII.test(word)
    ? word.toLowerCase()
    : word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (stem.length <= MIN_STEM || /\d/.test(stem)) return stem;
  if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);
  const short = stem.replace(VERB_OR_AGENT, '');
  if (short.length >= MIN_STEM) stem = short;
  return stem.length > MIN_STEM && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

/** Limit on words: the published Labeler reads 384 word pieces of a chunk. */
const MAX_WORDS = 384;
/** Words that may join two capitalised words of one name. */
const JOINING = new Set(
  'of the for de la le van von der den di da du al el bin ibn and y'.split(' '),
);

/** Reads the first words of a text, at most `limit`. */
export function readWords(text: string, limit: number = MAX_WORDS): Word[] {
  const spans = sentenceSpans(text);
  let sentence = 0;
  const words: Omit<Word, 'first' | 'last'>[] = [];
  for (const [start, end] of wordRuns(text)) {
    if (words.length === limit) break;
    while (sentence + 1 < spans.length && start >= spans[sentence]![1]) sentence++;
    const piece = text.slice(start, end);
    const stop = ENGLISH_STOP_WORDS.has(piece.toLowerCase()) || piece.length === 1;
    words.push({
      text: piece,
      stem: stemOf(piece),
      start,
      end,
      sentence,
      stop,
      capital: /^\p{Lu}/u.test(piece),
      digit: /^\p{N}/u.test(piece),
    });
  }
  return withRuns(words, text);
}

type Bare = Omit<Word, 'first' | 'last'>;

function withRuns(words: readonly Bare[], text: string): Word[] {
  const runs: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const last = runEnd(words, text, at);
    for (let index = at; index <= last; index++) runs.push({ ...words[index]!, first: at, last });
    at = last + 1;
  }
  return runs;
}

/**
 * Returns the last word of a run: capitalised words and numbers separated by a space, a hyphen or
 * the point of an initial.
 */
function runEnd(words: readonly Bare[], text: string, first: number): number {
  if (!isNamed(words[first]!)) return first;
  let last = first;
  for (;;) {
    const next = words[last + 1];
    if (!next || !adjoins(words[last]!, next, text)) return last;
    if (next.capital || next.digit) last++;
    else {
      const after = words[last + 2];
      if (!JOINING.has(next.text) || !after?.capital || !adjoins(next, after, text)) return last;
      last += 2;
    }
  }
}

const isNamed = (word: Bare): boolean =>
  word.digit || (word.capital && !(word.stop && word.text.length > 1));

function adjoins(a: Bare, b: Bare, text: string): boolean {
  const between = text.slice(a.end, b.start);
  return (
    between === ' ' ||
    between === '-' ||
    between === '–' ||
    between === "'" ||
    between === '’' ||
    (between === '. ' && a.text.length === 1)
  );
}
