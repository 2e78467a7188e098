/**
 * Declares a question of a training split: its paragraphs, and the order of its facts if the data
 * set states it.
 */

export interface TrainingParagraph {
  /** Empty if the data set has none. */
  readonly title: string;
  readonly text: string;
}

/** A step of a decomposition; `#2` in its question is the answer of the second step. */
export interface TrainingStep {
  readonly question: string;
  /** Index of its paragraph among the question's; undefined if unknown. */
  readonly paragraph: number | undefined;
  readonly answer?: string;
}

export const TRAINING_DATASETS = ['2wiki', 'musique', 'hotpotqa'] as const;
/** `mentions`: generated from paragraphs that mention others, not read from a file. */
export type TrainingDataset = (typeof TRAINING_DATASETS)[number] | 'mentions';

export interface TrainingQuestion {
  readonly dataset: TrainingDataset;
  readonly id: string;
  /** Type as in the data set: `compositional`, `bridge`, `2hop`, ... */
  readonly type: string;
  readonly text: string;
  /** Accepted answers, the main one first; missing if unknown. */
  readonly answers?: readonly string[];
  /** The published context of the question; only its gold paragraphs if that is unknown. */
  readonly paragraphs: readonly TrainingParagraph[];
  readonly ownContext: boolean;
  /** Distinct titles of the supporting paragraphs. */
  readonly supporting: readonly string[];
  /** Triples of 2WikiMultiHopQA: subject, relation, object. */
  readonly evidences: readonly (readonly [subject: string, relation: string, object: string])[];
  /** Steps of MuSiQue. */
  readonly steps: readonly TrainingStep[];
  /** Indexes of the gold paragraphs in hop order, if the data set states it. */
  readonly order: readonly number[];
}

/** Identifies a paragraph by its content. */
export const paragraphKey = ({ title, text }: TrainingParagraph): string => `${title}\0${text}`;

/** An edge from one paragraph to the next by index; -1 is the question. */
export type Edge = readonly [from: number, to: number];
