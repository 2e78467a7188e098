/**
 * Reads relevance judgements (TREC qrels, or the TSV of a BEIR folder) and writes TREC qrels. TREC:
 * `QUESTION ITERATION DOCUMENT GRADE`, separated by white space. TSV: `query-id corpus-id score`,
 * separated by tabs, with or without a heading, so that ids may hold spaces.
 */
import { InputError } from '../../core/errors.ts';
import type { Example } from '../../evaluation/example.ts';
import { gradesOf } from '../../evaluation/ranked-gold.ts';
import {
  asciiFields,
  quoted,
  quotedName,
  type TextFile,
  type TextLine,
  textLines,
} from './text-lines.ts';
import { TrecIds } from './trec-ids.ts';

/** Grades by question and document; a grade of 0 or less means judged and not relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Judgement {
  readonly question: string;
  readonly document: string;
  readonly grade: number;
}

/**
 * Reads judgements; a line with two tabs makes the file a TSV. The same judgement twice counts
 * once. Throws `InputError`: `bad-line` with the line's number, `conflicting-judgement`, `no-qrels`
 * for a file without any.
 */
export async function readQrels(file: TextFile): Promise<Qrels> {
  const qrels = new Map<string, Map<string, number>>();
  let tabs: boolean | undefined;
  for await (const line of textLines(file)) {
    const heading: boolean = tabs === undefined;
    tabs ??= line.text.split('\t').length === 3;
    if (tabs && heading && isHeading(line.text)) continue;
    const { question, document, grade } = judgementOf(file, line, tabs);
    const grades = qrels.get(question) ?? new Map<string, number>();
    const before = grades.get(document);
    if (before !== undefined && before !== grade)
      throw new InputError(
        'conflicting-judgement',
        `Cannot read line ${line.line} of ${quotedName(file)}`,
        {
          expected: `one grade of document "${document}" for question "${question}"`,
          received: `${before} before and ${grade} here`,
        },
      );
    qrels.set(question, grades.set(document, grade));
  }
  if (qrels.size === 0)
    throw new InputError('no-qrels', `${quotedName(file)} holds no judgement`, {
      expected: 'lines of QUESTION ITERATION DOCUMENT GRADE, or QUESTION<tab>DOCUMENT<tab>GRADE',
    });
  return qrels;
}

const isHeading = (text: string): boolean => /^(?:query|question|topic)[-_ ]?id\t/i.test(text);

/** Returns a whole number (`1`, `-1`, `2.0`), or undefined. */
const gradeOf = (text: string): number | undefined =>
  /^[+-]?\d{1,9}(?:\.0*)?$/.test(text) ? Number(text) + 0 : undefined;

function judgementOf(file: TextFile, { line, text }: TextLine, tabs: boolean): Judgement {
  const fields = tabs ? text.split('\t').map(field => field.trim()) : asciiFields(text);
  const expected = tabs
    ? 'QUESTION<tab>DOCUMENT<tab>GRADE with a whole number as grade'
    : 'QUESTION ITERATION DOCUMENT GRADE with a whole number as grade';
  const [question, document] = tabs ? fields : [fields[0], fields[2]];
  const grade = gradeOf(fields.at(-1) ?? '');
  if (fields.length !== (tabs ? 3 : 4) || !question || !document || grade === undefined)
    throw new InputError('bad-line', `Cannot read line ${line} of ${quotedName(file)}`, {
      expected,
      received: quoted(text),
    });
  return { question, document, grade };
}

/**
 * Returns TREC qrels of graded questions, documents in the order of their first mention. A question
 * without gold has no line. Throws `InputError('ambiguous-id')`, see `TrecIds`.
 */
export function printQrels(examples: readonly Example[]): string {
  const questions = new TrecIds('question');
  const documents = new TrecIds('document');
  return examples
    .flatMap(example =>
      [...gradesOf(example)].map(
        ([id, grade]) => `${questions.printed(example.id)} 0 ${documents.printed(id)} ${grade}\n`,
      ),
    )
    .join('');
}
