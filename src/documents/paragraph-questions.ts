/**
 * Data sets whose questions bring their own paragraphs: what HotpotQA, 2WikiMultiHopQA and MuSiQue
 * share. The paragraphs of all are one corpus.
 */
import { defined } from '../core/defined.ts';
import type { DataSet, Example, Gold } from '../evaluation/example.ts';
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
import type { Fields } from './record.ts';

/** Settings that differ from one data set to the next. */
export interface ParagraphQuestions<P extends Paragraph> {
  readonly name: string;
  /** Fields of the questions, for the error of a file that holds none. */
  readonly expected: string;
  /** The fields that may hold the id, the paragraphs, and the chain. */
  readonly fields: {
    readonly ids: readonly string[];
    readonly paragraphs: string;
    readonly chain: string;
  };
  /** One item of the paragraphs, or what is wrong with it. */
  paragraph(item: unknown, place: number): P | string;
  /** Each problem goes to `wrong`. */
  gold(
    fields: Fields,
    paragraphs: readonly P[],
    pool: ParagraphPool,
    wrong: (what: string) => void,
  ): Gold[];
  /** Description of the gold that a question lacks. */
  readonly noGold: string;
  type(fields: Fields, id: string): string | undefined;
}

/** Consistency problems are named with their question; loading goes on where it can. */
export async function readParagraphQuestions<P extends Paragraph>(
  questions: string,
  format: ParagraphQuestions<P>,
): Promise<DataSet> {
  const gathered = new Gathered();
  const pool = new ParagraphPool();
  const entries = await readEntries(questions, 'question', gathered.problems);
  const read = entries.map(entry => ({
    entry,
    paragraphs: paragraphsOf(entry, format, gathered.problems),
  }));
  for (const { paragraphs } of read) for (const paragraph of paragraphs) pool.add(paragraph);
  const seen = new Set<string>();
  for (const { entry, paragraphs } of read) {
    const example = readExample(entry, paragraphs, pool, format, gathered.problems);
    if (example) addExample(gathered, seen, entry.index, example);
  }
  requireExamples(gathered, questions, format.expected);
  for (const document of pool.documents()) gathered.documents.push(document);
  return { name: format.name, ...gathered };
}

function paragraphsOf<P extends Paragraph>(
  { index, fields }: Entry,
  format: ParagraphQuestions<P>,
  problems: string[],
): P[] {
  return listField(fields, format.fields.paragraphs).flatMap((item, place) => {
    const paragraph = format.paragraph(item, place);
    if (typeof paragraph !== 'string') return [paragraph];
    problems.push(
      problemOf(index, textField(fields, 'question') ?? '', `paragraph ${place} ${paragraph}`),
    );
    return [];
  });
}

function readExample<P extends Paragraph>(
  { index, fields }: Entry,
  paragraphs: readonly P[],
  pool: ParagraphPool,
  format: ParagraphQuestions<P>,
  problems: string[],
): Example | undefined {
  const text = textField(fields, 'question');
  const wrong = (what: string): void => void problems.push(problemOf(index, text ?? '', what));
  if (text === undefined || paragraphs.length === 0) {
    wrong(`left out: it has no ${text === undefined ? 'question' : format.fields.paragraphs}`);
    return undefined;
  }
  const answers = answersOf(fields);
  if (answers.length === 0) wrong('it has no answer');
  const id = idField(fields, ...format.fields.ids) ?? indexId(index);
  const gold = format.gold(fields, paragraphs, pool, wrong);
  if (gold.length === 0) wrong(format.noGold);
  const type = format.type(fields, id);
  const chain = listField(fields, format.fields.chain);
  return defined<Example>({
    id,
    question: { id, text },
    answers,
    type,
    gold,
    within: [...new Set(paragraphs.map(paragraph => pool.id(paragraph)))],
    chain: chain.length > 0 ? chain : undefined,
  });
}
