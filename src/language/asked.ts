/** Reads what a question asks, once for all who need it. */
import type { AnalysisCache, AnalysisKind } from '../core/corpus/analysis-cache.ts';
import type { ExtractedFilter, MetadataCatalogue } from './catalogue.ts';
import { findNames } from './english/names/names.ts';
import { type AskedValue, askedForm, askedParts } from './english/question/asked-form.ts';
import { type AskedQuestion, askedQuestion } from './english/question/asked-question.ts';
import { extractByRules } from './english/question/extract-by-rules.ts';
import { type Lane, lanesOf } from './english/question/lanes.ts';
import { plainQuestion } from './english/question/plain-question.ts';
import { withPlainWords } from './plain-words.ts';
import { ReadOnce } from './read-once.ts';

const NO_METADATA: MetadataCatalogue = { sources: [], days: [] };

/** A question, in the spelling that analysis reads; each part is read at its first use. */
export class Asked extends ReadOnce {
  private readonly catalogue: MetadataCatalogue;

  constructor(text: string, catalogue: MetadataCatalogue = NO_METADATA) {
    super(text);
    this.catalogue = catalogue;
  }

  /** The kind of answer, its noun and types, and what is described besides. */
  get sought(): AskedQuestion {
    return this.once('sought', () => askedQuestion(this.text));
  }

  /** Sources and days, known and unknown. */
  get cited(): ExtractedFilter {
    return this.once('cited', () => extractByRules(this.text, this.catalogue));
  }

  /** Clauses that are searched apart, each with the sources and days that it names. */
  get clauses(): readonly Lane[] {
    return this.once('clauses', () => lanesOf(this.text, this.catalogue));
  }

  get names(): readonly string[] {
    return this.once('names', () => findNames(this.text).map(({ text }) => text));
  }

  /** The form of the value that documentation states, its noun and subject. */
  get value(): AskedValue {
    return this.once('value', () => askedForm(this.text));
  }

  /** The same of each of the questions that it asks one after the other, at least one. */
  get values(): readonly AskedValue[] {
    return this.once('values', () => askedParts(this.text).map(askedForm));
  }

  /**
   * True if the question is one clause and cites no source, so that its description may nest: "the
   * ship from which the winner listens". Several clauses describe each thing by words of their own.
   *
   * Four rules ask for nesting, each for what it costs to be wrong. This one admits most: a search
   * more for names that lead on. `sought.nested` sees a clause that describes ("the company founded
   * by"), a feature of fitted weights. `describesThing` sees any phrase that may name a project
   * ("the library that Tern uses"). `nestedSubQuestions` cuts the phrase out and needs its ends.
   */
  get mayNest(): boolean {
    const { sources, unknown } = this.cited;
    return this.clauses.length === 1 && sources.length + unknown.length === 0;
  }
}

const QUESTIONS: AnalysisKind<Asked> = {
  name: 'questions',
  bytes: ({ text }) => 2048 + 8 * text.length,
};

/** Reads a question over a snapshot, whose cache keeps it for the reader that comes after. */
export const askedOver = (
  text: string,
  catalogue: MetadataCatalogue,
  analysis: AnalysisCache,
): Asked =>
  analysis.of(
    QUESTIONS,
    text,
    () => new Asked(plainQuestion(withPlainWords(text), catalogue), catalogue),
  );
