/** Determines the relations that a question asks for, in the order of its chain. */
import { blanked } from '../../../core/text/replace-spans.ts';
import type { Span } from '../../../core/text/span-index.ts';
import type { AskedKind, AskedQuestion } from '../question/asked-question.ts';
import type { Relation } from './relation.ts';
import { COMPOSED, RELATIONS } from './relations.ts';

export interface RelationStep {
  readonly relation: Relation;
  /** Offset of its words in the question. */
  readonly at: number;
}

/** Relations that answer questions of a kind, the most specific first. */
const FINAL: Partial<Record<AskedKind, readonly string[]>> = {
  place: [
    'place of burial',
    'education',
    'place of death',
    'place of birth',
    'nationality',
    'employer',
    'location',
  ],
  time: ['date of death', 'date of birth', 'date of release', 'date of founding'],
  nationality: ['nationality'],
};
/** Relations that no chain leads to unless their own words ask for them. */
const NAMED_FINAL: readonly string[] = ['cause of death', 'award', 'education'];

/**
 * Returns the relations that the question's words ask for: those that lead from one thing to the
 * next, nearest to an anchor first, and at last what is asked for. `anchors`: spans of the entities
 * that the question names.
 */
export function relationSteps(
  { text, kind }: AskedQuestion,
  anchors: readonly Span[],
): RelationStep[] {
  let masked = blanked(text, anchors);
  const composed = COMPOSED.find(({ asks }) => asks.test(masked));
  if (composed) {
    const at = composed.asks.exec(masked)!.index;
    masked = masked.replace(composed.asks, found => ' '.repeat(found.length));
    const chain = composed.chain.map(name => ({ relation: relationNamed(name), at }));
    return [...chain, ...finalSteps(masked, kind)];
  }
  const found = RELATIONS.flatMap(relation => {
    const match = relation.asks.exec(masked);
    return match ? [{ relation, at: match.index }] : [];
  });
  const distance = ({ at }: RelationStep): number =>
    Math.min(...anchors.map(({ start, end }) => (at >= end ? at - end : start - at)), 1000);
  const leading = found
    .filter(({ relation }) => relation.leads)
    .sort((a, b) => distance(a) - distance(b));
  return [...leading, ...finalSteps(masked, kind)];
}

function finalSteps(masked: string, kind: AskedKind): RelationStep[] {
  const name = (FINAL[kind] ?? NAMED_FINAL).find(each => relationNamed(each).asks.test(masked));
  if (name === undefined) return [];
  const relation = relationNamed(name);
  return [{ relation, at: relation.asks.exec(masked)!.index }];
}

/** Throws for a name that no relation has. */
export function relationNamed(name: string): Relation {
  const relation = RELATIONS.find(each => each.name === name);
  if (!relation) throw new Error(`No relation ${name}`);
  return relation;
}
