/** Finds gold documents and gold passages by rank, for the measures of rankings. */
import { InputError } from '../core/errors.ts';
import type { Parameter } from '../core/naming/family.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Example, Gold, Measure } from './example.ts';
import { goldDocuments } from './gold-evidence.ts';
import { passageRanking, type RankedPassage } from './passage-ranking.ts';

/** `ranking` puts evidence first; `diagnostic` is the order of the strategy's paper. */
export type Order = 'ranking' | 'diagnostic';

type Named<Name extends string, Type extends Parameter['type']> = Parameter & {
  readonly name: Name;
  readonly type: Type;
};
type Choice<Name extends string, Choices extends string> = Named<Name, 'text'> & {
  readonly choices: readonly Choices[];
};

export const orderParameter = (order: Order): Choice<'order', Order> => ({
  name: 'order',
  type: 'text',
  default: order,
  choices: ['ranking', 'diagnostic'],
  summary:
    "ranking: evidence first; diagnostic: the order of the strategy's paper where the trace has one, else ranking",
});

export const cutOffParameter = (k: number, unit = 'documents'): Named<'k', 'integer'> => ({
  name: 'k',
  type: 'integer',
  default: k,
  min: 1,
  shown: true,
  summary: `cut-off, in ${unit}`,
});

export const unitParameter: Choice<'unit', 'document' | 'passage'> = {
  name: 'unit',
  type: 'text',
  default: 'document',
  choices: ['document', 'passage'],
  positional: true,
  summary:
    'gold documents among documents, or gold facts among passages (undefined where the spans of facts or the passages are unknown)',
};

/** Returns the ranked document ids in the order asked for. */
export const rankedDocuments = (trace: Trace, order: Order): readonly string[] =>
  order === 'diagnostic' ? (trace.diagnostic?.documents ?? trace.ranking) : trace.ranking;

/** Returns the grade of each distinct gold document: the largest where several entries name it. */
export function gradesOf(example: Example): Map<string, number> {
  const grades = new Map<string, number>();
  for (const { documentId, grade = 1 } of example.gold)
    grades.set(documentId, Math.max(grade, grades.get(documentId) ?? grade));
  return grades;
}

export interface RankSettings {
  readonly k: number;
  readonly unit: 'document' | 'passage';
  readonly order: Order;
}

/**
 * Returns what the settings of a measure of rankings decide. Throws `InputError('bad-measure')` for
 * passages in diagnostic order.
 */
export function rankedBy(
  { unit, order }: Pick<RankSettings, 'unit' | 'order'>,
  measure: string,
): Pick<Measure, 'reads'> {
  if (unit === 'passage' && order === 'diagnostic')
    throw new InputError('bad-measure', `The measure "${measure}" has no value`, {
      expected: 'unit=document, or order=ranking: diagnostic rankings list documents',
      received: 'unit=passage with order=diagnostic',
    });
  return { reads: unit === 'document' ? 'ranking' : undefined };
}

/** The number of gold units, and of those found among the first k. */
export interface FoundGold {
  readonly found: number;
  readonly gold: number;
}

/** Counts gold among the first k of a ranking. Returns undefined for a question without gold. */
export function foundGold(
  example: Example,
  trace: Trace,
  { k, unit, order }: RankSettings,
): FoundGold | undefined {
  if (unit === 'passage') return foundFacts(example, trace, k);
  const gold = goldDocuments(example);
  if (gold.length === 0) return undefined;
  const first = new Set(rankedDocuments(trace, order).slice(0, k));
  return { found: gold.filter(id => first.has(id)).length, gold: gold.length };
}

/**
 * Counts the distinct gold facts that stand whole in one of the first k passages. A fact that does
 * not stand in its document counts as not found. Returns undefined if a gold entry names no fact,
 * since its passages are unknown then, or if the trace has no passages.
 */
function foundFacts({ gold }: Example, trace: Trace, k: number): FoundGold | undefined {
  if (gold.length === 0 || gold.some(({ fact, span }) => fact === undefined && !span))
    return undefined;
  const passages = passageRanking(trace)?.slice(0, k);
  if (!passages) return undefined;
  const facts = [...new Map(gold.map(entry => [factKey(entry), entry])).values()];
  const found = facts.filter(entry => passages.some(passage => holds(passage, entry))).length;
  return { found, gold: facts.length };
}

const factKey = ({ documentId, fact, span }: Gold): string =>
  JSON.stringify([documentId, span ?? fact]);

const holds = (passage: RankedPassage, { documentId, span }: Gold): boolean =>
  span !== undefined &&
  passage.documentId === documentId &&
  passage.spans.some(([start, end]) => start <= span[0] && span[1] <= end);
