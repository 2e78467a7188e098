/**
 * Prints a report into `results/`; `npm run results -- --help` names its arguments. Finished steps
 * stay in `.cache/results/NAME`: delete that folder after a change of the code that they measure.
 * Steps with models need MULTIHOP_MODELS and `npm ci` in models-test.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defined } from '../../src/core/defined.ts';
import type { Given } from './report.ts';
import { REPORTS } from './reports.ts';
import { runReport } from './runner.ts';
import { ROOT } from './steps.ts';

const { values: received, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    cache: { type: 'string' },
    out: { type: 'string' },
    embed: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
    'query-updater': { type: 'string' },
    ablated: { type: 'string' },
    'token-classifiers': { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    record: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const { help, sample, cache, out, embed, keep, render, ...others } = received;
const { 'dry-run': dryRun, record, ...options } = others;
if (help) {
  console.log(`npm run results -- NAME [STEP...] [--sample N] [--embed] [--keep] [--render]
prints the report NAME into results/, from the data sets in MULTIHOP_DATA

NAME: ${Object.keys(REPORTS).join(', ')}
STEP: the beginning of the name of one or several steps; all run without one

--sample N   ask N questions of each evaluation, and write the report beside its steps
--embed      run the steps that embed a corpus too
--keep       keep the sections of the report whose steps are not finished
--render     run no step
--dry-run    print what runs with a language model cost, where the report has such runs
--record M   ask the language model M what is not recorded; a second call goes on
Finished steps stay in .cache/results/NAME and are not run again.`);
  process.exit();
}
const [name, ...steps] = positionals;
const load = name === undefined ? undefined : REPORTS[name];
const data = process.env['MULTIHOP_DATA'];
if (name === undefined || load === undefined || data === undefined) {
  if (load !== undefined) console.error('MULTIHOP_DATA is not set: the folder of data sets');
  else console.error(`npm run results -- NAME [STEP...]; NAME: ${Object.keys(REPORTS).join(', ')}`);
  process.exit(2);
}
const work = join(ROOT, '.cache', 'results', sample === undefined ? name : `${name}-${sample}`);
const given = defined<Given>({
  data: resolve(data),
  work,
  options,
  sample: sample === undefined ? undefined : Number(sample),
});
const report = (await load())(given);
const cached = resolve(
  cache ?? process.env['MULTIHOP_CACHE'] ?? join(ROOT, '.cache', 'results', 'models'),
);
if (dryRun || record !== undefined) {
  if (dryRun) console.log(report.plan?.() ?? 'No run asks a language model.');
  else report.record?.(record!, steps, cached);
  process.exit();
}
await runReport(report, {
  given,
  cache: cached,
  out: resolve(
    out ?? (sample === undefined ? join(ROOT, 'results', report.folder) : join(work, 'report')),
  ),
  steps,
  sample: sample === undefined ? undefined : Number(sample),
  embed,
  keep,
  renderOnly: render,
});
