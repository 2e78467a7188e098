/**
 * Chooses the measures that an evaluation prints by default, and those by which it compares rows,
 * as their members declare. A measure without a value for a run is not printed.
 */
import type { Example, Measure } from './example.ts';
import type { UsualNames } from './measure-member.ts';
import { measure, measureMembers } from './measures.ts';

type Kind = keyof UsualNames;

const names = (use: 'printed' | 'compared', kind: Kind): readonly string[] =>
  measureMembers.flatMap(member => member[use]?.[kind] ?? []);

/** Names of the measures that are printed for questions with answers. */
export const DEFAULT_MEASURES: readonly string[] = names('printed', 'answers');

/** Without accepted answers there are relevant documents alone. */
const kindOf = (examples: readonly Example[]): Kind =>
  examples.every(({ answers }) => answers.length === 0) ? 'rankings' : 'answers';

/** Returns the names of the measures that are printed if none is asked for. */
export const defaultMeasureNames = (examples: readonly Example[]): readonly string[] =>
  names('printed', kindOf(examples));

/** Measures of scored run files, which hold rankings and nothing else. */
export const RUN_FILE_MEASURES: readonly string[] = names('printed', 'rankings').filter(
  name => measure(name).reads === 'ranking',
);

/**
 * Returns the names of the measures that are compared row by row: those of `measures` that always
 * are, or all of them if none is.
 */
export function mainMeasureNames(
  examples: readonly Example[],
  measures: readonly Measure[],
): readonly string[] {
  const usual = names('compared', kindOf(examples));
  return measures.some(({ name }) => usual.includes(name))
    ? usual
    : measures.map(measure => measure.name);
}
