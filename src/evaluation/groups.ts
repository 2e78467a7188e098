/** Breakdowns: by question type, and by number of distinct gold documents. */
import type { Series } from './bootstrap.ts';
import type { Example } from './example.ts';
import { goldDocuments } from './gold-evidence.ts';
import { valueOfScores } from './value-of-scores.ts';

export interface GroupSizes {
  readonly byType: Readonly<Record<string, number>>;
  readonly byEvidence: Readonly<Record<string, number>>;
}

const typeOf = (example: Example): string => example.type ?? 'untyped';
/** Undefined for questions without gold evidence. */
const chainOf = (example: Example): string | undefined =>
  String(goldDocuments(example).length || '') || undefined;

/** Question indices by key, keys in ascending order. */
function grouped(
  examples: readonly Example[],
  key: (example: Example) => string | undefined,
): [string, number[]][] {
  const groups = new Map<string, number[]>();
  for (const [index, example] of examples.entries()) {
    const group = key(example);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

const sizes = (groups: readonly [string, number[]][]): Record<string, number> =>
  Object.fromEntries(groups.map(([key, members]) => [key, members.length]));

export function groupSizes(examples: readonly Example[]): GroupSizes {
  return {
    byType: sizes(grouped(examples, typeOf)),
    byEvidence: sizes(grouped(examples, chainOf)),
  };
}

type Breakdown = Record<string, Record<string, number>>;

function breakdown(groups: readonly [string, number[]][], all: readonly Series[]): Breakdown {
  return Object.fromEntries(
    groups.map(([key, members]) => {
      const values = all.flatMap(({ measure, scores }) => {
        const value = valueOfScores(
          measure,
          members.map(index => scores[index]),
        );
        return value ? [[measure.name, value.value]] : [];
      });
      return [key, Object.fromEntries(values)];
    }),
  );
}

/** The value of each measure in each group; a measure without a value there has no key. */
export function byGroup(
  examples: readonly Example[],
  all: readonly Series[],
): { readonly byType: Breakdown; readonly byEvidence: Breakdown } {
  return {
    byType: breakdown(grouped(examples, typeOf), all),
    byEvidence: breakdown(grouped(examples, chainOf), all),
  };
}
