/** Rows of controls, which stand beside those of systems, and traces of controls without search. */
import type { Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { Row } from './evaluation-result.ts';
import type { Example } from './example.ts';
import { ABSTENTION } from './given-answer.ts';

/** A row for `evaluate`: only its answers mean anything, so score it on answer measures alone. */
export const controlRow = (name: string): Row => ({
  id: name,
  strategy: 'none',
  retriever: 'none',
  context: 'none',
  reader: name,
  budget: {},
});

/** Tells whether a row is a control: it answers without reading, or repeats another row. */
export const isControl = (row: Pick<Row, 'strategy' | 'control'>): boolean =>
  row.strategy === 'none' || row.control !== undefined;

/** A trace that found nothing and says the control's answer. */
export function controlTrace(name: string, example: Example, text: string): Trace {
  const answer: Trace['answer'] =
    text === ABSTENTION
      ? { kind: 'abstained', reason: 'majority' }
      : { kind: 'answered', text, citations: [] };
  return { ...emptyTrace(example.question, controlRow(name)), answer };
}
