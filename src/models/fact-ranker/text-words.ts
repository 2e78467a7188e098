/**
 * Tokenizes texts for the ranker. Words are numbered within one vocabulary, so that features of
 * many candidates compare numbers instead of strings.
 */
import type { AnalysisCache, AnalysisKind } from '../../core/corpus/analysis-cache.ts';
import { withSpacedLetters, wordsIn } from '../../core/text/matched-words.ts';
import { countWords } from '../../core/text/words.ts';
import { isContentWord } from '../../language/english/words/content-words.ts';
import { capitalisedRuns, nameWord, stemOf } from '../../language/english/words/stems.ts';
import { type SentenceForm, sentenceForm } from './sentence-form.ts';

/** Number of words from which on further views start a new vocabulary. */
const FULL_VOCABULARY = 1 << 18;

/** Stands for a word that has no stem or no capitalised form. */
const NONE = -1;

/** Returns the stem of a word run that has content. */
const contentStem = (word: string): string | undefined =>
  isContentWord(word) ? stemOf(word) : undefined;

/** V8 copies slices below this length. */
const SLICED = 13;
/** Copies a word: a slice of a text may keep the whole text in memory. */
const copyOf = (word: string): string =>
  word.length < SLICED ? word : new TextDecoder().decode(new TextEncoder().encode(word));

/** Numbers words from 0, in the order in which it reads them. */
export class Vocabulary {
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  /** Numbers of what texts contain: of the stem of a word run, of a capitalised word as written. */
  private readonly stems = new Map<string, number>();
  private readonly capitals = new Map<string, number>();
  /** By number: the last list that has it. */
  private readonly lists: number[] = [];
  private list = 0;
  /** Zeros, or undefined while in use. */
  private places: Int32Array | undefined;

  get size(): number {
    return this.words.length;
  }

  /** True if further views should start a new vocabulary. */
  get isFull(): boolean {
    return this.words.length + this.stems.size + this.capitals.size >= FULL_VOCABULARY;
  }

  numbersOf(words: Iterable<string>): number[] {
    return Array.from(words, word => this.numberOf(word));
  }

  /** Returns the numbers of the distinct `contentStems` of a text. */
  stemsOf(lower: string): number[] {
    return this.distinct(wordsIn(lower), this.stems, contentStem);
  }

  /** Returns the numbers of the distinct `capitalisedWords` of a text. */
  capitalsOf(text: string): number[] {
    return this.distinct(capitalisedRuns(text), this.capitals, nameWord);
  }

  /** Numbers the forms of words, each computed once. */
  private distinct(
    written: readonly string[],
    known: Map<string, number>,
    formOf: (word: string) => string | undefined,
  ): number[] {
    const numbers: number[] = [];
    this.list++;
    for (const word of written) {
      let number = known.get(word);
      if (number === undefined) {
        const form = formOf(word);
        number = form === undefined ? NONE : this.numberOf(form);
        known.set(copyOf(word), number);
      }
      if (number === NONE || this.lists[number] === this.list) continue;
      this.lists[number] = this.list;
      numbers.push(number);
    }
    return numbers;
  }

  private numberOf(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const copy = copyOf(word);
    this.numbers.set(copy, this.words.length);
    this.lists.push(0);
    return this.words.push(copy) - 1;
  }

  wordsOf(numbers: readonly number[]): Set<string> {
    return new Set(numbers.map(number => this.words[number]!));
  }

  /**
   * Calls `work` with an array indexed by word number: the place of the word in `words`, from 1; 0
   * for every other word of the vocabulary. The array is only valid during the call: clearing a new
   * one for each call would take longer than most work.
   */
  withPlaces<T>(words: readonly string[], work: (places: Int32Array) => T): T {
    const numbers = words.map(word => this.numbers.get(word));
    const places = this.takePlaces();
    try {
      for (const [index, number] of numbers.entries())
        if (number !== undefined) places[number] = index + 1;
      return work(places);
    } finally {
      for (const number of numbers) if (number !== undefined) places[number] = 0;
      this.places = places;
    }
  }

  /** Returns zeros; a call inside another gets an array of its own. */
  private takePlaces(): Int32Array {
    const { places } = this;
    this.places = undefined;
    return places && places.length >= this.size ? places : new Int32Array(2 * this.size);
  }
}

/** The words of one text. Values that only some candidates need are computed at their first use. */
export class TextWords {
  readonly vocabulary: Vocabulary;
  readonly stemNumbers: readonly number[];
  readonly capitalNumbers: readonly number[];
  /** Number of words. */
  readonly count: number;
  readonly lower: string;
  private ownStems: ReadonlySet<string> | undefined;
  private ownPadded: string | undefined;
  private ownTitle: string | undefined;
  /** The text until its form is known: the text itself is not kept. */
  private written: string | SentenceForm;

  constructor(text: string, vocabulary: Vocabulary) {
    this.written = text;
    this.vocabulary = vocabulary;
    this.lower = text.toLowerCase();
    this.stemNumbers = vocabulary.stemsOf(this.lower);
    this.capitalNumbers = vocabulary.capitalsOf(text);
    this.count = countWords(text);
  }

  get stems(): ReadonlySet<string> {
    return (this.ownStems ??= this.vocabulary.wordsOf(this.stemNumbers));
  }

  get capitals(): ReadonlySet<string> {
    return this.vocabulary.wordsOf(this.capitalNumbers);
  }

  /** Numbers that describe how the text is written. */
  get form(): SentenceForm {
    if (typeof this.written === 'string')
      this.written = sentenceForm(this.written, this.count, this.capitalNumbers.length);
    return this.written;
  }

  /** The lower-cased words with one blank around each. */
  get padded(): string {
    return (this.ownPadded ??= padded(this.lower));
  }

  /** The same for a title without a parenthesis at its end. */
  get bareTitle(): string {
    return (this.ownTitle ??= padded(bareTitle(this.lower)));
  }
}

/**
 * Returns lower-cased words with one blank around each, so that a search for a padded name finds
 * whole words only. A combining mark belongs to its letter; accents of Latin letters are left out,
 * as questions leave them out.
 */
export const padded = (lower: string): string =>
  ` ${withSpacedLetters(withoutAccents(lower))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

const withoutAccents = (text: string): string =>
  NOT_ASCII.test(text) ? text.normalize('NFD').replace(ACCENTS, '').normalize('NFC') : text;
const NOT_ASCII = /[^\0-\x7f]/;
const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;

/**
 * Drops a parenthesis at the end: texts mention "Inna (singer)" as "Inna". Trims first, because
 * matching blanks before a parenthesis takes quadratic time in a long run of them.
 */
export const bareTitle = (title: string): string =>
  title
    .trimEnd()
    .replace(/\([^()]*\)$/, '')
    .trim();

/** Returns the cache kind of one kind of texts, such as sentences by their ids. */
export const textWordsKind = (name: string): AnalysisKind<TextWords> => ({
  name,
  // Estimates two arrays, two strings of the text and its form; few texts need their set of stems.
  bytes: ({ lower, stemNumbers, capitalNumbers }) =>
    384 + 2 * lower.length + 8 * (stemNumbers.length + capitalNumbers.length),
});

const VOCABULARY: AnalysisKind<Vocabulary> = { name: 'vocabulary', bytes: () => 0 };

/** Tokenizes texts of one snapshot with one vocabulary, through the snapshot's analysis cache. */
export class TextReader {
  readonly vocabulary: Vocabulary;
  private readonly analysis: AnalysisCache;

  /** Starts a new vocabulary if the snapshot's own is full. */
  constructor(analysis: AnalysisCache) {
    this.analysis = analysis;
    const known = analysis.get(VOCABULARY, '');
    this.vocabulary = known && !known.isFull ? known : new Vocabulary();
    if (this.vocabulary !== known) analysis.set(VOCABULARY, '', this.vocabulary);
  }

  /** Returns the words of a text, cached by kind and id. */
  read(kind: AnalysisKind<TextWords>, id: string, text: () => string): TextWords {
    const known = this.analysis.get(kind, id);
    if (known?.vocabulary === this.vocabulary) return known;
    const words = new TextWords(text(), this.vocabulary);
    this.analysis.set(kind, id, words);
    return words;
  }
}
