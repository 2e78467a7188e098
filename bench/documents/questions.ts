/** The questions of the benchmark of documents: their shape, and the halves they fall into. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainWords } from './plain-words.ts';

export const KINDS = ['one-hop', 'multi-hop', 'how-to', 'unanswerable'] as const;
export type Kind = (typeof KINDS)[number];

export interface DocumentEvidence {
  /** The path of the document below the corpus. */
  readonly document: string;
  /** A regular expression that matches the plain words of the document, and of evidence. */
  readonly pattern: string;
}

export interface DocumentQuestion {
  readonly id: string;
  readonly kind: Kind;
  readonly question: string;
  /** Regular expressions that a right answer matches, all of them; none if unanswerable. */
  readonly answer: readonly string[];
  /** The answer of a question that is answered by yes or no. */
  readonly verdict?: 'yes' | 'no';
  /** Passages that together answer the question; none if unanswerable. */
  readonly evidence: readonly DocumentEvidence[];
}

export type Half = 'tune' | 'held';

/** The corpora that have questions, with their files. */
const QUESTIONS = { first: 'questions.jsonl', fresh: 'fresh/questions.jsonl' } as const;

export type QuestionSetName = keyof typeof QUESTIONS;
export const SETS = ['first', 'fresh'] as const;

/** Returns the questions over a corpus. */
export const documentQuestions = (set: QuestionSetName = 'first'): readonly DocumentQuestion[] =>
  readFileSync(new URL(QUESTIONS[set], import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

/** Returns the half of a question by a hash of its id; `held` is never used to choose anything. */
export const halfOf = (id: string): Half =>
  createHash('sha256').update(id).digest()[0]! % 2 === 0 ? 'tune' : 'held';

/** Returns the expression of a pattern: without case, and over lines. */
export const expressionOf = (pattern: string): RegExp => new RegExp(pattern, 'is');

/** Returns true if the shown text carries every passage that the answer needs. */
export function suffices(shown: string, { evidence }: DocumentQuestion): boolean {
  const words = plainWords(shown);
  return evidence.every(({ pattern }) => expressionOf(pattern).test(words));
}

/** Returns true if an answer matches every pattern; a yes or no must not say the other. */
export function isRight(answer: string, { answer: patterns, verdict }: DocumentQuestion): boolean {
  if (patterns.length === 0) return false;
  const said = /^\W*(yes|no)\b/i.exec(answer)?.[1]?.toLowerCase();
  if (verdict !== undefined && said !== undefined) return said === verdict;
  const words = plainWords(answer);
  return patterns.every(pattern => expressionOf(pattern).test(words));
}
