/** Declares measures: what each scores, and where an evaluation and its report print it. */
import type { Member, Parameter, SettingsOf } from '../core/naming/family.ts';
import type { Trace } from '../core/trace/trace.ts';
import type { Example, Measure, Records, Score } from './example.ts';

/** Names of a measure by the kind of data set: with answers, or with relevant documents alone. */
export interface UsualNames {
  readonly answers?: readonly string[];
  readonly rankings?: readonly string[];
}

export interface MeasureMember extends Member<Measure> {
  /** Names that an evaluation prints unless others are asked for. */
  readonly printed?: UsualNames;
  /** Names by which rows are compared pair by pair. */
  readonly compared?: UsualNames;
}

interface Declaration<P extends readonly Parameter[]>
  extends Omit<Member<Measure, P>, 'create'>,
    Pick<MeasureMember, 'printed' | 'compared'>,
    Pick<Measure, 'unit' | 'better' | 'aggregate' | 'table' | 'reads'> {
  /** Returns what the settings decide. Throws `InputError` for settings that contradict. */
  by?(settings: SettingsOf<P>, canonical: string): Partial<Measure>;
  /** As `score` of `Measure`, with the settings. */
  score(
    example: Example,
    trace: Trace,
    records: Records,
    settings: SettingsOf<P>,
  ): Score | undefined;
}

/** Declares a measure whose `score` gets its settings typed by the declared parameters. */
export function measureMember<const P extends readonly Parameter[] = readonly []>(
  declaration: Declaration<P>,
): MeasureMember {
  const { summary, unit, better, aggregate, table, reads, by, score, ...member } = declaration;
  return {
    ...member,
    summary,
    create: (received, name) => {
      const settings = received as SettingsOf<P>;
      return {
        name,
        summary,
        unit,
        better,
        aggregate,
        table,
        reads,
        ...by?.(settings, name),
        score: (example, trace, records) => score(example, trace, records, settings),
      };
    },
  };
}
