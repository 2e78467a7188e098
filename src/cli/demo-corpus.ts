/** Reads the demo corpus and its questions from the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { thisPackage } from '../platform/package-root.ts';

export interface DemoQuestion {
  readonly id: string;
  readonly text: string;
  readonly answer: string;
  /**
   * Ids of the documents that hold the evidence, in the order in which a reader would find them.
   */
  readonly gold: readonly string[];
}

interface StoredQuestion {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly evidence_list: readonly { readonly url: string }[];
}

export const DEMO_QUESTION = 'demo';

/** Works from a checkout and from an installed package. */
export async function readDemo(
  signal: AbortSignal,
): Promise<{ documents: Document[]; question: DemoQuestion }> {
  const folder = join(thisPackage().folder, 'demo');
  const documents: Document[] = [];
  for await (const event of readDocuments([join(folder, 'corpus.jsonl')], { signal }))
    if (event.type === 'document') documents.push(event.document);
  const questions = JSON.parse(
    await readFile(join(folder, 'questions.json'), 'utf8'),
  ) as StoredQuestion[];
  const found = questions.find(({ id }) => id === DEMO_QUESTION);
  if (!found)
    throw new InputError('bad-demo', 'The demo has no question', {
      expected: `one with the id "${DEMO_QUESTION}"`,
    });
  const byUrl = new Map(documents.map(({ id, metadata }) => [metadata['url'], id]));
  const gold = [...new Set(found.evidence_list.map(({ url }) => byUrl.get(url)!))];
  return { documents, question: { id: found.id, text: found.query, answer: found.answer, gold } };
}
