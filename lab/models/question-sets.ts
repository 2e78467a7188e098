/**
 * The sets of questions over which readers with and without a language model are compared, each
 * with its own rule of a right answer.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchCorpus } from '../../bench/documents/corpus.ts';
import {
  documentQuestions,
  halfOf,
  isRight as isRightOf,
} from '../../bench/documents/questions.ts';
import type { Document } from '../../src/core/corpus/document.ts';
import { readDataSet } from '../../src/documents/data-sets.ts';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { isRight } from '../../src/evaluation/answer-rules.ts';
import type { DataSet, Example } from '../../src/evaluation/example.ts';
import { sampleQuestions } from '../../src/evaluation/question-sample.ts';
import { answerF1 } from '../../src/evaluation/token-overlap.ts';
import { findData } from '../../src/experiments/find-data.ts';
import type { Engine } from '../../src/search/engine.ts';
import { ingest } from '../../src/session/verbs.ts';

export interface SetQuestion {
  readonly id: string;
  readonly text: string;
  readonly type: string;
  /** False if the corpus does not hold the answer: then no answer is right. */
  readonly answerable: boolean;
  /** Returns the score of an answer, from 0 to 1. */
  score(answer: string): number;
}

export interface QuestionSet {
  readonly engine: Engine;
  readonly questions: readonly SetQuestion[];
}

/** Folders of the data and of the cache of downloads. */
export interface SetFolders {
  readonly data: string;
  readonly cache: string;
}

/**
 * `report`: the questions that are printed. `choose`: others of the same sets, on which prompts and
 * weights are chosen.
 */
export type Purpose = 'report' | 'choose';

interface SetDefinition {
  /** Name of the measure. */
  readonly measure: string;
  /** Numbers of questions; the first ones of one seeded order are for the report. */
  readonly report: number;
  readonly choose: number;
  load(folders: SetFolders): Promise<{ engine: Engine; questions: readonly SetQuestion[] }>;
}

const F1 = 'AnswerF1(hotpot)';
const STRICT = 'QaAccuracy(strict)';

export const SETS: Readonly<Record<string, SetDefinition>> = {
  '2wikimultihopqa': {
    measure: F1,
    report: 100,
    choose: 60,
    load: benchmark('2wikimultihopqa-open'),
  },
  hotpotqa: { measure: F1, report: 100, choose: 60, load: benchmark('hotpotqa-pooled') },
  musique: { measure: F1, report: 100, choose: 60, load: benchmark('musique-pooled') },
  'multihop-rag': {
    measure: STRICT,
    report: 150,
    choose: 60,
    load: benchmark('multihop-rag', STRICT),
  },
  documents: {
    measure: 'right',
    report: Number.POSITIVE_INFINITY,
    choose: 0,
    load: documents('held'),
  },
  'documents-tune': { measure: 'right', report: 0, choose: 60, load: documents('tune') },
  demo: { measure: STRICT, report: 42, choose: 0, load: demo },
  'lihua-world': { measure: STRICT, report: 60, choose: 60, load: lihuaWorld },
};

/** Returns the questions of a set, in a seeded order that no answer influences. */
export async function openSet(
  name: string,
  purpose: Purpose,
  folders: SetFolders,
): Promise<QuestionSet> {
  const { report, choose, load } = SETS[name]!;
  const { engine, questions } = await load(folders);
  const shown = Math.min(report, questions.length);
  const both = Math.min(shown + choose, questions.length);
  const first = new Set(shown > 0 ? sampleQuestions(questions, shown).examples : []);
  const all = both > 0 ? sampleQuestions(questions, both).examples : [];
  return { engine, questions: purpose === 'report' ? [...first] : all.filter(q => !first.has(q)) };
}

function benchmark(name: string, rule = F1): SetDefinition['load'] {
  return async ({ data }) => setOf(await readDataSet(name, findData(name, {}, data)), rule);
}

async function lihuaWorld({ data }: SetFolders): ReturnType<SetDefinition['load']> {
  const folder = join(data, 'lihua-world');
  return setOf(await readDataSet('beir', findData('beir', { folder }, data)), STRICT);
}

async function setOf(
  { documents, examples }: DataSet,
  rule: string,
): ReturnType<SetDefinition['load']> {
  return {
    engine: await ingest(documents),
    questions: examples.map(each => questionOf(each, rule)),
  };
}

function questionOf({ id, question, answers, type = 'all' }: Example, rule: string): SetQuestion {
  const score = (answer: string): number =>
    rule === F1
      ? Math.max(0, ...answers.map(gold => answerF1(answer, gold, 'hotpot')))
      : Number(isRight('strict', answer, answers));
  return { id, text: question.text, type, answerable: type !== 'null', score };
}

function documents(half: 'tune' | 'held'): SetDefinition['load'] {
  return async ({ cache }) => {
    const read: Document[] = [];
    const { folder } = await fetchCorpus(cache);
    for await (const event of readDocuments([folder]))
      if (event.type === 'document') read.push(event.document);
    const questions = documentQuestions()
      .filter(({ id }) => halfOf(id) === half)
      .map(question => ({
        id: question.id,
        text: question.question,
        type: question.kind,
        answerable: question.evidence.length > 0,
        score: (answer: string) => Number(isRightOf(answer, question)),
      }));
    return { engine: await ingest(read), questions };
  };
}

interface DemoQuestion {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly question_type: string;
}

async function demo(): ReturnType<SetDefinition['load']> {
  const read = (name: string): string =>
    readFileSync(new URL(`../../demo/${name}`, import.meta.url), 'utf8');
  const articles = read('corpus.jsonl').trim().split('\n');
  const questions = JSON.parse(read('questions.json')) as DemoQuestion[];
  return {
    engine: await ingest(articles.map(line => JSON.parse(line) as { id: string; text: string })),
    questions: questions.map(({ id, query, answer, question_type: type }) => ({
      id,
      text: query,
      type,
      answerable: type !== 'null_query',
      score: said => Number(isRight('strict', said, [answer])),
    })),
  };
}
