/**
 * The report of `results-language-models.ts`: what each strategy asked and was told, what became of
 * it, and whether it was the same again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../src/edges/sha256.ts';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import { splitTraces, verifyTrace } from '../src/trace/audit.ts';
import { type Trace, traceOf } from '../src/trace/trace.ts';

export interface LanguageModelRun {
  readonly name: string;
  readonly recorded: EvaluationResult;
  readonly replayed: EvaluationResult;
  /** Of the recording and of the replay, as `eval --out` wrote them. */
  readonly folders: readonly [recorded: string, replayed: string];
}

/** One line of the table. */
interface Line {
  readonly strategy: string;
  readonly questions: number;
  /** Of a question, on average. */
  readonly hops: number;
  readonly calls: number;
  readonly tokens: number;
  readonly unread: number;
  readonly failed: number;
  readonly stopped: number;
  readonly abstained: number;
  readonly unreadAnswers: number;
  readonly uncited: number;
  readonly unsupported: number;
  readonly seconds: number;
  readonly same: Same;
  readonly measures: Readonly<Record<string, number | undefined>>;
}

interface Same {
  readonly measures: boolean;
  readonly scores: boolean;
  readonly traces: boolean;
}

const ANSWERS: readonly (readonly [measure: string, heading: string])[] = [
  ['EvidenceRecall', 'evidence recall'],
  ['QaAccuracy(official)', 'accuracy (official)'],
  ['QaAccuracy(strict)', 'accuracy (strict)'],
  ['AnswerF1(hotpot)', 'F1'],
  ['AbstainedNull', 'null refused'],
  ['RefusedAnswerable', 'others refused'],
  ['UnsupportedAnswers', 'unsupported'],
];

/** Wall times differ from run to run. */
const isTime = (measure: string): boolean => measure.startsWith('Milliseconds');

export function languageModelsReport(
  runs: readonly LanguageModelRun[],
  missing: readonly string[],
): { report: string; result: object } {
  const lines = runs.map(lineOf);
  const [{ recorded }] = runs as [LanguageModelRun];
  const report = [
    introduction(recorded, missing),
    '## What was asked and told',
    table(
      [
        'strategy',
        'hops',
        'calls',
        'tokens',
        'replies not read',
        'failed',
        'stopped',
        'seconds',
        'again',
      ],
      lines.map(line => [
        line.strategy,
        line.hops.toFixed(1),
        ...[line.calls, line.tokens, line.unread, line.failed, line.stopped].map(counted),
        counted(Math.round(line.seconds)),
        line.same.measures && line.same.scores && line.same.traces ? 'the same' : 'DIFFERS',
      ]),
    ),
    TOLD,
    '## What became of it',
    table(
      [
        'strategy',
        'abstained',
        'answer not read',
        'uncited',
        ...ANSWERS.map(([, heading]) => heading),
      ],
      lines.map(line => [
        line.strategy,
        ...[line.abstained, line.unreadAnswers, line.uncited].map(counted),
        ...ANSWERS.map(([measure]) => percent(line.measures[measure])),
      ]),
    ),
    BECAME,
    `## Manifest\n\n\`\`\`json\n${JSON.stringify(recorded.manifest, null, 2)}\n\`\`\``,
  ];
  return { report: `${report.join('\n\n')}\n`, result: { lines, manifest: recorded.manifest } };
}

function introduction(
  { questions, manifest, rows }: EvaluationResult,
  missing: readonly string[],
): string {
  const { id } = (manifest as { model?: { id?: string } }).model ?? {};
  const [row] = rows;
  return `# Strategies with a real language model behind a real server

**These figures say nothing about the strategies.** The model (\`${id}\`) is one of 135 million parameters, far too weak to answer questions of several hops. What
is shown is that loops, parsers, repairs, budgets, citation checks and cassettes hold when a real model is asked over HTTP, whatever it says.

${questions} questions of MultiHop-RAG, drawn at random; \`${row?.retriever}\`, \`${row?.context}\`, \`${row?.reader}\`. Every strategy that asks a model at its defaults, but for prompts:
of at most 1,000 or 2,000 tokens as estimated from their bytes (its name says which). \`fixed-top-k\` is there for its reader. Each was recorded to a cassette, and run again from it with no model.${missing.length > 0 ? `\n\n**Not finished, and missing here:** ${missing.map(name => `\`${name}\``).join(', ')}.` : ''}`;
}

const TOLD = `*Hops*: of a question, on average. *Calls* and *tokens* are those of a run that asks everything. *Replies not read*: what was said in a hop and is not what was asked for; a reply
and its one repair count as two. *Failed*: runs that ended in an error; *stopped*: by a limit or a failure of the model. *Seconds*: wall time of the recording, where what was asked before, by
another strategy or by a run that was cut, came from a cassette or a cache; other work ran on the two cores. *Again*: from the cassette, without a model, all measures but times, the score of
every question, and the content hash of all traces are the same bit for bit.`;

const BECAME = `*Abstained*: no answer was given; among them *answer not read*, where the reader's two replies were no answer, and *uncited*, where an answer cited nothing that it was shown and was
withheld. Shares in percent; *unsupported* of the answers that were given.`;

function lineOf({ recorded, replayed, folders }: LanguageModelRun): Line {
  const [row] = recorded.rows;
  const traces = tracesIn(folders[0]);
  const said = traces.flatMap(({ hops }) => hops.flatMap(hop => hop.said ?? []));
  const reasons = traces.map(({ answer }) =>
    answer.kind === 'abstained' ? answer.reason : undefined,
  );
  return {
    strategy: row!.strategy,
    questions: recorded.questions,
    hops: sum(traces.map(({ hops }) => hops.length)) / traces.length,
    calls: sum(traces.map(({ spent }) => spent.modelCalls ?? 0)),
    tokens: sum(traces.map(({ spent }) => spent.modelTokens ?? 0)),
    unread: said.filter(({ parsed }) => !parsed).length,
    failed: (recorded.manifest as { failed?: Record<string, number> }).failed?.[row!.id] ?? 0,
    stopped: traces.filter(({ stopped }) => stopped !== undefined).length,
    abstained: reasons.filter(reason => reason !== undefined).length,
    unreadAnswers: reasons.filter(reason =>
      reason?.startsWith('What the model said could not be read'),
    ).length,
    uncited: reasons.filter(reason => reason?.startsWith('The answer cites nothing')).length,
    unsupported: traces.filter(
      ({ answer }) => answer.kind === 'answered' && answer.unsupported !== undefined,
    ).length,
    seconds: ((row!.measures['Milliseconds']?.mean ?? 0) * recorded.questions) / 1000,
    same: {
      measures: timeless(recorded.rows) === timeless(replayed.rows),
      scores:
        timeless(jsonIn(folders[0], 'scores.json')) === timeless(jsonIn(folders[1], 'scores.json')),
      traces: contentOf(folders[0]) === contentOf(folders[1]),
    },
    measures: Object.fromEntries(
      ANSWERS.map(([measure]) => [measure, row!.measures[measure]?.mean]),
    ),
  };
}

const timeless = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (isTime(key) ? undefined : inner));
const jsonIn = (folder: string, file: string): unknown =>
  JSON.parse(readFileSync(join(folder, file), 'utf8'));
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
const counted = (value: number): string => value.toLocaleString('en');
const percent = (share: number | undefined): string =>
  share === undefined ? '–' : (100 * share).toFixed(0);
const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable({ id: 'models', heading: '', notes: [], columns, rows });

type TraceFiles = Readonly<
  Record<string, { readonly file: string; readonly heads: { readonly content: string } }>
>;

function contentOf(folder: string): string {
  return JSON.stringify(
    Object.entries(jsonIn(folder, 'traces.json') as TraceFiles).map(([row, { heads }]) => [
      row,
      heads.content,
    ]),
  );
}

function tracesIn(folder: string): Trace[] {
  return Object.values(jsonIn(folder, 'traces.json') as TraceFiles).flatMap(({ file, heads }) => {
    const verified = verifyTrace(readFileSync(join(folder, file), 'utf8'), sha256, heads.content);
    if (!verified.ok)
      throw new Error(`${join(folder, file)}, line ${verified.line}: ${verified.problem}`);
    return splitTraces(verified.events).flatMap(trace => traceOf(trace) ?? []);
  });
}
