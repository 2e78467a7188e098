/** The questions over aligned texts: written once in English and translated before any ranking. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsOf } from './parts.ts';
import type { SetName } from './sets.ts';

export interface AlignedQuestion {
  readonly id: string;
  /** The paragraphs that together answer, by page and by id within the page. */
  readonly evidence: readonly { readonly page: string; readonly part: string }[];
  /** The question by language. */
  readonly asked: Readonly<Record<string, string>>;
}

/** Returns the questions of a set. */
export const questionsOf = (set: SetName): readonly AlignedQuestion[] =>
  readFileSync(questionsFile(set), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

export const questionsFile = (set: SetName): URL =>
  new URL(`${set}-questions.jsonl`, import.meta.url);

/** The pages and paragraphs that answer a question in one language. */
export interface Gold {
  readonly pages: ReadonlySet<string>;
  /** The paragraphs that must be shown. */
  readonly parts: readonly string[];
}

/**
 * Returns what answers a question in the folder of a language; ids of pages begin with `before`.
 * Throws if a part is missing.
 */
export function goldOf({ id, evidence }: AlignedQuestion, folder: string, before = ''): Gold {
  const parts = evidence.map(({ page, part }) => {
    const text = partsOf(readFileSync(join(folder, page), 'utf8')).get(part);
    if (text === undefined) throw new Error(`${id}: ${folder}/${page} has no part ${part}`);
    return text;
  });
  return { pages: new Set(evidence.map(({ page }) => before + page)), parts };
}
