/**
 * Declares planners, which split a question into queries, the most important first, without a model
 * or a search.
 */

export interface Planner {
  /** Canonical name. */
  readonly name: string;
  /**
   * Returns at most `cap` queries, at least one for a question with a word. `sources`: known source
   * names of the corpus.
   */
  plan(question: string, cap: number, sources: readonly string[]): PlannedQuery[];
}

export interface PlannedQuery {
  readonly text: string;
}

const TRIMMED = /[\s,.?;:'"]/;

/** Trims spaces and `, . ? ; : ' "` from both ends. O(length): no expression that backtracks. */
export function trimClause(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && TRIMMED.test(text[start]!)) start++;
  while (end > start && TRIMMED.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

export function countWhitespaceWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length;
}

/** Collects distinct clauses (ignoring case), in order. */
export class ClauseList {
  readonly clauses: string[] = [];
  private readonly seen = new Set<string>();

  /** Adds the trimmed clause if it has at least `atLeast` words and is new. */
  add(clause: string, atLeast: number): void {
    const text = trimClause(clause);
    const key = text.toLowerCase();
    if (text === '' || countWhitespaceWords(text) < atLeast || this.seen.has(key)) return;
    this.seen.add(key);
    this.clauses.push(text);
  }

  /** Returns the first `cap` clauses, or the question itself if there are none. */
  queries(cap: number, question: string): PlannedQuery[] {
    const clauses = this.clauses.length > 0 ? this.clauses : [trimClause(question) || question];
    return clauses.slice(0, cap).map(text => ({ text }));
  }
}
