/**
 * Binding, ours: the answer of an earlier sub-question is put into the query of a later one, in the
 * place of its reference.
 */
import type { Search } from '../../trace/trace.ts';
import { bindable, type ReadAnswer } from './read-answer.ts';
import { referencesIn, withReferences } from './references.ts';

/** What a reference was bound to, or why it was not. */
export interface Binding {
  readonly reference: number;
  readonly text?: string;
  readonly why?: string;
}

export interface BoundQuery {
  /** What is searched for: every answer that was bound stands in it, no reference is left. */
  readonly text: string;
  /** One for each reference. */
  readonly bindings: readonly Binding[];
  /** The hop of the first answer that is bound, and the item that holds it; else of the first. */
  readonly from?: NonNullable<Search['from']>;
}

/**
 * `answers` by position; a reference to one that is not there is not bound. `fallback` is asked
 * where nothing but references was left.
 */
export function boundQuery(
  question: string,
  answers: readonly ReadAnswer[],
  settings: { readonly mustStand: boolean; readonly fallback: string },
): BoundQuery {
  const bindings = referencesIn(question).map((reference): Binding => {
    const answer = answers[reference - 1];
    return {
      reference,
      ...(answer ? bindable(answer, settings.mustStand) : { why: 'it was not asked before' }),
    };
  });
  const text = withReferences(
    question,
    reference => bindings.find(binding => binding.reference === reference)?.text,
  );
  // The text depends on an earlier answer too where that could not be bound.
  const bound = bindings.find(({ text }) => text !== undefined);
  const first = bound ?? bindings.find(({ reference }) => answers[reference - 1]);
  const id = bound && answers[bound.reference - 1]!.stands[0]?.id;
  return {
    text: /[\p{L}\p{N}]/u.test(text) ? text : settings.fallback,
    bindings,
    ...(first
      ? { from: { hop: first.reference - 1, search: 0, ...(id === undefined ? {} : { id }) } }
      : {}),
  };
}
