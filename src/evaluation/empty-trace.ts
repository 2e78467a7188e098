/** The trace of a question whose run failed: nothing found, nothing said. */

import { defined } from '../core/defined.ts';
import type { Question, Search, Trace } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';

interface Described {
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
  readonly reader: string;
  readonly budget: Budget;
}

/**
 * An empty trace. Its answer is the empty text, not an abstention, so that a failure is never right
 * on a null question.
 *
 * `sibling`, a trace of the same row that did not fail, decides which measures have a value at all:
 * passage measures where the row searches passages, answer measures where its reader answers.
 * Otherwise failures would fall out of n and flatter the row.
 */
export function emptyTrace(question: Question, row: Described, sibling?: Trace): Trace {
  const search = sibling?.hops
    .flatMap(hop => hop.searches)
    .findLast(candidate => candidate.unit === 'passage');
  const nothing: Search[] = search
    ? [{ retriever: search.retriever, unit: 'passage', hits: [] }]
    : [];
  return defined({
    question,
    strategy: row.strategy,
    retriever: row.retriever,
    reader: row.reader,
    budget: row.budget,
    hops: search ? [{ searches: nothing, kept: [], rejected: [], spent: {} }] : [],
    evidence: [],
    ranking: [],
    context: { name: row.context, text: '', tokens: 0, parts: [] },
    answer: defined({
      kind: sibling?.answer.kind === 'evidence' ? ('evidence' as const) : ('answered' as const),
      text: '',
      citations: [],
      questionType: sibling?.answer.questionType === undefined ? undefined : 'none',
    }),
    spent: {},
    ms: 0,
    manifest: {},
  });
}
