/** Reads what a sentence says, once for all who need it. */
import type { AnalysisCache, AnalysisKind } from '../core/corpus/analysis-cache.ts';
import { namesWritten, type WrittenName } from './english/names/entity-names.ts';
import { findMentions, type Mention } from './english/names/mentions.ts';
import { findNames, type NameSpan } from './english/names/names.ts';
import {
  type DateMention,
  findDates,
  findTimes,
  type TimeMention,
} from './english/values/dates.ts';
import { findNumbers, type NumberSpan } from './english/values/numbers.ts';
import { deniesInMain, isNegated } from './english/values/polarity.ts';
import { termsOf } from './english/words/terms.ts';
import { topicStems } from './english/words/topic-stems.ts';
import { stemsOf } from './english/words/verb-forms.ts';
import { ReadOnce } from './read-once.ts';

/** A sentence; each part is read at its first use. */
export class Said extends ReadOnce {
  /** Names, dates, numbers, quotations and phrases that may be answers. */
  get mentions(): readonly Mention[] {
    return this.once('mentions', () => findMentions(this.text));
  }

  /** Capitalised names. */
  get names(): readonly NameSpan[] {
    return this.once('names', () => findNames(this.text));
  }

  /** Names without roles and possessives, each with what stands beside it. */
  get writtenNames(): readonly WrittenName[] {
    return this.once('written names', () => namesWritten(this.text));
  }

  /** Stems of its words, of which forms of a verb share one. */
  get stems(): ReadonlySet<string> {
    return this.once('stems', () => stemsOf(this.text));
  }

  /** Stems of the words that describe its topic. */
  get topics(): ReadonlySet<string> {
    return this.once('topics', () => topicStems(this.text));
  }

  /** Stems of technical words, with the parts of identifiers. */
  get terms(): ReadonlySet<string> {
    return this.once('terms', () => termsOf(this.text));
  }

  /** Numbers with the units behind them, and versions. */
  get numbers(): readonly NumberSpan[] {
    return this.once('numbers', () => findNumbers(this.text));
  }

  /** Dates of a whole day. */
  get dates(): readonly DateMention[] {
    return this.once('dates', () => findDates(this.text));
  }

  /** Dates of any precision, down to the year alone. */
  get times(): readonly TimeMention[] {
    return this.once('times', () => findTimes(this.text));
  }

  /** True if a word denies by grammar. */
  get negated(): boolean {
    return this.once('negated', () => isNegated(this.text));
  }

  /** True if the main clause denies, by grammar or by meaning; undefined if it does so twice. */
  get denied(): boolean | undefined {
    return this.once('denied', () => deniesInMain(this.text));
  }
}

const SENTENCES: AnalysisKind<Said> = {
  name: 'sentences',
  bytes: ({ text }) => 4096 + 8 * text.length,
};

/** Reads sentences of a snapshot, whose cache keeps them for later questions. */
export const saidOver =
  (analysis: AnalysisCache) =>
  (text: string): Said =>
    analysis.of(SENTENCES, text, () => new Said(text));
