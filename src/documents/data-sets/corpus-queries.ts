/**
 * A data set of the user: a corpus and questions, each JSONL (or a JSON list); gold evidence by
 * title, by id, or as text that stands in the corpus.
 */

import { statSync } from 'node:fs';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { describeValue } from '../../core/errors.ts';
import type { DataSet, Example, Gold } from '../../evaluation/example.ts';
import { ABSTENTION } from '../../evaluation/given-answer.ts';
import { readDocuments } from '../read-documents.ts';
import { type Fields, isFields } from '../records/record.ts';
import {
  answersOf,
  factSpan,
  Gathered,
  idField,
  listField,
  readCorpus,
  readEntries,
  readQuestions,
  type StatedQuestion,
  textField,
} from './data-set-file.ts';
import { EvidencePlaces } from './stated-evidence.ts';
import { unreadFields } from './unread-fields.ts';

interface Lookup {
  readonly byId: ReadonlyMap<string, Document>;
  readonly byTitle: ReadonlyMap<string, readonly Document[]>;
  readonly evidence: EvidencePlaces;
}

interface QuestionsOptions {
  /**
   * Names fields that are not read: published files have many; in files of users they are mistakes.
   */
  readonly checkFields?: boolean;
  /**
   * False if the corpus is the part of it that somebody found: gold that it lacks is no mistake.
   */
  readonly isWhole?: boolean;
}

/**
 * Questions: `question` (or `query`), `answer` with `answer_aliases` (or `answers`), `type`, and
 * gold as `evidence`, texts that stand in the corpus, as `gold_ids`, `gold_titles`, or `gold`, a
 * list of ids, titles or `{ id | documentId, title, fact }`. `problems` lists gold that does not
 * resolve, which stays as gold that nothing can find; evidence that stands nowhere throws
 * `InputError('evidence-not-found')`. `"answer": null` says that the corpus does not answer it.
 *
 * The corpus is a file, a folder of documents in any format that is read, or the documents
 * themselves.
 *
 * A file that only says `question_decomposition[].document_id` (MuSiQue's open setting knows its
 * gold for part of the questions) has gold where every step resolves to one document; the other
 * questions are listed in `problems` and have none, so that retrieval measures leave them out.
 */
export async function readCorpusQueries(
  corpus: string | readonly Document[],
  questions: string,
  { checkFields = false, isWhole = true }: QuestionsOptions = {},
): Promise<DataSet> {
  const gathered = new Gathered();
  await readDocumentsOf(corpus, gathered);
  const byTitle = new Map<string, Document[]>();
  for (const document of gathered.documents) {
    const same = byTitle.get(document.title);
    if (same) same.push(document);
    else byTitle.set(document.title, [document]);
  }
  const lookup: Lookup = {
    byId: new Map(gathered.documents.map(document => [document.id, document])),
    byTitle,
    evidence: new EvidencePlaces(gathered.documents, isWhole),
  };
  const entries = await readEntries(questions, 'question', gathered.problems);
  if (checkFields) gathered.problems.push(...unreadFields(entries));
  readQuestions(questions, entries, gathered, {
    expected: 'objects with question, answer and evidence, gold_titles, gold_ids or gold',
    texts: ['question', 'query', 'text'],
    ids: ['_id', 'id'],
    answers: fields => (isNull(fields) ? [ABSTENTION] : answersOf(fields)),
    read: question => readFacts(isWhole ? question : { ...question, wrong: () => {} }, lookup),
  });
  lookup.evidence.check(questions);
  return { name: 'jsonl', ...gathered };
}

async function readDocumentsOf(
  corpus: string | readonly Document[],
  gathered: Gathered,
): Promise<void> {
  if (typeof corpus !== 'string') for (const document of corpus) gathered.documents.push(document);
  else if (!statSync(corpus, { throwIfNoEntry: false })?.isDirectory())
    await readCorpus(corpus, gathered);
  else
    for await (const event of readDocuments([corpus]))
      if (event.type === 'document') gathered.documents.push(event.document);
      else gathered.problems.push(`${event.path}: ${event.reason}`);
}

const isNull = (fields: Fields): boolean =>
  Object.hasOwn(fields, 'answer') && fields['answer'] === null;

function readFacts(
  { index, fields, wrong }: StatedQuestion,
  lookup: Lookup,
): Pick<Example, 'type' | 'gold' | 'chain'> {
  const chain = [listField(fields, 'question_decomposition'), listField(fields, 'evidences')].find(
    list => list.length > 0,
  );
  const quoted = lookup.evidence.goldOf(index, fields, wrong);
  const stated = quoted.length > 0 ? [] : statedGold(fields);
  const gold =
    quoted.length + stated.length > 0
      ? [...quoted, ...stated.map(item => resolved(item, lookup, wrong))]
      : decomposedGold(chain ?? [], lookup, wrong);
  const type = isNull(fields) ? 'null' : textField(fields, 'type', 'question_type');
  return { type, gold, chain };
}

/** One gold entry as the file states it. */
interface Stated {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly fact?: string | undefined;
}

function statedGold(fields: Fields): Stated[] {
  const ids = listField(fields, 'gold_ids').map(id => ({ id: statedText(id) }));
  if (ids.length > 0) return ids;
  const titles = listField(fields, 'gold_titles').map(title => ({ title: statedText(title) }));
  if (titles.length > 0) return titles;
  return listField(fields, 'gold').map(item => {
    if (!isFields(item)) return { id: statedText(item), title: statedText(item) };
    return {
      id: idField(item, 'documentId', 'id', 'doc_id', 'url'),
      title: textField(item, 'title'),
      fact: textField(item, 'fact'),
    };
  });
}

/** Returns a gold entry as text; one that is no text or number names nothing and is reported. */
const statedText = (value: unknown): string => describeValue(value, Number.POSITIVE_INFINITY);

function resolved(
  { id, title, fact }: Stated,
  lookup: Lookup,
  wrong: (what: string) => void,
): Gold {
  const titled = title === undefined ? [] : (lookup.byTitle.get(title) ?? []);
  const holding =
    fact === undefined ? titled : titled.filter(document => document.text.includes(fact));
  const document = (id === undefined ? undefined : lookup.byId.get(id)) ?? holding[0] ?? titled[0];
  const name = JSON.stringify(id ?? title ?? null);
  if (document === undefined) {
    wrong(
      `gold ${name} does not resolve: no document of the corpus has this ${id === undefined ? 'title' : 'id'}`,
    );
    return defined<Gold>({ documentId: id ?? title ?? '', title: title ?? '', fact });
  }
  if (document === holding[0] && holding.length > 1)
    wrong(
      `gold ${name} is ambiguous: ${holding.length} documents have this title; the first is taken`,
    );
  if (fact === undefined) return { documentId: document.id, title: document.title };
  const span = factSpan(fact, document, what => wrong(`gold ${name}: ${what}`), 'the document');
  return defined<Gold>({ documentId: document.id, title: document.title, fact, span });
}

/**
 * Gold from `document_id: "TITLE_NUMBER"` of each step: the one document of that title that holds
 * the step's answer. All steps, or none.
 */
function decomposedGold(
  chain: readonly unknown[],
  lookup: Lookup,
  wrong: (what: string) => void,
): Gold[] {
  const steps = chain.filter(isFields).filter(step => typeof step['document_id'] === 'string');
  const gold: Gold[] = [];
  for (const step of steps) {
    const title = (step['document_id'] as string).replace(/_\d+$/, '');
    const answer = (textField(step, 'answer') ?? '').toLowerCase();
    const found = (lookup.byTitle.get(title) ?? []).filter(document =>
      document.text.toLowerCase().includes(answer),
    );
    if (found.length === 1) gold.push({ documentId: found[0]!.id, title });
    else {
      wrong(
        `gold ${JSON.stringify(step['document_id'])} does not resolve: ${found.length} documents of the corpus have this title and hold the step's answer; the question has no gold`,
      );
      return [];
    }
  }
  return gold;
}
