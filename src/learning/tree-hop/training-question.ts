/**
 * A question of a train split as TreeHop learns from it: its paragraphs, and whatever its data set
 * says about their order.
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

/** Why a question has no supervision graph. */
export const REJECTIONS = {
  comparison: 'a comparison: its paragraphs stand side by side',
  'no-question': 'it has no words',
  'unknown-type': 'a type that is not known to be a chain',
  'no-evidences': 'no evidence triples, and no order of its gold paragraphs',
  'unmapped-subject': 'the subject of a triple is none of its paragraphs',
  'no-support': 'a step names no paragraph',
  'bad-reference': 'a step refers to none before it',
  'unknown-order': 'the order of its gold paragraphs is not known',
  'too-few-nodes': 'fewer than two paragraphs lead anywhere',
  'no-edge': 'no paragraph leads to another',
  cycle: 'its paragraphs lead in a circle',
  'not-one-root': 'a chain that does not begin at one paragraph',
  'too-few-roots': 'a bridge comparison that does not begin at two paragraphs and end at two',
  'few-negatives': 'too few other paragraphs to draw negatives from',
} as const;
export type Rejection = keyof typeof REJECTIONS;

/** From a paragraph to the next by their places; from -1, the question, to the first ones. */
export type Edge = readonly [from: number, to: number];
export const QUESTION = -1;

export type SupervisionGraph =
  | { readonly edges: readonly Edge[]; readonly from: 'evidences' | 'decomposition' | 'order' }
  | { readonly rejected: Rejection };
