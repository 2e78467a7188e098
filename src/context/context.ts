/**
 * A context puts evidence into the words that are passed on, and knows what they cost while a
 * strategy still chooses.
 */
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Call } from '../trace/call.ts';
import type { ContextText, EvidenceItem, Question } from '../trace/trace.ts';

/**
 * The sum of the costs of the kept items, each priced after those before it, equals the token count
 * of the built text.
 */
export interface Context {
  readonly name: string;
  /** Word runs that this item would add. */
  cost(next: EvidenceItem, soFar: readonly EvidenceItem[]): Promise<number>;
  /**
   * The text of all kept items in order. Items beyond `tokens` are left out whole; a strategy that
   * reserved what it kept never meets that case.
   */
  build(question: Question, kept: readonly EvidenceItem[], tokens: number): Promise<ContextText>;
}

/** A context before it knows its engine and the question that it is built for. */
export interface UnboundContext {
  readonly name: string;
  bind(engine: SearchEngine, call: Call, question: Question): Context;
}
