/**
 * Words as the lite classifiers read them: word runs with a light stem in the place of spaCy's
 * words and lemmas (sheet 9), and the names that they make up.
 */
import { sentenceSpans } from '../../text/sentences.ts';
import { ENGLISH_STOP_WORDS } from '../../text/stop-words.ts';
import { wordRuns } from '../../text/words.ts';

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

const VERB_OR_AGENT = /(?:ing|ed|er|or|ion)$/;
const LEAST_STEM = 4;

/**
 * Lower case without accents; plural, then one ending of verbs and agents away: director, directed
 * and directs are one.
 */
export function stemOf(word: string): string {
  let stem = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (/\d/.test(stem) || stem.length <= LEAST_STEM) return stem;
  if (stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);
  const short = stem.replace(VERB_OR_AGENT, '');
  if (short.length >= LEAST_STEM) stem = short;
  return stem.length > LEAST_STEM && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

const stems = new Map<string, string>();
const MOST_STEMS = 50_000;

function knownStem(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size >= MOST_STEMS) stems.clear();
    stem = stemOf(word);
    stems.set(word, stem);
  }
  return stem;
}

/** What the published Labeler reads of a chunk, in pieces of words; here in words. */
const MOST_WORDS = 384;
/** May stand between two capitalised words of one name. */
const JOINING = new Set(
  'of the for de la le van von der den di da du al el bin ibn and y'.split(' '),
);

/** The first words of a text, at most `limit`. */
export function readWords(text: string, limit: number = MOST_WORDS): Word[] {
  const spans = sentenceSpans(text);
  let sentence = 0;
  const words: Omit<Word, 'first' | 'last'>[] = [];
  for (const [start, end] of wordRuns(text)) {
    if (words.length === limit) break;
    while (sentence + 1 < spans.length && start >= spans[sentence]![1]) sentence++;
    const piece = text.slice(start, end);
    const stop = ENGLISH_STOP_WORDS.has(piece.toLowerCase()) || piece.length === 1;
    words.push({
      ...{ text: piece, stem: knownStem(piece), start, end, sentence, stop },
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
 * Capitalised words and numbers that only a space, a hyphen or an initial's point parts are one
 * run.
 */
function runEnd(words: readonly Bare[], text: string, first: number): number {
  if (!named(words[first]!)) return first;
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

const named = (word: Bare): boolean =>
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
