/**
 * Reads files of questions for the loaders of benchmark data sets, and reports what is wrong in
 * them.
 */
import { stat } from 'node:fs/promises';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { LONGEST_QUESTION } from '../../core/text/question-text.ts';
import type { Example, Gold } from '../../evaluation/example.ts';
import { placeId } from '../../evaluation/question-names.ts';
import { DEFAULT_LIMITS, fileSource, type Limits } from '../files/source.ts';
import { textSource } from '../files/text-source.ts';
import { checkPaths } from '../files/walk.ts';
import { readValues } from '../formats/json.ts';
import { formatOf } from '../formats.ts';
import { documentFromRecord, type Fields, isFields } from '../records/record.ts';

/** Data sets come in one piece; HotpotQA's train split has 566 MB and is read from JSONL only. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, jsonBytes: 500 * 1024 * 1024 };

export interface Entry {
  /** Position in the file, from 0, counting what is read and what is not. */
  readonly index: number;
  readonly fields: Fields;
}

/** Everything that one data set's loader gathers. */
export class Gathered {
  readonly documents: Document[] = [];
  readonly examples: Example[] = [];
  readonly problems: string[] = [];
}

/**
 * The objects of a JSON or JSONL file; `problems` lists others. Throws `InputError` when
 * there is none.
 */
export async function readEntries(
  path: string,
  what: string,
  problems: string[],
): Promise<Entry[]> {
  await checkPaths([path]);
  const { size } = await stat(path);
  const format = formatOf(path, new Uint8Array(0), true);
  const entries: Entry[] = [];
  let index = 0;
  for await (const { value, skipped, line } of readValues(
    textSource(fileSource(path, path, size)),
    LIMITS,
    'name' in format && format.name === 'jsonl' ? 'jsonl' : 'json',
  )) {
    if (isFields(value)) entries.push({ index, fields: value });
    else
      problems.push(
        `${what} ${index}${line === undefined ? '' : ` (line ${line})`} of ${path}: ${skipped ?? 'not a JSON object'}`,
      );
    index++;
  }
  if (entries.length === 0)
    throw new InputError('bad-data-set', `${JSON.stringify(path)} holds no ${what}`, {
      expected: 'a list of JSON objects, or one a line',
      received: problems.at(-1) ?? 'nothing',
    });
  return entries;
}

/** The documents of a corpus file. Throws `InputError('duplicate-id')`. */
export async function readCorpus(path: string, gathered: Gathered): Promise<void> {
  const seen = new Map<string, number>();
  for (const { index, fields } of await readEntries(path, 'document', gathered.problems)) {
    const loaded = documentFromRecord(fields);
    if ('skipped' in loaded) {
      gathered.problems.push(`document ${index} of ${path}: ${loaded.skipped}`);
      continue;
    }
    const before = seen.get(loaded.document.id);
    if (before === undefined) gathered.documents.push(loaded.document);
    else if (loaded.idFrom === 'content')
      gathered.problems.push(
        `document ${index} of ${path}: the same title and text as document ${before}`,
      );
    else
      throw new InputError(
        'duplicate-id',
        `Two documents have the id ${JSON.stringify(loaded.document.id)}`,
        {
          received: `documents ${before} and ${index} of ${path}`,
        },
      );
    seen.set(loaded.document.id, before ?? index);
  }
}

/** "question 12 ("Who is ..."): what is wrong". */
export function problemOf(index: number, question: string, wrong: string): string {
  const start = question.length > 60 ? `${question.slice(0, 60)}...` : question;
  return `question ${index} (${JSON.stringify(start.toWellFormed())}): ${wrong}`;
}

/** Leaves out questions that `ask` refuses for their length, and lists each in `problems`. */
function leaveOutLong({ examples, problems }: Gathered): void {
  const fits = ({ question: { text } }: Example): boolean => text.length <= LONGEST_QUESTION;
  for (const { question } of examples.filter(example => !fits(example)))
    problems.push(
      `question ${question.id}: left out: ${question.text.length} characters, more than ${LONGEST_QUESTION}`,
    );
  const kept = examples.filter(fits);
  if (kept.length < examples.length) examples.splice(0, examples.length, ...kept);
}

/** Throws when nothing could be used: the file is of another kind. */
export function requireExamples(gathered: Gathered, path: string, expected: string): void {
  leaveOutLong(gathered);
  if (gathered.examples.length === 0)
    throw new InputError(
      'bad-data-set',
      `${JSON.stringify(path)} holds no question of this data set`,
      {
        expected,
        received: gathered.problems.at(-1) ?? 'nothing',
      },
    );
}

/** Returns the span of a fact in a text; undefined, with a problem, if it does not stand there. */
export function factSpan(
  fact: string,
  { text }: Document,
  wrong: (what: string) => void,
  where: string,
): Gold['span'] {
  const at = text.indexOf(fact);
  if (at >= 0) return [at, at + fact.length];
  wrong(`its fact does not stand verbatim in ${where}: ${JSON.stringify(fact.slice(0, 60))}`);
  return undefined;
}

export function textField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names)
    if (
      Object.hasOwn(fields, name) &&
      typeof fields[name] === 'string' &&
      fields[name].trim() !== ''
    )
      return fields[name].toWellFormed();
  return undefined;
}

export function listField(fields: Fields, name: string): readonly unknown[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? value : [];
}

/** An id that is a text or a number. */
export function idField(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names)
    if (Object.hasOwn(fields, name) && typeof fields[name] === 'number')
      return String(fields[name]);
  return textField(fields, ...names);
}

/**
 * The main answer, then its aliases, without repeats. An answer may be a text, a number or true and
 * false.
 */
export function answersOf(fields: Fields): string[] {
  const main = Object.hasOwn(fields, 'answer') ? [fields['answer']] : [];
  const all = [...main, ...listField(fields, 'answers'), ...listField(fields, 'answer_aliases')];
  return [
    ...new Set(
      all
        .filter(
          value =>
            typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
        )
        .map(value => String(value).toWellFormed()),
    ),
  ];
}

/** A question as its file states it. */
export interface StatedQuestion {
  readonly index: number;
  readonly id: string;
  readonly fields: Fields;
  /** Names a problem with it. */
  wrong(what: string): void;
}

/** Facts of a question beside its text and its answers. */
type QuestionFacts = Omit<Example, 'id' | 'question' | 'answers'>;

/** Names the fields and the gold of one kind of files. */
export interface QuestionForm {
  /** Fields of a question, for the error of a file that holds none. */
  readonly expected: string;
  /** Fields that may hold its text, and its id; without an id it is known by its position. */
  readonly texts: readonly string[];
  readonly ids: readonly string[];
  /** Returns the answers; by default those of `answersOf`. */
  answers?(fields: Fields): readonly string[];
  /** Returns the rest; undefined for a question that is left out, with its reason told. */
  read(question: StatedQuestion): QuestionFacts | undefined;
}

/** Reads the questions of a file. Throws `InputError('bad-data-set')` if none can be used. */
export function readQuestions(
  path: string,
  entries: readonly Entry[],
  gathered: Gathered,
  form: QuestionForm,
): void {
  const seen = new Set<string>();
  for (const { index, fields } of entries) {
    const text = textField(fields, ...form.texts);
    const wrong = (what: string): void =>
      void gathered.problems.push(problemOf(index, text ?? '', what));
    if (text === undefined) {
      wrong(`left out: it has no ${form.texts[0]}`);
      continue;
    }
    const answers = [...(form.answers?.(fields) ?? answersOf(fields))];
    if (answers.length === 0) wrong('it has no answer');
    const stated = idField(fields, ...form.ids);
    const id = stated ?? placeId(index);
    const idIsPlace = stated === undefined || undefined;
    const facts = form.read({ index, id, fields, wrong });
    if (facts)
      addExample(
        gathered,
        seen,
        index,
        defined<Example>({ id, idIsPlace, question: { id, text }, answers, ...facts }),
      );
  }
  requireExamples(gathered, path, form.expected);
}

/** Drops a second question of one id and names it. */
export function addExample(
  gathered: Gathered,
  seen: Set<string>,
  index: number,
  example: Example,
): void {
  if (seen.has(example.id))
    gathered.problems.push(
      problemOf(
        index,
        example.question.text,
        `left out: another question has its id ${example.id}`,
      ),
    );
  else gathered.examples.push(example);
  seen.add(example.id);
}
