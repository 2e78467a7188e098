/** Records missing parts and requests of a run of `chain` as outputs of its trace. */

import type { ModelOutput } from '../../core/trace/trace.ts';
import { degraded } from '../../planning/model-in-use.ts';
import type { Completed } from './complete.ts';

/** Role of the record of a sub-question: what was asked, what was searched, what was answered. */
const SUB_QUESTION = 'subQuestion';
/** Role of the record that `SubQuestionRecall@k` reads. */
const PROBE = 'probe';

export interface Lacking {
  readonly model: boolean;
  readonly reranker: boolean;
  /** The edges that the engine serves, if none of them is followed. */
  readonly edges: readonly string[] | undefined;
  /** Edges of similarity are asked for, and the retriever searches no space of vectors. */
  readonly similarity: boolean;
}

/** Says what is lost without a model, a reranker or edges. */
export const lackingOutputs = ({ model, reranker, edges, similarity }: Lacking): ModelOutput[] => [
  ...(model
    ? [
        degraded(
          'Without a language model: rules split the question by what it describes, a reference is replaced by the name nearest to the asked relation, the question is searched beside its parts, the reader answers. Missing: chains that no "the X of Y" states, and an answer from the sub-answers.',
        ),
      ]
    : []),
  ...(reranker
    ? [degraded('No reranker: seeds and neighbours are in the order of the retriever')]
    : []),
  ...(edges
    ? [
        degraded(
          `No graph: the engine has the edges ${edges.join(', ') || 'none'}, seeds are not expanded`,
        ),
      ]
    : []),
  ...(similarity && !edges
    ? [degraded('No embedder in the retriever: edges of similarity are not followed')]
    : []),
];

/** Records a sub-question as JSON; confidence is the score of the best seed by a reranker. */
export function subQuestionOutput(
  number: number,
  { original, text }: Completed,
  answer: string | undefined,
  confidence: number | undefined,
): ModelOutput {
  const record = JSON.stringify({ number, original, rewritten: text, answer, confidence });
  return { role: SUB_QUESTION, text: record, parsed: true };
}

/** Names the two searches of a probe by their places in the hop, `place` and the next. */
export const probeOutput = (
  written: string,
  number: number,
  place: number,
  { original, text }: Completed,
): ModelOutput => ({
  role: PROBE,
  text: JSON.stringify({
    number,
    written,
    original,
    rewritten: text,
    searches: { original: place, rewritten: place + 1 },
  }),
  parsed: true,
});
