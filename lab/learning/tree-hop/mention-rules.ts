/** Reads a table of rules: a line of parts a rule, then its indented lines. */
export interface MentionRule {
  /** The parts between bars; a third may hold bars without spaces. */
  readonly head: readonly string[];
  readonly lines: readonly string[];
}

export const rulesOf = (table: string): MentionRule[] =>
  table
    .trim()
    .split(/\n(?! )/)
    .map(rule => {
      const [head, ...lines] = rule.split('\n').map(line => line.trim());
      return { head: head!.split(' | '), lines };
    });
