/** Reads what a question asks, once for all who need it. */
import type { AnalysisCache, AnalysisKind } from '../core/corpus/analysis-cache.ts';
import type { ExtractedFilter, MetadataCatalogue } from './catalogue.ts';
import { findNames } from './english/names/names.ts';
import { type AskedQuestion, askedQuestion } from './english/question/asked-question.ts';
import { extractByRules } from './english/question/extract-by-rules.ts';
import { type Lane, lanesOf } from './english/question/lanes.ts';
import { plainQuestion } from './english/question/plain-question.ts';

/** A question, in the spelling that analysis reads; each part is read at its first use. */
export class Asked {
  readonly text: string;
  private readonly catalogue: MetadataCatalogue;
  private ownSought: AskedQuestion | undefined;
  private ownNamed: ExtractedFilter | undefined;
  private ownClauses: readonly Lane[] | undefined;
  private ownNames: readonly string[] | undefined;

  constructor(text: string, catalogue: MetadataCatalogue) {
    [this.text, this.catalogue] = [text, catalogue];
  }

  /** The kind of answer, its noun and types, and what is described besides. */
  get sought(): AskedQuestion {
    return (this.ownSought ??= askedQuestion(this.text));
  }

  /** Sources and days, known and unknown. */
  get named(): ExtractedFilter {
    return (this.ownNamed ??= extractByRules(this.text, this.catalogue));
  }

  /** Clauses that are searched apart, each with the sources and days that it names. */
  get clauses(): readonly Lane[] {
    return (this.ownClauses ??= lanesOf(this.text, this.catalogue));
  }

  get names(): readonly string[] {
    return (this.ownNames ??= findNames(this.text).map(({ text }) => text));
  }

  /**
   * True if the question is one clause and cites no source, so that its description may nest: "the
   * ship from which the winner listens". `sought.nested` tells by grammar that it does; several
   * clauses describe each thing by words of their own.
   */
  get mayNest(): boolean {
    const { sources, unknown } = this.named;
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
  analysis.of(QUESTIONS, text, () => new Asked(plainQuestion(text, catalogue), catalogue));
