/** Finds what the mentions of a sentence state, by the patterns of the relations. */
import type { Mention } from '../names/mentions.ts';
import type { Relation } from './relation.ts';

export interface Stated {
  readonly relation: string;
  readonly mention: Mention;
  /** True by a pattern of first sentences. */
  readonly lead: boolean;
}

export interface Readable {
  readonly text: string;
  readonly place: number;
  readonly mentions: readonly Mention[];
}

/** Characters before and after a mention that patterns see. */
const BEFORE = 160;
const AFTER = 60;

export function statements(
  { text, place, mentions }: Readable,
  relations: readonly Relation[],
): Stated[] {
  const stated: Stated[] = [];
  for (const mention of mentions) {
    const left = text.slice(Math.max(0, mention.start - BEFORE), mention.start);
    const right = text.slice(mention.end, mention.end + AFTER);
    const atStart = mention.start <= BEFORE;
    for (const relation of relations)
      if (relation.kinds.some(kind => fits(kind, mention.kind))) {
        const lead = place === 0 && atStart && matches(relation.lead ?? [], left);
        if (lead || matches(relation.before, left) || matches(relation.after, right))
          stated.push({ relation: relation.name, mention, lead });
      }
  }
  return stated;
}

const fits = (value: Relation['kinds'][number], kind: Mention['kind']): boolean =>
  value === kind || (value === 'name' && kind === 'quote');

const matches = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some(pattern => pattern.test(text));
