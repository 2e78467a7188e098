/** Checks that the corpus carries what the questions say about it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathWords } from '../../src/core/corpus/outline.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { contentWords } from '../../src/language/english/words/content-words.ts';
import { termsOf } from '../../src/language/english/words/terms.ts';
import type { Corpus } from './corpus.ts';
import { folderOf } from './manifest.ts';
import { plainWords } from './plain-words.ts';
import { type DocumentEvidence, type DocumentQuestion, expressionOf } from './questions.ts';

export interface Checked {
  readonly checked: number;
  /** Questions whose packages cannot be had: they leave the number of questions. */
  readonly without: readonly string[];
  /** One line for each pattern that stands in no document it should. */
  readonly faults: readonly string[];
}

/** Returns the questions whose documents come from packages that can be had. */
export function askable(
  questions: readonly DocumentQuestion[],
  missing: ReadonlyMap<string, string>,
): readonly DocumentQuestion[] {
  const folders = new Set([...missing.keys()].map(folderOf));
  return questions.filter(
    ({ evidence }) => !evidence.some(({ document }) => folders.has(document.split('/')[0]!)),
  );
}

/** Returns the plain words of a document of the corpus; undefined if there is none. */
export type WordsOf = (document: string) => string | undefined;

/** Matches every pattern of every question against the documents of the corpus. */
export function checkQuestions(
  questions: readonly DocumentQuestion[],
  corpus: Corpus,
  wordsOf: WordsOf = rawWords(corpus),
): Checked {
  const asked = askable(questions, corpus.missing);
  return {
    checked: asked.length,
    without: questions.filter(question => !asked.includes(question)).map(({ id }) => id),
    faults: asked.flatMap(question => faultsOf(question, wordsOf)),
  };
}

/** Reads the words of files as they were fetched, each file once. */
function rawWords({ folder }: Corpus): WordsOf {
  const read = new Map<string, string | undefined>();
  return document => {
    if (!read.has(document)) read.set(document, readWords(join(folder, document)));
    return read.get(document);
  };
}

/** Reads the words that `readDocuments` makes of all files: the text that can be shown. */
export async function shownWords({ folder }: Corpus): Promise<WordsOf> {
  const read = new Map<string, string>();
  for await (const { id, words } of readWordsOf(folder)) read.set(id, words);
  return document => read.get(document);
}

/** Reads the PDF files of the evidence, whose words do not stand in their bytes; others as raw. */
export async function writtenWords(
  questions: readonly DocumentQuestion[],
  corpus: Corpus,
): Promise<WordsOf> {
  const evidence = askable(questions, corpus.missing).flatMap(question => question.evidence);
  const read = new Map<string, string>();
  for (const document of new Set(evidence.map(each => each.document)))
    if (document.endsWith('.pdf') && existsSync(join(corpus.folder, document)))
      for await (const { words } of readWordsOf(join(corpus.folder, document)))
        read.set(document, words);
  const raw = rawWords(corpus);
  return document => read.get(document) ?? raw(document);
}

async function* readWordsOf(path: string): AsyncGenerator<{ id: string; words: string }> {
  for await (const event of readDocuments([path]))
    if (event.type === 'document') {
      const { id, title, text } = event.document;
      yield { id, words: plainWords(`${title}\n${text}`) };
    }
}

const readWords = (file: string): string | undefined =>
  existsSync(file) ? plainWords(readFileSync(file, 'utf8')) : undefined;

function faultsOf({ id, evidence, answer, verdict }: DocumentQuestion, wordsOf: WordsOf): string[] {
  const places = evidence.flatMap(({ document, pattern }) => {
    const words = wordsOf(document);
    if (words === undefined) return [`${id}: there is no document ${document}`];
    return expressionOf(pattern).test(words) ? [] : [`${id}: ${pattern} is not in ${document}`];
  });
  if (verdict !== undefined || evidence.length === 0) return places;
  const all = evidence.map(({ document }) => wordsOf(document) ?? '');
  return [
    ...places,
    ...answer
      .filter(pattern => !all.some(words => expressionOf(pattern).test(words)))
      .map(pattern => `${id}: the answer ${pattern} is in none of its documents`),
  ];
}

/** Words before and behind a passage that belong to its section, as near as no outline tells. */
const AROUND = 80;

/**
 * Returns the share of a question's content words, by their stems, that its passages have, each
 * with the words around it and those of its path: a question that copies its page is easy. The mean
 * over the questions with evidence.
 */
export function sharedWords(questions: readonly DocumentQuestion[], wordsOf: WordsOf): number {
  const shares = questions.flatMap(({ question, evidence }) => {
    const asked = termsOf([...contentWords(question)].join(' '));
    const held = termsOf(evidence.map(each => aroundOf(each, wordsOf)).join(' '));
    return evidence.length > 0 && asked.size > 0
      ? [asked.intersection(held).size / asked.size]
      : [];
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function aroundOf({ document, pattern }: DocumentEvidence, wordsOf: WordsOf): string {
  const words = wordsOf(document) ?? '';
  const found = expressionOf(pattern).exec(words);
  if (!found) return '';
  const before = words.slice(0, found.index).split(/\s+/).slice(-AROUND);
  const behind = words.slice(found.index + found[0].length).split(/\s+/, AROUND);
  return [pathWords(document), ...before, found[0], ...behind].join(' ');
}
