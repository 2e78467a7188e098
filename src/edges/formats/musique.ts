/** MuSiQue: each question brings its paragraphs, marks those that support it, and says how it decomposes. */
import type { DataSet, Example, Gold } from '../../evaluation/example.ts';
import {
  addExample,
  answersOf,
  type Entry,
  Gathered,
  idField,
  indexId,
  listField,
  problemOf,
  readEntries,
  requireExamples,
  textField,
} from './data-set-file.ts';
import { type Paragraph, ParagraphPool } from './paragraph-pool.ts';
import { isFields } from './record.ts';

interface Marked extends Paragraph {
  readonly number: unknown;
  readonly supports: boolean;
}

/** Gold are whole paragraphs in the order of the hops, without facts: the data set marks no sentences. The type is the shape of the decomposition: `2hop`, `3hop1`. */
export async function readMusique(questions: string): Promise<DataSet> {
  const gathered = new Gathered();
  const pool = new ParagraphPool();
  const entries = await readEntries(questions, 'question', gathered.problems);
  const read = entries.map(entry => ({ entry, paragraphs: readParagraphs(entry, gathered.problems) }));
  for (const { paragraphs } of read) for (const paragraph of paragraphs) pool.add(paragraph);
  const seen = new Set<string>();
  for (const { entry, paragraphs } of read) {
    const example = readExample(entry, paragraphs, pool, gathered.problems);
    if (example) addExample(gathered, seen, entry.index, example);
  }
  requireExamples(gathered, questions, 'objects with question, answer, paragraphs, question_decomposition');
  gathered.documents.push(...pool.documents());
  return { name: 'musique', ...gathered };
}

function readParagraphs({ index, fields }: Entry, problems: string[]): Marked[] {
  return listField(fields, 'paragraphs').flatMap((item, place) => {
    const text = isFields(item) ? textField(item, 'paragraph_text', 'text') : undefined;
    if (isFields(item) && text !== undefined)
      return [{ title: textField(item, 'title') ?? '', text, number: item['idx'] ?? place, supports: item['is_supporting'] === true }];
    problems.push(problemOf(index, textField(fields, 'question') ?? '', `paragraph ${place} has no paragraph_text`));
    return [];
  });
}

function readExample(
  { index, fields }: Entry,
  paragraphs: readonly Marked[],
  pool: ParagraphPool,
  problems: string[],
): Example | undefined {
  const text = textField(fields, 'question');
  const wrong = (what: string): void => void problems.push(problemOf(index, text ?? '', what));
  if (text === undefined || paragraphs.length === 0) {
    wrong(`left out: it has no ${text === undefined ? 'question' : 'paragraphs'}`);
    return undefined;
  }
  const answers = answersOf(fields);
  if (answers.length === 0) wrong('it has no answer');
  const id = idField(fields, 'id', '_id') ?? indexId(index);
  const chain = listField(fields, 'question_decomposition');
  const gold = goldOf(paragraphs, chain, wrong).map((paragraph): Gold => ({ documentId: pool.id(paragraph), title: paragraph.title }));
  if (gold.length === 0) wrong('no supporting paragraph');
  const type = /^(\d+hop\d*)__/.exec(id)?.[1];
  const within = [...new Set(paragraphs.map(paragraph => pool.id(paragraph)))];
  return {
    id,
    question: { id, text },
    answers,
    ...(type === undefined ? {} : { type }),
    gold,
    within,
    ...(chain.length > 0 ? { chain } : {}),
  };
}

/** The supporting paragraphs: first those that the hops name, in their order, then the others that are marked. */
function goldOf(paragraphs: readonly Marked[], chain: readonly unknown[], wrong: (what: string) => void): Marked[] {
  const inOrder = chain.flatMap((step, hop) => {
    const number = isFields(step) ? step['paragraph_support_idx'] : undefined;
    if (number === undefined || number === null) return [];
    const paragraph = paragraphs.find(candidate => candidate.number === number);
    if (paragraph === undefined) wrong(`step ${hop}: no paragraph has the idx ${JSON.stringify(number)}`);
    return paragraph === undefined ? [] : [paragraph];
  });
  return [...new Set([...inOrder, ...paragraphs.filter(paragraph => paragraph.supports)])];
}
