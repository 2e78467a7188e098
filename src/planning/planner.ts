/**
 * A planner cuts a question into the queries that a strategy asks, the most important first. No
 * model, no search.
 */

export interface Planner {
  /** Canonical. */
  readonly name: string;
  /**
   * At most `cap` queries, never empty for a question with a word in it. `sources`: the known
   * source names of the corpus.
   */
  plan(question: string, cap: number, sources: readonly string[]): PlannedQuery[];
}

export interface PlannedQuery {
  readonly text: string;
}

/** Spaces and `, . ? ; : ' "` trimmed from both ends. */
export function trimClause(text: string): string {
  return text.replace(/^[\s,.?;:'"]+|[\s,.?;:'"]+$/g, '');
}

export function countWhitespaceWords(text: string): number {
  return text.split(/\s+/).filter(word => word !== '').length;
}

/** A list of clauses without repetitions (ignoring case), in order. */
export class ClauseList {
  readonly clauses: string[] = [];
  private readonly seen = new Set<string>();

  /** Adds the trimmed clause if it has at least `atLeast` words and is not there yet. */
  add(clause: string, atLeast: number): void {
    const text = trimClause(clause);
    const key = text.toLowerCase();
    if (text === '' || countWhitespaceWords(text) < atLeast || this.seen.has(key)) return;
    this.seen.add(key);
    this.clauses.push(text);
  }

  /**
   * The first `cap` clauses; the question itself when there is none, so that a short question is
   * asked at all.
   */
  queries(cap: number, question: string): PlannedQuery[] {
    const clauses = this.clauses.length > 0 ? this.clauses : [trimClause(question) || question];
    return clauses.slice(0, cap).map(text => ({ text }));
  }
}
