/** The table of one row less the best of several, measure by measure. */
import { type Block, differenceOf, type MeasuredRow, meanOf } from './report.ts';
import { deltaText, table } from './tables.ts';

/**
 * One measure a line, over the rows of one or several evaluations: the row `ours`, the rival with
 * the greatest mean by that measure, and their paired difference.
 */
export const lessBetter =
  (
    names: string | readonly string[],
    measures: readonly string[],
    ours: string,
    rivals: readonly string[],
  ): Block =>
  ({ measured }) => {
    const rows = [names].flat().flatMap(name => measured.get(name)?.rows ?? []);
    const row = rows.find(({ label }) => label === ours);
    const others = rows.filter(({ label }) => rivals.includes(label));
    if (!row || others.length === 0) return undefined;
    return table(
      ['measure', 'better', 'less it'],
      measures.map(each => {
        const better = others.reduce((best, row) =>
          mean(row, each) > mean(best, each) ? row : best,
        );
        return [each, better.label, deltaText(each, differenceOf(each, row, better))];
      }),
      ['better'],
    );
  };

const mean = (row: MeasuredRow, measure: string): number =>
  meanOf(row, measure) ?? Number.NEGATIVE_INFINITY;
