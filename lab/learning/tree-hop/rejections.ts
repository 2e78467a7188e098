/** The reasons for rejecting a training question, and the outcome of building its graph. */
import type { Edge } from '../training-question.ts';

/** Reasons for which a question has no supervision graph. */
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

/** Stands for the question in an edge. */
export const QUESTION = -1;

export type SupervisionGraph =
  | { readonly edges: readonly Edge[]; readonly from: 'evidences' | 'decomposition' | 'order' }
  | { readonly rejected: Rejection };
