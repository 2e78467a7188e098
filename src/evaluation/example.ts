/** A graded question, and what a measure is. */
import type { Span } from '../corpus/document.ts';
import type { Question, Trace } from '../trace/trace.ts';

export type QuestionType = 'comparison' | 'inference' | 'temporal' | 'null' | (string & {});

/** One piece of gold evidence. */
export interface Gold {
  readonly documentId: string;
  readonly title: string;
  /** A sentence that stands verbatim in the document. */
  readonly fact?: string;
  readonly span?: Span;
}

export interface Example {
  readonly id: string;
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

/** A score that is a ratio of two counts and averages as such (micro): the sum of numerators over the sum of denominators. */
export interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
}

export type Score = number | Ratio;

/** Stored data that a measure may read, named by hash in the manifest; never a live system. */
export interface Records {
  /** The text of a document. */
  text(documentId: string): string;
}

/** A measure is a pure function of an example and a trace, under its canonical name. */
export interface Measure {
  readonly name: string;
  readonly summary: string;
  /** Undefined: this question has no value here and is left out of n. */
  score(example: Example, trace: Trace, records: Records): Score | undefined;
  /** The value of many scores; the mean where this is missing (ratios: micro mean). */
  combine?(scores: readonly Score[]): number;
}

/** A corpus and its graded questions. */
export interface DataSet {
  readonly name: string;
  readonly documents: readonly import('../corpus/document.ts').Document[];
  readonly examples: readonly Example[];
  /** What the loader found wrong, each naming its place; loading goes on where it can. */
  readonly problems: readonly string[];
}
