/** A graded question, and what a measure is. */
import type { Metadata, Span } from '../core/corpus/document.ts';
import type { Question, Trace } from '../core/trace/trace.ts';

export type QuestionType = 'comparison' | 'inference' | 'temporal' | 'null' | (string & {});

/** One piece of gold evidence. */
export interface Gold {
  readonly documentId: string;
  readonly title: string;
  /** A sentence that stands verbatim in the document. */
  readonly fact?: string;
  readonly span?: Span;
  /** Relevance grade of the document, as qrels state it; 1 when missing. */
  readonly grade?: number;
}

export interface Example {
  readonly id: string;
  /** True if its file states no id: the id is its place in the file, which may change. */
  readonly idIsPlace?: true;
  readonly question: Question;
  /** All accepted answers, the main one first. */
  readonly answers: readonly string[];
  readonly type?: QuestionType;
  /** In list order, duplicates kept: two facts of one document are two entries. */
  readonly gold: readonly Gold[];
  /** The documents of a distractor question. */
  readonly within?: readonly string[];
  /** The data set's own decomposition, triples or sub-questions, untouched. */
  readonly chain?: unknown;
}

/**
 * A score that is a ratio of two counts and averages as such (micro): the sum of numerators over
 * the sum of denominators.
 */
export interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * A score that is several numbers: they add up key by key over the questions, and the measure's
 * `aggregate` makes the value of the sums.
 */
export type Sums = Readonly<Record<string, number>>;

export type Score = number | Ratio | Sums;

/**
 * Turns scores into one value that is neither their mean nor a micro mean: a function of their
 * sums, or a quantile of them.
 */
export type Aggregate =
  | { readonly kind: 'sums'; value(sums: Sums, n: number): number }
  /** Linear interpolation between order statistics (type 7). `at` is from 0 to 1. */
  | { readonly kind: 'quantile'; readonly at: number };

/** Unit of a score. A share is from 0 to 1, a coefficient from -1 to 1. */
export type MeasureUnit = 'share' | 'count' | 'tokens' | 'milliseconds' | 'coefficient' | 'usd';

/**
 * Verdict of a judge on one answer to one question; equal answers of different rows are judged
 * once.
 */
export interface Verdict {
  /** The judge's id. */
  readonly judge: string;
  readonly question: string;
  readonly answer: string;
  /** Missing where there is no verdict. */
  readonly match?: boolean;
  /**
   * Reason of a missing verdict: the reply could not be read, the port failed, the budget was used
   * up.
   */
  readonly missing?: 'unparsed' | 'failed' | 'budget';
  /** Reason that the judge gave, or its reply in the place of a verdict; at most 200 characters. */
  readonly reason?: string;
}

/** Verdicts, found by judge, question and answer; `verdictLookup` makes it. */
export interface VerdictLookup {
  readonly all: readonly Verdict[];
  /** `judge`: empty for the only judge. Undefined if no such judge judged anything. */
  of(judge: string): ((question: string, answer: string) => Verdict | undefined) | undefined;
}

/** Stored data that a measure may read, named by hash in the manifest; never a live system. */
export interface Records {
  /** The text of a document. */
  text(documentId: string): string;
  /**
   * The title of a document; measures by title fall back on the titles of gold and evidence where
   * this is missing.
   */
  title?(documentId: string): string;
  /**
   * The metadata of a document; undefined for one that is not stored. Measures of filters have no
   * value where this is missing.
   */
  metadata?(documentId: string): Metadata | undefined;
  /** A judge's verdicts on answers; measures of judges have no value without them. */
  readonly verdicts?: VerdictLookup;
}

/** The table of a report in which a measure stands; that of further measures if missing. */
export type MeasureTable =
  | 'facts'
  | 'documents'
  | 'cost'
  | 'time'
  | 'cut-offs'
  | 'ranking'
  | 'answers'
  | 'judge';

/**
 * A measure is a pure function of an example and a trace, under its canonical name.
 *
 * @example
 * ```ts
 * import type { Measure } from 'multihop';
 * import { measureLaws } from 'multihop/testing';
 *
 * const searches: Measure = {
 *   name: 'Searches',
 *   summary: 'Searches a question',
 *   unit: 'count',
 *   better: 'lower',
 *   score: (_example, trace) => trace.spent.retrievals ?? 0,
 * };
 * for (const law of measureLaws(searches)) await law.run();
 * ```
 */
export interface Measure {
  readonly name: string;
  readonly summary: string;
  /** `share` when missing. */
  readonly unit?: MeasureUnit;
  /** `higher` when missing. */
  readonly better?: 'higher' | 'lower';
  readonly table?: MeasureTable;
  /** The only part of a trace that it reads, if it reads no more. */
  readonly reads?: 'answer' | 'ranking';
  /** Undefined: this question has no value here and is left out of n. */
  score(example: Example, trace: Trace, records: Records): Score | undefined;
  /** Computes the value of many scores, in a form that can be resampled fast. */
  readonly aggregate?: Aggregate;
  /**
   * The value of many scores where no `aggregate` fits; the mean where both are missing (ratios:
   * micro mean).
   */
  combine?(scores: readonly Score[]): number;
}

/** A corpus and its graded questions. */
export interface DataSet {
  readonly name: string;
  readonly documents: readonly import('../core/corpus/document.ts').Document[];
  readonly examples: readonly Example[];
  /** Problems that the loader found, each with its place; loading goes on where it can. */
  readonly problems: readonly string[];
}
