/** Chooses the measures that lead a report: whether answers are right, whether evidence arrived. */
import type { EvaluationResult } from '../evaluation-result.ts';
import { rightMeasure } from './scored-questions.ts';

export interface LeadMeasures {
  /** Says of each answer whether it is right; missing if no reader answered. */
  readonly right?: string;
  /** Share of questions whose whole evidence arrived, then share of evidence. */
  readonly evidence: readonly string[];
  /** Drawn beside facts: the paper's measure on its own data set, recall of documents elsewhere. */
  readonly documents: string;
}

/** The data set of the budgeted-agent paper, and its measure. */
const PAPER_DATASET = 'multihop-rag';
const PAPER = 'RetrievalConditionedEM(answerable)';

export function leadMeasures(result: EvaluationResult): LeadMeasures {
  const has = (name: string): boolean => result.rows.some(row => row.measures[name] !== undefined);
  const right = rightMeasure(result);
  const facts = ['AllFacts', 'FactRecall'].filter(has);
  return {
    right,
    evidence: facts.length > 0 ? facts : ['AllRecall@10', 'EvidenceRecall'].filter(has),
    documents: result.dataset === PAPER_DATASET ? PAPER : 'EvidenceRecall',
  };
}
