/**
 * Keeps what the default strategy shows for the questions that choices may use, with the documents
 * that it stands in: readers are fitted and compared in seconds over the same evidence.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FrozenQuestion, frozenOf, frozenStrategy } from '../../lab/models/frozen-evidence.ts';
import type { Document } from '../../src/core/corpus/document.ts';
import type { Answer } from '../../src/core/trace/answer.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Resources } from '../../src/models/resources.ts';
import { openRankerFile } from '../../src/providers/open-ranker-file.ts';
import type { Reader } from '../../src/readers/reader.ts';
import { ask, ingest } from '../../src/session/verbs.ts';
import { askable } from './check.ts';
import { fetchCorpus } from './corpus.ts';
import { engineOf } from './measure.ts';
import {
  type DocumentQuestion,
  documentQuestions,
  halfOf,
  type QuestionSetName,
} from './questions.ts';

const STRATEGY = 'fact-lanes(tokens=510)';

/** Evidence by the ids of questions, and the documents that it stands in. */
interface KeptEvidence {
  readonly evidence: Readonly<Record<string, FrozenQuestion>>;
  readonly documents: readonly Document[];
}

/** Reads the evidence of a question with a reader. */
export type ReadKept = (
  question: DocumentQuestion,
  reader: Reader,
  resources?: Resources,
) => Promise<Answer>;

/**
 * Returns the questions of a set that choices may use, and what reads their evidence; searches
 * where the cache keeps none, or where `search` is true.
 */
export async function keptQuestions(
  set: QuestionSetName,
  cache: string,
  search = false,
): Promise<{ questions: readonly DocumentQuestion[]; read: ReadKept }> {
  const file = join(cache, 'results', 'documents', `evidence-${set}.json`);
  if (search || !existsSync(file)) await keep(set, cache, file);
  const { evidence, documents }: KeptEvidence = JSON.parse(readFileSync(file, 'utf8'));
  const engine = await ingest(documents);
  const strategy = frozenStrategy(id => evidence[id]!);
  return {
    questions: documentQuestions(set).filter(({ id }) => evidence[id] !== undefined),
    async read({ id, question }, reader, resources = {}) {
      const how = { engine, strategy, reader, id, resources };
      return (await ask(question, { ...how, answerAt: 0 })).answer;
    },
  };
}

async function keep(set: QuestionSetName, cache: string, file: string): Promise<void> {
  const say = (line: string): void => console.error(line);
  const { folder, missing } = await fetchCorpus(cache, say, set);
  const engine = await engineOf([folder], say);
  const evidence: Record<string, FrozenQuestion> = {};
  // A store opens the shipped ranker by itself; an engine in memory is given it.
  const { score } = await openRankerFile(undefined);
  const resources = { reranker: { id: 'ranker', score } };
  for (const { id, question } of askable(documentQuestions(set), missing))
    if (halfOf(id) === 'tune')
      evidence[id] = frozenOf(await ask(question, { engine, strategy: STRATEGY, resources }));
  const ids = Object.values(evidence).flatMap(({ kept }) => kept.map(each => each.documentId));
  const documents = await engine.current.read('document', [...new Set(ids)], freeCall());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ evidence, documents } satisfies KeptEvidence));
}
