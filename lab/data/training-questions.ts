/**
 * Train splits of 2WikiMultiHopQA, MuSiQue and HotpotQA in their published layouts, and chains of
 * gold paragraphs, as questions for TreeHop.
 */

import {
  type Entry,
  idField,
  listField,
  problemOf,
  readEntries,
  textField,
} from '../../src/documents/data-sets/data-set-file.ts';
import { type Fields, isFields } from '../../src/documents/records/record.ts';
import { placeId } from '../../src/evaluation/question-names.ts';
import {
  TRAINING_DATASETS,
  type TrainingDataset,
  type TrainingParagraph,
  type TrainingQuestion,
  type TrainingStep,
} from '../learning/training-question.ts';

export interface TrainingQuestions {
  readonly questions: readonly TrainingQuestion[];
  /** Problems that were met, each with its question. */
  readonly problems: readonly string[];
}

/**
 * Questions of all files, each once: a record of one data set brings context, a record of
 * `gold_chains.jsonl` the order of its gold paragraphs; one question in both is one, whatever the
 * order of the files. Throws `InputError` where a file holds no such record.
 */
export async function readTrainingQuestions(paths: readonly string[]): Promise<TrainingQuestions> {
  const problems: string[] = [];
  const published = new Map<string, TrainingQuestion>();
  const chains = new Map<string, TrainingQuestion>();
  for (const path of paths)
    for (const entry of await readEntries(path, 'question', problems)) {
      const question = readQuestion(entry);
      if (typeof question === 'string') {
        problems.push(
          `${path}: ${problemOf(entry.index, textField(entry.fields, 'question') ?? '', question)}`,
        );
        continue;
      }
      const into = question.ownContext ? published : chains;
      const key = `${question.dataset} ${question.id}`;
      if (into.has(key))
        problems.push(
          `${path}: ${problemOf(entry.index, question.text, `left out: another question has its id ${question.id}`)}`,
        );
      else into.set(key, question);
    }
  const keys = new Set([...published.keys(), ...chains.keys()]);
  return { questions: [...keys].map(key => merged(published.get(key), chains.get(key))), problems };
}

function readQuestion(entry: Entry): TrainingQuestion | string {
  const { fields } = entry;
  if (Object.hasOwn(fields, 'gold')) return readChain(entry);
  if (Object.hasOwn(fields, 'question_decomposition')) return readMusique(entry);
  if (Object.hasOwn(fields, 'supporting_facts')) return readSupported(entry);
  return 'is none of 2WikiMultiHopQA, MuSiQue, HotpotQA or a chain of gold paragraphs';
}

const headOf = ({ fields, index }: Entry): { id: string; text: string; answers: string[] } => ({
  id: idField(fields, '_id', 'id') ?? placeId(index),
  text: textField(fields, 'question') ?? '',
  answers: [textField(fields, 'answer'), ...listField(fields, 'answer_aliases')].filter(
    answer => typeof answer === 'string',
  ),
});

const places = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

/**
 * `{ dataset, id, type, question, gold: [{ title, text }], triples, sub_questions }`: gold in the
 * order of the hops.
 */
function readChain(entry: Entry): TrainingQuestion | string {
  const { fields } = entry;
  const dataset = TRAINING_DATASETS.find(name => name === textField(fields, 'dataset'));
  if (dataset === undefined) return `its dataset is none of ${TRAINING_DATASETS.join(', ')}`;
  const paragraphs = listField(fields, 'gold').flatMap(paragraphOf);
  if (paragraphs.length === 0) return 'it has no gold paragraphs';
  const steps = listField(fields, 'sub_questions').filter(isFields);
  return {
    ...headOf(entry),
    dataset,
    paragraphs,
    ownContext: false,
    type: textField(fields, 'type') ?? '',
    supporting: [...new Set(paragraphs.map(({ title }) => title))],
    evidences: evidencesOf(listField(fields, 'triples')),
    // Only where each step has its paragraph is it known which is whose.
    steps:
      steps.length === paragraphs.length
        ? steps.map((step, paragraph) => ({
            question: textField(step, 'question') ?? '',
            paragraph,
            ...answerOf(step),
          }))
        : [],
    order: places(paragraphs.length),
  };
}

function readMusique(entry: Entry): TrainingQuestion | string {
  const { fields } = entry;
  const listed = listField(fields, 'paragraphs').filter(isFields);
  const numbers = listed.map(({ idx }, place) => idx ?? place);
  const steps = listField(fields, 'question_decomposition')
    .filter(isFields)
    .map((step): TrainingStep => {
      const place = numbers.indexOf(step['paragraph_support_idx'] ?? -1);
      return {
        question: textField(step, 'question') ?? '',
        paragraph: place < 0 ? undefined : place,
        ...answerOf(step),
      };
    });
  const head = headOf(entry);
  const paragraphs = listed.map(each => ({
    title: textField(each, 'title') ?? '',
    text: textField(each, 'paragraph_text', 'text') ?? '',
  }));
  if (paragraphs.length === 0) return 'it has no paragraphs';
  const supporting = listed.flatMap((each, place) =>
    each['is_supporting'] === true ? [paragraphs[place]!.title] : [],
  );
  return {
    dataset: 'musique',
    ...head,
    paragraphs,
    steps,
    ownContext: true,
    evidences: [],
    order: [],
    type: /^(\d+hop\d*)__/.exec(head.id)?.[1] ?? 'musique',
    supporting: [...new Set(supporting)],
  };
}

function answerOf(step: Fields): { answer?: string } {
  const answer = textField(step, 'answer');
  return answer === undefined ? {} : { answer };
}

/**
 * HotpotQA and 2WikiMultiHopQA: `context` of `[title, sentences]`, or `paragraphs` of `{ title,
 * text }`. Only the second has `evidences`.
 */
function readSupported(entry: Entry): TrainingQuestion | string {
  const { fields } = entry;
  const dataset: TrainingDataset = Object.hasOwn(fields, 'evidences') ? '2wiki' : 'hotpotqa';
  // The sentences of HotpotQA bring their own leading spaces, those of 2WikiMultiHopQA do not.
  const joiner = dataset === '2wiki' ? ' ' : '';
  const context = listField(fields, 'context').flatMap(item => sentencesOf(item, joiner));
  const paragraphs =
    context.length > 0 ? context : listField(fields, 'paragraphs').flatMap(paragraphOf);
  if (paragraphs.length === 0) return 'it has no paragraphs';
  const facts = listField(fields, 'supporting_facts').map(fact =>
    Array.isArray(fact) ? fact[0] : undefined,
  );
  const supporting = [
    ...new Set(facts.filter(title => typeof title === 'string').map(title => title.toWellFormed())),
  ];
  const found = supporting.map(title =>
    paragraphs.findIndex(paragraph => paragraph.title === title),
  );
  return {
    ...headOf(entry),
    dataset,
    paragraphs,
    supporting,
    ownContext: true,
    steps: [],
    type: textField(fields, 'type') ?? '',
    evidences: evidencesOf(listField(fields, 'evidences')),
    // HotpotQA lists the facts of a bridge question from the paragraph that the question names to
    // the one with the answer; 2WikiMultiHopQA in no order.
    order: dataset === 'hotpotqa' && found.length === 2 && !found.includes(-1) ? found : [],
  };
}

function sentencesOf(item: unknown, joiner: string): TrainingParagraph[] {
  const [title, sentences] = Array.isArray(item) ? item : [];
  if (typeof title !== 'string' || !Array.isArray(sentences)) return [];
  const text = sentences.filter(sentence => typeof sentence === 'string').join(joiner);
  return [{ title: title.toWellFormed(), text: text.toWellFormed() }];
}

function paragraphOf(item: unknown): TrainingParagraph[] {
  const text = isFields(item) ? textField(item, 'text', 'paragraph_text') : undefined;
  return text === undefined ? [] : [{ title: textField(item as Fields, 'title') ?? '', text }];
}

function evidencesOf(list: readonly unknown[]): [string, string, string][] {
  return list.flatMap(item => {
    const [subject, relation, object] = Array.isArray(item) ? item.map(String) : [];
    return subject === undefined || relation === undefined || object === undefined
      ? []
      : [[subject, relation, object] as [string, string, string]];
  });
}

/** The record with the context, and the order of the gold paragraphs as the chain has it. */
function merged(
  published: TrainingQuestion | undefined,
  chain: TrainingQuestion | undefined,
): TrainingQuestion {
  if (!published || !chain) return (published ?? chain)!;
  const order = chain.paragraphs.map(gold => placeOf(published.paragraphs, gold));
  return { ...published, order: order.includes(-1) ? published.order : order };
}

/**
 * The same paragraph, or the one of its title, which another edition of the data may have joined
 * otherwise.
 */
function placeOf(
  paragraphs: readonly TrainingParagraph[],
  { title, text }: TrainingParagraph,
): number {
  const exact = paragraphs.findIndex(
    each => each.text === text && (title === '' || each.title === title),
  );
  return exact >= 0 || title === '' ? exact : paragraphs.findIndex(each => each.title === title);
}
