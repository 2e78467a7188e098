/** Declares contexts: a context renders evidence as text and prices it while a strategy selects. */

import type { Need, ResourceLookup } from '../core/port.ts';
import type { Call } from '../core/trace/call.ts';
import type { ContextText, EvidenceItem, Question } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';

/**
 * A context of one run. The costs of the evidence items, each priced after those before it, sum to
 * the token count of the built text.
 */
export interface Context {
  readonly name: string;
  /**
   * Returns the text of the item's own spans, of which a `Selection` keeps each once. A context
   * without it leaves equal texts to the strategy.
   */
  text?(item: EvidenceItem): Promise<string>;
  /** Returns the number of word runs that `next` adds to the context of `soFar`. */
  cost(next: EvidenceItem, soFar: readonly EvidenceItem[]): Promise<number>;
  /**
   * Returns the text of all evidence in order. Leaves out whole items that exceed `tokens`, which
   * cannot occur if the strategy reserved what it kept.
   */
  build(question: Question, kept: readonly EvidenceItem[], tokens: number): Promise<ContextText>;
}

/** A context that is not yet bound to an engine and a question. */
export interface UnboundContext {
  readonly name: string;
  /** Resources that it looks up when it is bound, computed from its settings. */
  readonly needs?: readonly Need[];
  bind(engine: SearchEngine, call: Call, question: Question, resource?: ResourceLookup): Context;
}
