/**
 * Reads the relation that a yes/no question asks for, and which answer evidence for it means. The
 * operation comes from the question; only evidence decides whether it holds.
 */

/** `claims`: each clause is asked for by itself. */
export type Relation = 'conflict' | 'agreement' | 'change' | 'difference' | 'order' | 'claims';

export interface AskedRelation {
  readonly relation: Relation;
  /**
   * 1 if reports that say what the clauses say make a yes; -1 if they make a no: "was there
   * inconsistency", "was there no change", "did it fail to report".
   */
  readonly sign: 1 | -1;
}

/** Words before a relation that deny it. */
const DENIED = String.raw`\b(?:no|not|without|lack of|fail(?:s|ed)? to|never)\s(?:\p{L}+\s){0,3}?`;
const FAILED = /\bfail(?:s|ed)? to\b/iu;
const ORDERED = /^(?:did|was|were|does|do|has|had)\b.*?\b(?:before|prior to|after|following)\b/isu;

interface Cue {
  readonly relation: Relation;
  readonly sign: 1 | -1;
  readonly pattern: RegExp;
  readonly denied: RegExp;
}

const cue = (relation: Relation, sign: 1 | -1, pattern: string, roots: string): Cue => ({
  ...{ relation, sign, pattern: new RegExp(pattern, 'iu') },
  denied: new RegExp(`${DENIED}(?:${roots})`, 'iu'),
});

/** The first that a question holds is its relation. */
const CUES: readonly Cue[] = [
  cue(
    'conflict',
    -1,
    String.raw`\b(?:inconsisten|disagree|contradict|conflicting\b|at odds\b|(?:a|any|no|there)\s(?:\p{L}+\s)?discrepanc|conflict(?:s|ing|ed)?\s(?:with|between)\b)`,
    'inconsisten|disagree|contradict|discrepan|conflict',
  ),
  cue(
    'agreement',
    1,
    String.raw`\b(?:consisten|agree|align|similar|(?:unchanged|same|alike|both)\b)`,
    'consisten|agree|align|similar|the same|maintain',
  ),
  cue(
    'change',
    1,
    String.raw`\b(?:chang(?:e|ed|es)|shift(?:ed|s)?|evolv\p{L}+)\b`,
    'chang|shift|evolv',
  ),
  cue('difference', 1, String.raw`\b(?:differ|dissimilar|contrast|unlike\b)`, 'differ|contrast'),
];

export function askedRelation(question: string): AskedRelation {
  const found = CUES.find(({ pattern }) => pattern.test(question));
  const failed = FAILED.test(question) ? -1 : 1;
  if (!found) return { relation: ORDERED.test(question) ? 'order' : 'claims', sign: failed };
  const { relation, sign, denied } = found;
  if (denied.test(question)) return { relation, sign: sign === 1 ? -1 : 1 };
  return { relation, sign: relation === 'difference' ? failed : sign };
}
