/** A part of MultiHop-RAG that a server indexes in seconds: some questions, and what they need. */
import { readMultihopRag } from '../../src/documents/data-sets/multihop-rag.ts';
import { goldDocuments } from '../../src/evaluation/gold-evidence.ts';
import { sampleQuestions } from '../../src/evaluation/question-sample.ts';

type DataSet = Awaited<ReturnType<typeof readMultihopRag>>;

/** One in so many of the documents that no question needs stays beside those it needs. */
const ONE_IN = 6;

/**
 * Returns the data set with only some of its questions, and of its documents those with their
 * evidence and a share of the others: a server spends its time on writing the corpus.
 */
export async function someOfMultihopRag(folder: string, questions: number): Promise<DataSet> {
  const set = await readMultihopRag(`${folder}/corpus.json`, `${folder}/MultiHopRAG.dev.json`);
  const { examples } = sampleQuestions(set.examples, questions);
  const needed = new Set(examples.flatMap(example => [...goldDocuments(example)]));
  const documents = set.documents.filter(({ id }, at) => needed.has(id) || at % ONE_IN === 0);
  return { ...set, documents, examples };
}
