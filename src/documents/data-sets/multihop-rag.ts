/**
 * MultiHop-RAG (Tang and Yang, COLM 2024): news articles and questions whose gold evidence are
 * sentences that stand verbatim in them.
 */

import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import type { DataSet, Example, Gold } from '../../evaluation/example.ts';
import { type Fields, isFields } from '../records/record.ts';
import {
  factSpan,
  Gathered,
  listField,
  readCorpus,
  readEntries,
  readQuestions,
  type StatedQuestion,
  textField,
} from './data-set-file.ts';

const TYPES: ReadonlySet<string> = new Set(['comparison', 'inference', 'temporal', 'null']);

/**
 * The full release (specs/evaluation section 0): recognised by its size, then held to its counts.
 */
const FULL = {
  documents: 609,
  questions: 2556,
  types: { comparison: 856, inference: 816, temporal: 583, null: 301 },
  evidence: 6084,
} as const;

/** Looks up the evidence of a question: by url, then by title. */
interface Lookup {
  readonly byUrl: ReadonlyMap<string, Document>;
  readonly byTitle: ReadonlyMap<string, Document>;
}

/**
 * Question ids are `q` and the index in the file; document ids are urls. A mismatch is listed
 * in `problems`, and the question stays.
 */
export async function readMultihopRag(corpus: string, questions: string): Promise<DataSet> {
  const gathered = new Gathered();
  await readCorpus(corpus, gathered);
  const lookup: Lookup = {
    byUrl: new Map(
      gathered.documents.map(document => [
        String(document.metadata['url'] ?? document.id),
        document,
      ]),
    ),
    byTitle: new Map(gathered.documents.map(document => [document.title, document])),
  };
  const entries = await readEntries(questions, 'question', gathered.problems);
  readQuestions(questions, entries, gathered, {
    expected: 'objects with query, answer, question_type, evidence_list',
    texts: ['query', 'question'],
    ids: [],
    read: question => readFacts(question, lookup),
  });
  gathered.problems.push(...countProblems(gathered));
  return { name: 'multihop-rag', ...gathered };
}

function readFacts(
  { fields, wrong }: StatedQuestion,
  lookup: Lookup,
): Pick<Example, 'type' | 'gold'> {
  const type = (textField(fields, 'question_type') ?? '').replace(/_query$/, '');
  if (!TYPES.has(type))
    wrong(`unknown question_type ${JSON.stringify(fields['question_type'] ?? null)}`);
  const gold = listField(fields, 'evidence_list').flatMap((item, place) => {
    if (isFields(item))
      return [readGold(item, lookup, what => wrong(`evidence ${place}: ${what}`))];
    wrong(`evidence ${place}: not a JSON object`);
    return [];
  });
  if (type === 'null' ? gold.length > 0 : gold.length === 0)
    wrong(type === 'null' ? 'a null question with evidence' : 'no evidence');
  return { type: type || undefined, gold };
}

function readGold(item: Fields, lookup: Lookup, wrong: (what: string) => void): Gold {
  const url = textField(item, 'url');
  const title = textField(item, 'title') ?? '';
  const fact = textField(item, 'fact');
  const document =
    (url === undefined ? undefined : lookup.byUrl.get(url)) ?? lookup.byTitle.get(title);
  const goldOf = (documentId: string, span?: Gold['span']): Gold =>
    defined<Gold>({ documentId, title, fact, span });
  if (fact === undefined) wrong('it has no fact');
  if (document === undefined) {
    wrong(
      `no document of the corpus has its url ${JSON.stringify(url ?? null)} or its title ${JSON.stringify(title)}`,
    );
    return goldOf(url ?? title);
  }
  const corpusUrl = document.metadata['url'];
  if (url !== undefined && corpusUrl !== undefined && corpusUrl !== url)
    wrong(
      `no document has its url ${JSON.stringify(url)}; taken by its title from ${JSON.stringify(corpusUrl)}`,
    );
  else if (title !== '' && document.title !== '' && document.title !== title)
    wrong(
      `its url is that of ${JSON.stringify(document.title)}, its title ${JSON.stringify(title)}`,
    );
  if (fact === undefined) return goldOf(document.id);
  return goldOf(document.id, factSpan(fact, document, wrong, document.id));
}

/** Checks the counts of the full release; called only if corpus and questions have its size. */
function countProblems({ documents, examples }: Gathered): string[] {
  if (documents.length !== FULL.documents || examples.length !== FULL.questions) return [];
  const counts: [what: string, expected: number, found: number][] = Object.entries(FULL.types).map(
    ([type, expected]) => [
      `${type} questions`,
      expected,
      examples.filter(example => example.type === type).length,
    ],
  );
  counts.push([
    'evidence items',
    FULL.evidence,
    examples.reduce((sum, example) => sum + example.gold.length, 0),
  ]);
  return counts
    .filter(([, expected, found]) => expected !== found)
    .map(
      ([what, expected, found]) => `the full release has ${expected} ${what}, this has ${found}`,
    );
}
