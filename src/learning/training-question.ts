/**
 * A question of a train split: its paragraphs, and what its data set states about their order.
 */

export interface TrainingParagraph {
  /** Empty where the data set names none. */
  readonly title: string;
  readonly text: string;
}

/** One step of a decomposition; `#2` in its question stands for the answer of the second step. */
export interface TrainingStep {
  readonly question: string;
  /** Place of its paragraph among the question's; undefined where it is not known. */
  readonly paragraph: number | undefined;
  readonly answer?: string;
}

export const TRAINING_DATASETS = ['2wiki', 'musique', 'hotpotqa'] as const;
/** `mentions`: written of paragraphs that name others, read from no file. */
export type TrainingDataset = (typeof TRAINING_DATASETS)[number] | 'mentions';

export interface TrainingQuestion {
  readonly dataset: TrainingDataset;
  readonly id: string;
  /** `compositional`, `bridge`, `2hop`, ... */
  readonly type: string;
  readonly text: string;
  /**
   * The context in which the question was published; only its gold paragraphs where that is not
   * known.
   */
  readonly paragraphs: readonly TrainingParagraph[];
  readonly ownContext: boolean;
  /** Titles of the supporting paragraphs, each once. */
  readonly supporting: readonly string[];
  /** 2WikiMultiHopQA: subject, relation, object. */
  readonly evidences: readonly (readonly [subject: string, relation: string, object: string])[];
  /** MuSiQue. */
  readonly steps: readonly TrainingStep[];
  /** Places of the gold paragraphs in the order of the hops, where a data set says it so. */
  readonly order: readonly number[];
}

/** Identifies a paragraph by its content. */
export const paragraphKey = ({ title, text }: TrainingParagraph): string => `${title}\0${text}`;

/** An edge from one paragraph to the next, both given by their position; -1 is the question. */
export type Edge = readonly [from: number, to: number];
