/** Gathers the documents and questions over which `npm run same` runs every strategy. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from '../../src/core/corpus/document.ts';
import type { Question } from '../../src/core/trace/trace.ts';
import { readDataSet } from '../../src/documents/data-sets.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import type { DataSet } from '../../src/evaluation/example.ts';
import { findData } from '../../src/experiments/find-data.ts';

export interface Corpus {
  readonly name: string;
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
}

const QUESTIONS = 25;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATA_SETS = [
  'multihop-rag',
  'hotpotqa',
  '2wikimultihopqa',
  'musique',
  'obliqa',
  'lihua-world',
] as const;

/** Yields the demo, the readmes of locked packages, and the data sets below `folder` if given. */
export async function* corpora(folder: string | undefined): AsyncGenerator<Corpus, void, void> {
  const corpus = join(ROOT, 'demo/corpus.jsonl');
  const demo = await readDataSet('multihop-rag', {
    corpus,
    questions: join(ROOT, 'demo/questions.json'),
  });
  yield { name: 'demo', documents: demo.documents, questions: spread(demo.examples).map(asked) };
  yield await readmes();
  if (folder === undefined) return;
  for (const name of DATA_SETS) {
    const isBeir = name === 'obliqa' || name === 'lihua-world';
    const format = isBeir ? 'beir' : name;
    const files = findData(format, isBeir ? { folder: join(folder, name) } : {}, folder);
    yield { ...ofQuestions(await readDataSet(format, files)), name };
  }
}

/** Returns evenly spread questions with the documents that they bring, or else their gold. */
function ofQuestions({ documents, examples }: DataSet): Omit<Corpus, 'name'> {
  const chosen = spread(examples);
  const ids = new Set(
    chosen.flatMap(({ within, gold }) => within ?? gold.map(({ documentId }) => documentId)),
  );
  return { documents: documents.filter(({ id }) => ids.has(id)), questions: chosen.map(asked) };
}

/** Returns Markdown with sections, whose versions the lock file holds, asked by their headings. */
async function readmes(): Promise<Corpus> {
  const paths = globSync('node_modules/*/README.md', { cwd: ROOT }).sort();
  const documents: Document[] = [];
  for (const id of paths)
    for await (const event of readDocuments([join(ROOT, id)]))
      if (event.type === 'document') documents.push({ ...event.document, id });
  const questions = documents.flatMap(({ id, title, outline = [] }) =>
    outline
      .filter(({ heading }) => heading.length > 1)
      .slice(0, 1)
      .map(({ heading }) => ({
        id,
        text: `What does ${title} say about ${heading.at(-1)!.toLowerCase()}, and who wrote it?`,
      })),
  );
  return { name: 'readmes', documents, questions: spread(questions) };
}

const asked = ({ question }: { readonly question: Question }): Question => question;

/** Returns at most `QUESTIONS` of `all`, evenly spread. */
function spread<T>(all: readonly T[]): T[] {
  const step = Math.max(1, all.length / QUESTIONS);
  return Array.from(
    { length: Math.min(QUESTIONS, all.length) },
    (_, at) => all[Math.floor(at * step)]!,
  );
}
