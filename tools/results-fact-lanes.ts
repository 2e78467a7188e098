/**
 * Prints fact-lanes beside every strategy that asks no language model into results/fact-lanes/:
 * tokens against what they hold, ablation, other data sets, time, misses.
 *
 *     MULTIHOP_DATA=... MULTIHOP_MODELS=... npm run results:fact-lanes -- [--cache DIR] [--out DIR] [--sample N] [--embed] [--report] [STEP...]
 *
 * A STEP is the beginning of the name of one or several; without one all are run. --embed runs
 * those too whose paragraphs have to be embedded first, --report none at all.
 * --sample N asks N questions of each data set alone, to try it. What is finished stays in
 * .cache/results-fact-lanes (vectors in the --cache folder), so a run that was cut goes on where it
 * was; delete that folder after the code that it measures has changed. The report is written from
 * the steps that are there, and names those that are not.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataSet } from '../src/edges/formats/data-sets.ts';
import { findData } from '../src/edges/runs/find-data.ts';
import { recordedTraces } from '../src/edges/runs/trace-reader.ts';
import type { Curves } from '../src/evaluation/report/abstention-section.ts';
import { evaluate, finished, finishedText, keptFolder, print, ROOT } from './evaluation-step.ts';
import { type MeasuredStep, measuredStep } from './fact-lanes-measured.ts';
import { addMisses, type Misses, missesBy } from './fact-lanes-misses.ts';
import { tokensPicture } from './fact-lanes-pictures.ts';
import { type Planned, plan, SECTIONS, type Section } from './fact-lanes-steps.ts';
import { TOKENS } from './fact-lanes-systems.ts';
import { labelOf } from './fact-lanes-tables.ts';
import { learnCommands, shippedWeights, versionsOf } from './fact-lanes-versions.ts';
import {
  type BenchLine,
  bestForms,
  factLanesReport,
  type ReportParts,
} from './results-fact-lanes-report.ts';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    cache: {
      type: 'string',
      default:
        process.env['MULTIHOP_CACHE'] ?? join(ROOT, '.cache', 'results-fact-lanes', 'models'),
    },
    out: { type: 'string' },
    sample: { type: 'string' },
    embed: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const sample = options.sample === undefined ? undefined : Number(options.sample);
const WORK = join(
  ROOT,
  '.cache',
  sample === undefined ? 'results-fact-lanes' : `results-fact-lanes-sample-${sample}`,
);
/** A trial's report stays with its steps. */
const out = resolve(
  options.out ??
    (sample === undefined ? join(ROOT, 'results', 'fact-lanes') : join(WORK, 'report')),
);

const weights = shippedWeights(ROOT);
const LEARNT = learnCommands(weights);
const versions = versionsOf(ROOT);
const steps = plan(versions, sample);
runAll();
const measured = Object.fromEntries(
  SECTIONS.map(section => [
    section,
    steps[section].flatMap(step => measuredStep(step, WORK) ?? []),
  ]),
) as unknown as Record<Section, MeasuredStep[]>;
await writeReport();

function runAll(): void {
  const all = SECTIONS.flatMap(section => steps[section]);
  const learning = sample === undefined ? Object.entries(LEARNT) : [];
  const names = [...all.map(({ step }) => step.name), ...learning.map(([name]) => name)];
  const unknown = wanted.find(start => !names.some(name => name.startsWith(start)));
  if (unknown !== undefined)
    throw new Error(`No step begins with "${unknown}"; there are ${names.join(', ')}`);
  const isWanted = (name: string): boolean =>
    !options.report && (wanted.length === 0 || wanted.some(start => name.startsWith(start)));
  for (const { step, embeds } of all) {
    if (!isWanted(step.name) || (embeds && !options.embed)) continue;
    evaluate(step, WORK, options.cache);
    checkUnchanged(step.name);
  }
  for (const [name, words] of learning) if (isWanted(name)) print(name, words, WORK, options.cache);
}

/**
 * A step is named by the code and weights that it measures: what was changed under it is neither
 * the old nor the new.
 */
function checkUnchanged(name: string): void {
  const now = versionsOf(ROOT);
  if (now.strategy !== versions.strategy || now.reader !== versions.reader)
    throw new Error(
      `fact-lanes or its reader was changed while ${name} ran: delete that step from ${WORK} and begin again`,
    );
}

function learnt(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(LEARNT).flatMap(([name, words]) => {
      const text = finishedText(name, words, WORK);
      return text === undefined ? [] : [[words.join(' '), text]];
    }),
  );
}

async function writeReport(): Promise<void> {
  mkdirSync(out, { recursive: true });
  const parts: ReportParts = {
    questions: measured.goals[0]?.questions ?? measured.curves[0]?.questions ?? 0,
    ...{
      goals: measured.goals[0],
      currency: measured.currency[0],
      ablation: measured.ablation[0],
      reread: measured.reread[0],
      latency: measured.latency[0],
    },
    ...{
      thresholds: thresholds(),
      curves: measured.curves,
      generality: byDataSet(),
      misses: await misses(),
      learnt: learnt(),
      bench: bench(),
    },
    ...{ weights, pictures: pictures() },
    unfinished: SECTIONS.flatMap(section =>
      steps[section].filter(({ step }) => !finished(step, WORK)).map(({ step }) => step.name),
    ),
  };
  writeFileSync(join(out, 'report.md'), factLanesReport(parts));
  writeFileSync(
    join(out, 'result.json'),
    `${JSON.stringify({ sections: figures(), misses: parts.misses, bench: parts.bench }, fourDigits)}\n`,
  );
}

/** More digits than any interval is wide would only make the file long. */
function fourDigits(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}

/**
 * Without the scores of single questions, and without the parts of a result that its row says
 * already.
 */
function figures(): object {
  const short = ({ scores: _, result, ...row }: MeasuredStep['rows'][number]): object => {
    const {
      id: _i,
      strategy: _s,
      retriever: _r,
      context: _c,
      reader: _a,
      budget: _b,
      ...rest
    } = result;
    return { ...row, result: rest };
  };
  return Object.fromEntries(
    SECTIONS.map(section => [
      section,
      measured[section].map(step => ({ ...step, rows: step.rows.map(short) })),
    ]),
  );
}

function kept(step: Planned | undefined, name: string): string | undefined {
  const path = step && join(keptFolder(step.step, WORK), name);
  return path !== undefined && existsSync(path) ? path : undefined;
}

function thresholds(): Curves {
  const path = kept(steps.goals[0], 'curves.json');
  return path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Curves);
}

function byDataSet(): Record<string, MeasuredStep[]> {
  return Object.groupBy(measured.generality, ({ name }) => name.split('.')[1]!) as Record<
    string,
    MeasuredStep[]
  >;
}

/** Of the first row of the goals. */
async function misses(): Promise<Readonly<Record<string, Misses>> | undefined> {
  const path = kept(steps.goals[0], 'traces');
  if (path === undefined) return undefined;
  const folder = process.env['MULTIHOP_DATA'];
  const { examples, documents } = await readDataSet(
    'multihop-rag',
    findData('multihop-rag', {}, folder === undefined ? undefined : resolve(folder)),
  );
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const first = readdirSync(path)
    .filter(name => name.endsWith('.jsonl'))
    .sort()[0]!;
  const byQuestion = new Map(examples.map(example => [example.id, example]));
  const total: Record<string, Misses> = {};
  for (const { asked, read } of await recordedTraces(join(path, first))) {
    const example = byQuestion.get(asked.question.id);
    if (example)
      addMisses(
        total,
        missesBy([example], [await read()], id => texts.get(id) ?? ''),
      );
  }
  return total;
}

/** What `bench fact-lanes --json` printed last. */
function bench(): BenchLine[] {
  const path = join(ROOT, 'results', 'bench', 'fact-lanes.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BenchLine[]) : [];
}

function pictures(): ReportParts['pictures'] {
  const lines = bestForms(measured.curves).map(({ rows }) => ({ label: labelOf(rows[0]!), rows }));
  return ['FactRecall', 'GroundedRecall', 'GroundedEM'].flatMap(name => {
    const says = `MultiHop-RAG, dev half: ${name} by context tokens, each system in its best form; fact-lanes was fitted on these questions`;
    const svg = tokensPicture(says, name, TOKENS, lines);
    if (svg === '') return [];
    const file = `${name}-by-tokens.svg`;
    writeFileSync(join(out, file), svg);
    return [{ file, says }];
  });
}
