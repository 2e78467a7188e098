/**
 * Reads a BEIR folder (Thakur et al., NeurIPS Datasets and Benchmarks 2021, arXiv 2104.08663) as a
 * data set: `corpus.jsonl`, `queries.jsonl` and one file of judgements, `qrels/SPLIT.tsv`. It holds
 * no answers, so measures of answers have no value, unless the metadata of a query have an `answer`
 * or `answers`.
 */

import { basename, dirname, resolve } from 'node:path';
import { defined } from '../../core/defined.ts';
import type { DataSet, Example, Gold } from '../../evaluation/example.ts';
import { type Fields, isFields } from '../records/record.ts';
import {
  addExample,
  answersOf,
  Gathered,
  idField,
  problemOf,
  readCorpus,
  readEntries,
  requireExamples,
  textField,
} from './data-set-file.ts';
import { type Qrels, readQrels } from './qrels.ts';

interface BeirFiles {
  readonly corpus: string;
  readonly questions: string;
  readonly qrels: string;
}

/**
 * Reads the queries that the judgements call relevant documents for; the others (of other splits,
 * or without a relevant document) are counted in `problems` and left out. A judgement of a document
 * that the corpus does not hold stays as gold that nothing can find. Throws `InputError`.
 */
export async function readBeir({ corpus, questions, qrels }: BeirFiles): Promise<DataSet> {
  const gathered = new Gathered();
  const judged = await readQrels(qrels);
  await readCorpus(corpus, gathered);
  const titles = new Map(gathered.documents.map(({ id, title }) => [id, title]));
  const seen = new Set<string>();
  const asked = new Set<string>();
  let queries = 0;
  for (const { index, fields } of await readEntries(questions, 'query', gathered.problems)) {
    queries++;
    const [id, text] = [idField(fields, '_id', 'id'), textField(fields, 'text', 'query')];
    if (id !== undefined) asked.add(id);
    const gold = goldOf(id === undefined ? undefined : judged.get(id), titles);
    if (gold.length === 0) continue;
    if (text === undefined)
      gathered.problems.push(problemOf(index, '', `left out: query "${id}" has no text`));
    else
      addExample(gathered, seen, index, {
        id: id!,
        question: { id: id!, text },
        answers: answersOf(metadataOf(fields)),
        gold,
      });
  }
  requireExamples(gathered, questions, `queries with an _id that ${qrels} names, and a text`);
  const { documents, examples, problems } = gathered;
  const counted = countedProblems(judged, { asked, queries, titles, used: examples, qrels });
  const name = basename(dirname(resolve(corpus)));
  return { name: `beir/${name}`, documents, examples, problems: [...counted, ...problems] };
}

const metadataOf = ({ metadata }: Fields): Fields => (isFields(metadata) ? metadata : {});

/** Returns the documents with a grade above 0. */
function goldOf(
  grades: ReadonlyMap<string, number> = new Map(),
  titles: ReadonlyMap<string, string>,
): Example['gold'] {
  return [...grades]
    .filter(([, grade]) => grade > 0)
    .map(([documentId, grade]) =>
      defined<Gold>({
        documentId,
        title: titles.get(documentId) ?? '',
        grade: grade === 1 ? undefined : grade,
      }),
    );
}

interface Counted {
  readonly asked: ReadonlySet<string>;
  readonly queries: number;
  readonly titles: ReadonlyMap<string, string>;
  readonly used: readonly Example[];
  readonly qrels: string;
}

/** Returns one sentence for each kind of thing that files do not agree on, with its number. */
function countedProblems(
  judged: Qrels,
  { asked, queries, titles, used, qrels }: Counted,
): string[] {
  const file = basename(qrels);
  const left = queries - used.length;
  const foreign = [...judged.keys()].filter(id => !asked.has(id));
  const judgedIds = [...judged.values()].flatMap(grades => [...grades.keys()]);
  const unknown = judgedIds.filter(id => !titles.has(id));
  const first = (ids: readonly string[]): string => `the first is ${JSON.stringify(ids[0])}`;
  return [
    ...(left > 0
      ? [`${left} of ${queries} queries are left out: ${file} names no relevant document for them`]
      : []),
    ...(foreign.length > 0
      ? [`${file} judges ${foreign.length} queries that have no text; ${first(foreign)}`]
      : []),
    ...(unknown.length > 0
      ? [
          `${unknown.length} of ${judgedIds.length} judgements of ${file} name documents that the corpus does not hold; ${first(unknown)}`,
        ]
      : []),
  ];
}
