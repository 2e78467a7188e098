/**
 * Collects the training questions of the lite classifiers with their lessons, over all distinct
 * paragraphs as one corpus.
 */
import type { Document } from '../../../src/core/corpus/document.ts';
import {
  paragraphKey,
  type TrainingParagraph,
  type TrainingQuestion,
} from '../training-question.ts';
import { type Lesson, lessonOf } from './lesson.ts';

export interface LiteQuestion {
  readonly question: TrainingQuestion;
  readonly lesson: Lesson;
  /** Ids of the documents of its supporting paragraphs. */
  readonly gold: ReadonlySet<string>;
}

export interface LiteData {
  /** Documents, with their padded positions as ids, so that ids sort. */
  readonly documents: readonly Document[];
  readonly questions: readonly LiteQuestion[];
  readonly counts: readonly LiteCounts[];
}

/** Counts of one data set and type. */
export interface LiteCounts {
  readonly dataset: string;
  readonly type: string;
  readonly questions: number;
  /** Questions that are left out, because the data do not state how they are resolved. */
  readonly unresolved: number;
  readonly rounds: number;
  readonly chunks: number;
  /** Chunks whose useful words are known. */
  readonly labelled: number;
  /** Sentences for the filter. */
  readonly sentences: number;
}

const DIGITS = 7;

export function liteData(questions: readonly TrainingQuestion[]): LiteData {
  const ids = new Map<string, string>();
  const documents: Document[] = [];
  const idOf = (paragraph: TrainingParagraph): string => {
    const key = paragraphKey(paragraph);
    let id = ids.get(key);
    if (id === undefined) {
      id = String(documents.length).padStart(DIGITS, '0');
      ids.set(key, id);
      documents.push({ id, title: paragraph.title, text: paragraph.text, metadata: {} });
    }
    return id;
  };
  const read = questions.map((question): LiteQuestion => {
    const places = question.paragraphs.map(idOf);
    const gold = new Set(
      places.filter((_, place) => question.supporting.includes(question.paragraphs[place]!.title)),
    );
    return { question, lesson: lessonOf(question), gold };
  });
  return {
    documents,
    questions: read.filter(({ lesson }) => lesson.rounds.length > 0),
    counts: countsOf(read),
  };
}

function countsOf(questions: readonly LiteQuestion[]): LiteCounts[] {
  const groups = Map.groupBy(questions, ({ question: { dataset, type } }) => `${dataset} ${type}`);
  return [...groups.values()].map(group => {
    const { dataset, type } = group[0]!.question;
    const rounds = group.flatMap(({ lesson }) => lesson.rounds);
    const chunks = rounds.flatMap(round => round.chunks);
    return {
      dataset,
      type,
      questions: group.length,
      unresolved: group.filter(({ lesson }) => lesson.rounds.length === 0).length,
      rounds: rounds.length,
      chunks: chunks.length,
      labelled: chunks.filter(({ labels }) => labels !== undefined).length,
      sentences: group.reduce((sum, { lesson }) => sum + lesson.sentences.length, 0),
    };
  });
}
