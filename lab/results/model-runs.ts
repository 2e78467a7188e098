/** Blocks over runs of a language model: each recorded to a cassette and replayed from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitTraces, verifyTrace } from '../../src/core/trace/audit.ts';
import { type Trace, traceOf } from '../../src/core/trace/trace.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import type { Block, Measured, Results } from './report.ts';
import { table } from './tables.ts';

/** One line of the tables. */
interface Line {
  readonly strategy: string;
  readonly recorded: Measured;
  readonly traces: readonly Trace[];
  /** Measures but times, scores of questions, and content hashes of traces are equal. */
  readonly same: boolean;
}

export const replayOf = (name: string): string => `${name}.replayed`;

const isTime = (name: string): boolean => name.startsWith('Milliseconds');
const timeless = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (isTime(key) ? undefined : inner));

type TraceFiles = Readonly<
  Record<string, { readonly file: string; readonly heads: { readonly content: string } }>
>;
const filesIn = ({ kept }: Measured): TraceFiles =>
  JSON.parse(readFileSync(join(kept, 'traces.json'), 'utf8')) as TraceFiles;
const contentOf = (measured: Measured): string =>
  JSON.stringify(Object.entries(filesIn(measured)).map(([row, { heads }]) => [row, heads.content]));

/** Throws `Error` for a trace that was changed. */
function tracesIn(measured: Measured): Trace[] {
  return Object.values(filesIn(measured)).flatMap(({ file, heads }) => {
    const path = join(measured.kept, file);
    const verified = verifyTrace(readFileSync(path, 'utf8'), sha256, heads.content);
    if (!verified.ok) throw new Error(`${path}, line ${verified.line}: ${verified.problem}`);
    return splitTraces(verified.events).flatMap(trace => traceOf(trace) ?? []);
  });
}

function linesOf({ measured }: Results, names: readonly string[]): Line[] {
  return names.flatMap(name => {
    const [recorded, replayed] = [measured.get(name), measured.get(replayOf(name))];
    if (!recorded || !replayed) return [];
    const comparable = ({ rows, result }: Measured): string =>
      timeless([result.rows, rows.map(({ scores }) => scores)]);
    const same =
      comparable(recorded) === comparable(replayed) && contentOf(recorded) === contentOf(replayed);
    const { strategy } = recorded.result.rows[0]!;
    return [{ strategy, recorded, traces: tracesIn(recorded), same }];
  });
}

const counted = (value: number): string => value.toLocaleString('en');
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Calls, tokens and faults of each run, and whether its replay is equal. */
export const requests =
  (names: readonly string[]): Block =>
  results => {
    const lines = linesOf(results, names);
    if (lines.length === 0) return undefined;
    return table(
      [
        ...[
          'strategy',
          'questions',
          'hops',
          'calls',
          'tokens',
          'replies not parsed',
          'failed',
          'stopped',
        ],
        ...['seconds', 'replay'],
      ],
      lines.map(({ strategy, recorded, traces, same }) => {
        const { rows, questions } = recorded.result;
        const outputs = traces.flatMap(({ hops }) => hops.flatMap(hop => hop.outputs ?? []));
        const seconds = ((rows[0]!.measures['Milliseconds']?.mean ?? 0) * questions) / 1000;
        return [
          ...[strategy, String(questions)],
          (sum(traces.map(({ hops }) => hops.length)) / traces.length).toFixed(1),
          ...[
            sum(traces.map(({ spent }) => spent.modelCalls ?? 0)),
            sum(traces.map(({ spent }) => spent.modelTokens ?? 0)),
            outputs.filter(({ parsed }) => !parsed).length,
            rows[0]!.failed,
            traces.filter(({ stopped }) => stopped !== undefined).length,
            Math.round(seconds),
          ].map(counted),
          same ? 'equal' : 'DIFFERS',
        ];
      }),
    );
  };

/** Abstentions by their reason, and answer measures in percent. */
export const answers =
  (names: readonly string[], measures: Readonly<Record<string, string>>): Block =>
  results => {
    const lines = linesOf(results, names);
    if (lines.length === 0) return undefined;
    return table(
      [...['strategy', 'abstained', 'answer not parsed', 'uncited'], ...Object.values(measures)],
      lines.map(({ strategy, recorded, traces }) => {
        const reasons = traces.flatMap(({ answer }) =>
          answer.kind === 'abstained' ? [answer.reason] : [],
        );
        const beginning = (start: string): number =>
          reasons.filter(reason => reason?.startsWith(start)).length;
        const known = recorded.result.rows[0]!.measures;
        const percent = (name: string): string =>
          known[name] === undefined ? '–' : (100 * known[name].mean).toFixed(0);
        return [
          ...[strategy, counted(reasons.length)],
          counted(beginning('The output of the model is not a readable answer')),
          counted(beginning('The answer cites nothing')),
          ...Object.keys(measures).map(percent),
        ];
      }),
    );
  };
