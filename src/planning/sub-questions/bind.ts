/**
 * Binds references: puts the answer of an earlier sub-question into the query of a later one. Ours;
 * see docs/papers/query-decomposition.md.
 */

import { defined } from '../../core/defined.ts';
import type { Search } from '../../core/trace/trace.ts';
import { bindable, type ReadAnswer } from './read-answer.ts';
import { referencesIn, withReferences } from './references.ts';

/** The text that a reference was bound to, or the reason why it was not. */
export interface Binding {
  readonly reference: number;
  readonly text?: string;
  readonly why?: string;
}

export interface BoundQuery {
  /** The query: contains every bound answer, and no reference. */
  readonly text: string;
  /** One entry for each reference. */
  readonly bindings: readonly Binding[];
  /** The first hop that an answer came from, and the item that contains it. */
  readonly from?: NonNullable<Search['from']>;
}

/**
 * Binds the references of a sub-question. `answers` by position; a reference to a missing one is
 * not bound. `fallback` is the query if only references were left.
 */
export function boundQuery(
  question: string,
  answers: readonly ReadAnswer[],
  settings: { readonly mustOccur: boolean; readonly fallback: string },
): BoundQuery {
  const bindings = referencesIn(question).map((reference): Binding => {
    const answer = answers[reference - 1];
    if (!answer) return { reference, why: 'it was not answered before' };
    return { reference, ...bindable(answer, settings.mustOccur) };
  });
  const text = withReferences(
    question,
    reference => bindings.find(binding => binding.reference === reference)?.text,
  );
  // The text depends on an earlier answer too where that could not be bound.
  const bound = bindings.find(({ text }) => text !== undefined);
  const first = bound ?? bindings.find(({ reference }) => answers[reference - 1]);
  const id = bound && answers[bound.reference - 1]!.occurrences[0]?.id;
  return defined({
    text: /[\p{L}\p{N}]/u.test(text) ? text : settings.fallback,
    bindings,
    from: first ? defined({ hop: first.reference - 1, search: 0, id }) : undefined,
  });
}
