/** Plans the runs of the report `seeds` that ask a model, and records their replies. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Given } from '../report.ts';
import { measuredOf, stepOf } from '../runner.ts';
import { command, evaluate } from '../steps.ts';
import { table } from '../tables.ts';
import { type Kept, type Run, repliesOf, runnable, TREE_HOP } from './seeds-kept.ts';
import { ALL_TITLES } from './seeds-runs.ts';
import { report as treeHop } from './tree-hop.ts';

/** Tokens of prompts and replies that the model of 1.5B takes a second, on two cores at rest. */
const SPEED = 60;

/** Totals of `eval --dry-run --json` over all questions. */
interface Planned {
  readonly questions: number;
  readonly expected: { readonly calls: number; readonly tokens: number };
}

/** Returns every run with a model, cheapest first: questions, usual calls and tokens, hours. */
export function plan(all: readonly Run[], given: Given): string {
  const planned = all.flatMap(run => {
    if (!run.asks) return [];
    const words = stepOf({ ...run, files: undefined }, { given }).words;
    const asked = ['eval', ...words, '--model', 'ollama:planned', '--dry-run', '--json'];
    const { questions, expected } = JSON.parse(command(asked, given.work)) as Planned;
    const counts = [questions, expected.calls, expected.tokens].map(n => n.toLocaleString('en'));
    return [{ run, counts, hours: expected.tokens / SPEED / 3600 }];
  });
  let left = 0;
  const lines = planned
    .sort((a, b) => a.hours - b.hours)
    .map(({ run, counts, hours }) => {
      if (!runnable(run)) left += hours;
      const until = runnable(run) ? 'recorded' : left.toFixed(1);
      return [run.name, ...counts, hours.toFixed(1), until];
    });
  return table(['run', 'questions', 'calls', 'tokens', 'hours', 'hours until here'], lines);
}

interface Recording {
  readonly request: Given;
  /** The name of the model; `tree-hop` keeps the finished rows of that report instead. */
  readonly model: string;
  readonly starts: readonly string[];
  readonly cache: string;
}

/** Asks the model all that is not recorded, step by step; a second call goes on. */
export function record(all: readonly Run[], { request, model, starts, cache }: Recording): void {
  if (model === 'tree-hop') keepTreeHop(request);
  for (const run of model === 'tree-hop' ? [] : all) {
    const wanted = starts.length === 0 || starts.some(start => run.name.startsWith(start));
    if (!run.asks || runnable(run) || !wanted) continue;
    const cassette = join(request.work, `${run.name}.cassette`);
    const step = stepOf({ ...run, files: undefined }, { given: request });
    // A busy machine takes minutes over an answer; a server answers several questions at once.
    const words = ['--model', model, '--model-timeout', '3600', '--cassette', cassette];
    if (!model.startsWith('gguf:')) words.push('--parallel', '8');
    evaluate({ ...step, words: [...step.words, ...words] }, request.work, cache);
    mkdirSync(dirname(repliesOf(run.name)), { recursive: true });
    writeFileSync(repliesOf(run.name), brotliCompressSync(readFileSync(cassette)));
  }
}

/** Keeps the rows of the report `tree-hop` that tables and claims read. */
function keepTreeHop(request: Given): void {
  const given = { ...request, work: join(dirname(request.work), 'tree-hop') };
  const measured = treeHop(given).evaluations.flatMap(evaluation =>
    measuredOf(evaluation, stepOf(evaluation, { given }), given.work),
  );
  const kept: Kept = Object.fromEntries(
    measured
      .filter(({ name }) => !/direct-r|hotpot/.test(name))
      .map(({ name, rows }) => [
        name,
        rows.map(({ label, scores, result }) => ({
          label: label.replace(/^.*model=(.+)-[0-9a-f]{8}\)$/, 'trained $1'),
          scores: { [ALL_TITLES]: scores[ALL_TITLES]! },
          result,
        })),
      ]),
  );
  writeFileSync(TREE_HOP, brotliCompressSync(JSON.stringify(kept)));
}
