/**
 * `multihop replay PATH`: verifies recorded traces and prints them, or scores them again on a data
 * set. Searches nothing.
 */
import { InputError } from '../../core/errors.ts';
import { hitCount } from '../../core/trace/recorder.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { dataSets } from '../../documents/data-sets.ts';
import { defaultMeasureNames } from '../../evaluation/default-measures.ts';
import { judgeMeasures } from '../../evaluation/judging.ts';
import { measure } from '../../evaluation/measures.ts';
import { textReport } from '../../evaluation/report/text-report.ts';
import { type Recorded, readRecorded, rescore, traceFiles } from '../../experiments/replay.ts';
import { readVerdicts } from '../../experiments/results-folder.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS, openDataSet } from '../data-options.ts';
import type { Output } from '../output.ts';
import { Progress } from '../progress.ts';
import { TraceProgress } from '../trace-progress.ts';

export const command: Command = {
  positionals: [
    { name: 'PATH', summary: 'a trace file, or a folder written by multihop eval --out' },
  ],
  options: [
    {
      name: 'dataset',
      value: 'NAME',
      summary: `score against it: ${dataSets.map(({ name }) => name).join(', ')}`,
    },
    ...DATA_OPTIONS,
    {
      name: 'measure',
      value: 'NAME',
      repeatable: true,
      summary: 'measure to score, instead of the default ones',
    },
  ],
  notes: [
    DATA_NOTE,
    'Every trace is verified before it is read (see verify-trace). The verdicts of a judge that eval --out wrote are read with the traces: no judge is asked again.',
  ],
  examples: [
    {
      line: 'multihop replay answer.trace.jsonl',
      says: 'verify a recorded run and print its hits and answers',
    },
    {
      line: 'multihop replay runs/agent --dataset multihop-rag --measure FactRecall',
      says: 'another measure on an old run',
    },
  ],
  run: runReplay,
};

async function runReplay(context: CommandContext): Promise<number> {
  const { positionals, options, output, signal } = context;
  const recorded = await readWatched(traceFiles(positionals[0]!), output);
  const dataset =
    options.text('dataset') ??
    (options.text('questions') === undefined ? undefined : 'multihop-rag');
  if (dataset === undefined) {
    if (options.texts('measure').length > 0)
      throw new InputError('missing-option', 'A measure needs graded questions', {
        expected: '--dataset NAME',
      });
    return tell(context, recorded);
  }
  const names = options.texts('measure');
  const verdicts = readVerdicts(positionals[0]!);
  const judged = [...new Set(verdicts.map(({ judge }) => judge))].flatMap(judgeMeasures);
  const { dataSet } = await openDataSet({ ...context, positionals: [dataset] });
  const usual = defaultMeasureNames(dataSet.examples).map(measure);
  const measures = names.length > 0 ? names.map(measure) : [...usual, ...judged];
  const progress = new Progress(output, 'traces');
  const result = await rescore(recorded, dataSet, measures, {
    signal,
    verdicts,
    onStep: ({ done, total }) => progress.update({ count: done, done, total }),
  }).finally(() => progress.end());
  if (output.json) output.object(result);
  else output.line(textReport(result).trimEnd());
  return 0;
}

async function readWatched(files: readonly string[], output: Output): Promise<Recorded[]> {
  const progress = new TraceProgress(output, files);
  try {
    return await readRecorded(files, (file, line) => progress.read(file, line));
  } finally {
    progress.end();
  }
}

/** Prints the recorded runs. */
async function tell({ output }: CommandContext, recorded: readonly Recorded[]): Promise<number> {
  if (output.json) {
    for await (const piece of printed(recorded)) {
      output.verbatim(piece);
      await output.taken();
    }
    return 0;
  }
  for (const { file, traces } of recorded) {
    output.line(
      `${output.style.bold(file)}: ${traces.length} ${traces.length === 1 ? 'trace' : 'traces'}, verified`,
    );
    for (const trace of traces) {
      tellOne(await trace.read(), output);
      await output.taken();
    }
  }
  return 0;
}

function tellOne(
  { question, strategy, hops, answer, evidence }: Trace,
  output: CommandContext['output'],
): void {
  output.line(`\n${question.text}`);
  output.line(`  ${strategy}, ${hops.length} hops, ${evidence.length} pieces of evidence`);
  for (const { searches, kept, withdrawn = [] } of hops) {
    const change = `${kept.length} kept${withdrawn.length > 0 ? `, ${withdrawn.length} dropped` : ''}`;
    for (const search of searches)
      output.line(
        `  searched: ${search.text ?? '(by vector)'}: ${hitCount(search)} hits, ${change}`,
      );
  }
  output.line(`  ${answer.kind === 'abstained' ? `no answer: ${answer.reason}` : answer.text}`);
}

/**
 * Yields the object of `--json` trace by trace, byte for byte as in one piece, which may exceed the
 * longest string.
 */
async function* printed(recorded: readonly Recorded[]): AsyncGenerator<string, void, void> {
  const comma = (index: number, all: readonly unknown[]): string =>
    index < all.length - 1 ? ',' : '';
  yield '{\n  "files": [';
  for (const [at, { file, traces }] of recorded.entries()) {
    yield `    {\n      "file": ${JSON.stringify(file)},\n      "traces": [${traces.length === 0 ? ']' : ''}`;
    for (const [index, trace] of traces.entries())
      yield `        ${JSON.stringify(await trace.read(), undefined, 2).replaceAll('\n', '\n        ')}${comma(index, traces)}`;
    yield `${traces.length === 0 ? '' : '      ]\n'}    }${comma(at, recorded)}`;
  }
  yield '  ]\n}';
}
