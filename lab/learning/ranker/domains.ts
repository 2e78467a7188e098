/** Lists the domains that train a ranker and judge it: documents, and questions of people. */
import { join } from 'node:path';
import { keptCorpus } from '../../../bench/documents/corpus.ts';
import { plainWords } from '../../../bench/documents/plain-words.ts';
import { documentQuestions, expressionOf, halfOf } from '../../../bench/documents/questions.ts';
import type { Document, Passage } from '../../../src/core/corpus/document.ts';
import { subjectAt } from '../../../src/core/corpus/outline.ts';
import { InputError } from '../../../src/core/errors.ts';
import { ParagraphPool } from '../../../src/documents/data-sets/paragraph-questions.ts';
import { readDataSet } from '../../../src/documents/data-sets.ts';
import { readDocuments } from '../../../src/documents/read-documents.ts';
import type { DataSet, Example } from '../../../src/evaluation/example.ts';
import { findData } from '../../../src/experiments/find-data.ts';
import { readTrainingFiles } from '../../data/training-files.ts';
import type { TrainingQuestion } from '../training-question.ts';

/** Folders: benchmark data, downloads, and the documents that train. */
export interface Folders {
  readonly data: string;
  readonly cache: string;
  readonly documents: string;
}

export interface TrainingDomain {
  readonly documents: readonly Document[];
  /** Questions of people, of the train splits alone. */
  readonly questions: readonly {
    readonly id: string;
    readonly kind: string;
    readonly text: string;
  }[];
}

export interface JudgedQuestion {
  readonly id: string;
  readonly text: string;
  /** Things to find, each as a test of passages. */
  readonly facets: readonly ((passage: Passage, document: Document) => boolean)[];
}

/** Questions over one corpus. `unit` tells what counts once in a ranking. */
export interface JudgedSet {
  readonly documents: readonly Document[];
  readonly unit: 'document' | 'passage';
  readonly questions: readonly JudgedQuestion[];
}

export interface Domain {
  train(folders: Folders): Promise<TrainingDomain>;
  dev(folders: Folders): Promise<JudgedSet[]>;
}

export const DOMAINS: Readonly<Record<string, Domain>> = {
  documents: {
    train: async ({ documents }) => textsOf(await readFolder(documents)),
    dev: judgedDocuments,
  },
  wikipedia: {
    train: trainWikipedia,
    dev: ({ data }) =>
      Promise.all(
        ['musique-pooled', 'hotpotqa-pooled', '2wikimultihopqa-open'].map(async name =>
          judgedByDocument(await readDataSet(name, findData(name, {}, data))),
        ),
      ),
  },
  news: {
    train: async ({ data }) => textsOf((await news(data)).documents),
    dev: async ({ data }) => [judgedByFact(await news(data))],
  },
  obliqa: beir('obliqa'),
  'lihua-world': beir('lihua-world'),
};

/** Throws `InputError('unknown-domain')`. */
export function domainNamed(name: string): Domain {
  const domain = DOMAINS[name];
  if (domain) return domain;
  throw new InputError('unknown-domain', `Unknown domain "${name}"`, {
    expected: Object.keys(DOMAINS).join(', '),
  });
}

const textsOf = (documents: readonly Document[]): TrainingDomain => ({ documents, questions: [] });

async function readFolder(folder: string): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const event of readDocuments([folder]))
    if (event.type === 'document') documents.push(event.document);
  return documents;
}

const news = (data: string): Promise<DataSet> =>
  readDataSet('multihop-rag', findData('multihop-rag', {}, data));

function beir(name: string): Domain {
  const read = ({ data }: Folders): Promise<DataSet> =>
    readDataSet('beir', findData('beir', { folder: join(data, name) }, data));
  return {
    train: async folders => textsOf((await read(folders)).documents),
    dev: async folders => [judgedByDocument(await read(folders))],
  };
}

async function trainWikipedia({ data }: Folders): Promise<TrainingDomain> {
  const { questions } = await readTrainingFiles([join(data, 'train')]);
  const pool = new ParagraphPool();
  for (const { paragraphs } of questions) for (const each of paragraphs) pool.add(each);
  const asked = questions.flatMap(({ id, text }) => [{ id, kind: 'asked', text }]);
  return { documents: pool.documents(), questions: [...asked, ...questions.flatMap(stepsOf)] };
}

/** The steps of a question, with the answers of earlier ones in the place of their numbers. */
const stepsOf = ({ id, steps }: TrainingQuestion): TrainingDomain['questions'] =>
  steps
    .map(({ question }, at) => ({
      id: `${id} step ${at + 1}`,
      kind: 'step',
      text: question.replace(/#(\d+)/g, (whole, n) => steps[Number(n) - 1]?.answer ?? whole),
    }))
    .filter(({ text }) => !/#\d|>>/.test(text));

function judgedByDocument({ documents, examples }: DataSet): JudgedSet {
  const facetsOf = ({ gold }: Example): JudgedQuestion['facets'] =>
    [...new Set(gold.filter(({ grade = 1 }) => grade > 0).map(each => each.documentId))].map(
      id => passage => passage.documentId === id,
    );
  return { documents, unit: 'document', questions: judged(examples, facetsOf) };
}

/** A passage has a fact if it holds the middle of it. */
function judgedByFact({ documents, examples }: DataSet): JudgedSet {
  const facetsOf = ({ gold }: Example): JudgedQuestion['facets'] =>
    gold.flatMap(({ documentId, span }) => {
      if (!span) return [];
      const middle = (span[0] + span[1]) / 2;
      return [
        (passage: Passage) =>
          passage.documentId === documentId && passage.start <= middle && middle < passage.end,
      ];
    });
  return { documents, unit: 'passage', questions: judged(examples, facetsOf) };
}

const judged = (
  examples: readonly Example[],
  facetsOf: (example: Example) => JudgedQuestion['facets'],
): JudgedQuestion[] =>
  examples
    .map(each => ({ id: each.id, text: each.question.text, facets: facetsOf(each) }))
    .filter(({ facets }) => facets.length > 0);

/** Asks the half that choices may use; a section has evidence if its pattern matches. */
async function judgedDocuments({ cache }: Folders): Promise<JudgedSet[]> {
  const corpus = keptCorpus(cache);
  if (!corpus)
    throw new InputError('missing-file', `No corpus of documents below ${JSON.stringify(cache)}`, {
      hint: 'Run "npm run documents -- --check" first, or set MULTIHOP_CACHE.',
    });
  const questions = documentQuestions()
    .filter(({ id, evidence }) => halfOf(id) === 'tune' && evidence.length > 0)
    .map(({ id, question: text, evidence }) => ({
      id,
      text,
      facets: evidence.map(({ document: path, pattern }) => {
        const expression = expressionOf(pattern);
        return ({ start, text }: Passage, document: Document) =>
          document.id === path &&
          expression.test(plainWords(`${subjectAt(document, start)} ${text}`));
      }),
    }));
  return [{ documents: await readFolder(corpus.folder), unit: 'passage', questions }];
}
