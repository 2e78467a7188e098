/** The schema that HotpotQA (distractor setting) and 2WikiMultiHopQA share: each question brings its paragraphs and names its supporting sentences. */
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

interface SentenceParagraph extends Paragraph {
  /** Where each sentence begins and ends in the text, without the white space around it. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** Reads the questions of one file; `joiner` stands between the sentences of a paragraph. */
export async function readDistractorQuestions(name: string, questions: string, joiner: string): Promise<DataSet> {
  const gathered = new Gathered();
  const pool = new ParagraphPool();
  const entries = await readEntries(questions, 'question', gathered.problems);
  const read = entries.map(entry => ({ entry, context: readContext(entry, joiner, gathered.problems) }));
  for (const { context } of read) for (const paragraph of context) pool.add(paragraph);
  const seen = new Set<string>();
  for (const { entry, context } of read) {
    const example = readExample(entry, context, pool, gathered.problems);
    if (example) addExample(gathered, seen, entry.index, example);
  }
  requireExamples(gathered, questions, 'objects with question, answer, context, supporting_facts');
  gathered.documents.push(...pool.documents());
  return { name, ...gathered };
}

function readContext({ index, fields }: Entry, joiner: string, problems: string[]): SentenceParagraph[] {
  return listField(fields, 'context').flatMap((item, place) => {
    const [title, sentences] = Array.isArray(item) ? item : [];
    if (typeof title === 'string' && Array.isArray(sentences) && sentences.every(sentence => typeof sentence === 'string'))
      return [joined(title.toWellFormed(), sentences, joiner)];
    problems.push(problemOf(index, textField(fields, 'question') ?? '', `paragraph ${place} is not [title, [sentence, ...]]`));
    return [];
  });
}

function joined(title: string, sentences: readonly string[], joiner: string): SentenceParagraph {
  const spans: [number, number][] = [];
  let text = '';
  for (const [place, given] of sentences.entries()) {
    const sentence = given.toWellFormed();
    if (place > 0) text += joiner;
    const start = text.length + sentence.length - sentence.trimStart().length;
    spans.push([start, Math.max(start, text.length + sentence.trimEnd().length)]);
    text += sentence;
  }
  return { title, text, spans };
}

function readExample(
  { index, fields }: Entry,
  context: readonly SentenceParagraph[],
  pool: ParagraphPool,
  problems: string[],
): Example | undefined {
  const text = textField(fields, 'question');
  const wrong = (what: string): void => void problems.push(problemOf(index, text ?? '', what));
  if (text === undefined || context.length === 0) {
    wrong(`left out: it has no ${text === undefined ? 'question' : 'context'}`);
    return undefined;
  }
  const answers = answersOf(fields);
  if (answers.length === 0) wrong('it has no answer');
  const id = idField(fields, '_id', 'id') ?? indexId(index);
  const gold = listField(fields, 'supporting_facts').map(item => readGold(item, context, pool, wrong));
  if (gold.length === 0) wrong('no supporting_facts');
  const type = textField(fields, 'type');
  const within = [...new Set(context.map(paragraph => pool.id(paragraph)))];
  const chain = listField(fields, 'evidences');
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

/** The sentence that `[title, number]` names. What does not resolve is named, and stays as gold that nothing can find. */
function readGold(item: unknown, context: readonly SentenceParagraph[], pool: ParagraphPool, wrong: (what: string) => void): Gold {
  const [given, number] = Array.isArray(item) ? item : [];
  const title = typeof given === 'string' ? given.toWellFormed() : '';
  const paragraph = context.find(candidate => candidate.title === title);
  if (paragraph === undefined) {
    wrong(`supporting fact ${JSON.stringify(item ?? null)}: no paragraph of the question has this title`);
    return { documentId: title, title };
  }
  const documentId = pool.id(paragraph);
  const span = typeof number === 'number' ? paragraph.spans[number] : undefined;
  if (span === undefined) {
    wrong(`supporting fact ${JSON.stringify(item)}: the paragraph has ${paragraph.spans.length} sentences`);
    return { documentId, title };
  }
  return { documentId, title, fact: paragraph.text.slice(...span), span };
}
