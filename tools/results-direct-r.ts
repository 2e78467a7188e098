/**
 * Prints the tables of Direct-R (TreeHop's baseline: one dense search, its first K items) into
 * results/direct-r/, beside words, lsa and a fusion.
 *
 * Needs MULTIHOP_DATA, MULTIHOP_MODELS and the packages of models-test (npm ci there);
 * --without-models prints what needs no model. What is finished stays in .cache/results-direct-r,
 * so a run that was cut goes on where it was; delete that folder after the code that it measures
 * has changed.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { directRReport, MEASURES, type Setting } from './direct-r-report.ts';
import { SETTINGS, settingWords, TEMPLATE } from './direct-r-settings.ts';
import { EMBEDDERS, evaluate, finished, MODELS_TEST, ROOT, type Step } from './evaluation-step.ts';

/** Each is embedded anew by every retriever that needs it. */
const TIMED_QUESTIONS = '100';
const WORDS = ['lexical', 'lexical(bm25(stop=english))', 'lexical(s1)', 'dense(lsa)'];
const VECTORS = [
  ...EMBEDDERS.map(name => `dense(${name})`),
  'fused(lexical, dense(bge-small-en-v1.5))',
];
const WORK = join(ROOT, '.cache', 'results-direct-r');

const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(ROOT, '.cache', 'direct-r') },
    out: { type: 'string', default: join(ROOT, 'results', 'direct-r') },
    'without-models': { type: 'boolean', default: false },
  },
});
const withModels = !options['without-models'];
if (withModels) checkModels();
const results: Record<string, EvaluationResult> = {};
for (const setting of SETTINGS) {
  const step = stepOf(setting);
  evaluate(step, WORK, options.cache);
  results[setting.id] = finished(step, WORK)!;
}
const out = resolve(options.out);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.md'), directRReport(SETTINGS, results));
writeFileSync(join(out, 'result.json'), `${JSON.stringify(results)}\n`);

function checkModels(): void {
  const folder = process.env['MULTIHOP_MODELS'];
  const missing = [
    ...(existsSync(join(MODELS_TEST, 'node_modules', '@huggingface', 'transformers'))
      ? []
      : ['the packages of models-test: run npm ci in that folder']),
    ...EMBEDDERS.filter(name => folder === undefined || !existsSync(join(folder, name))).map(
      name => `the model ${name}: set MULTIHOP_MODELS to the folder that holds it`,
    ),
  ];
  if (missing.length === 0) return;
  console.error(
    `Missing: ${missing.join('\nMissing: ')}\nWith --without-models the rows of words and lsa are printed alone.`,
  );
  process.exit(2);
}

function stepOf(setting: Setting): Step {
  const retrievers = [...WORDS, ...(withModels ? VECTORS : [])];
  const rows = [
    ...retrievers.map(name => `strategy=fixed-top-k(k=10); retriever=${name}`),
    // A hundred passages, so that they come from ten documents at least. Words and lsa alone:
    // another 5,147 texts of 256 words are half an hour of two cores.
    ...(setting.passages
      ? WORDS.map(name => `strategy=fixed-top-k(k=100); retriever=${byPassage(name)}`)
      : []),
  ];
  return {
    name: setting.id.replaceAll(' ', '-'),
    words: [
      ...settingWords(setting, WORK),
      // All cut-offs are read from the ranking.
      ...rows.flatMap(row => ['--row', row]),
      ...MEASURES.flatMap(name => ['--measure', name]),
      ...(withModels ? ['--template', TEMPLATE] : []),
      ...['--cost', TIMED_QUESTIONS],
    ],
    scores: true,
  };
}

/** The same retriever over passages: documents come in the order of their best passage. */
function byPassage(retriever: string): string {
  const inner = retriever.startsWith('fused(')
    ? /^fused\((.*)\)$/.exec(retriever)![1]!.split(', ').map(byPassage).join(', ')
    : undefined;
  if (inner !== undefined) return `fused(${inner})`;
  return retriever.endsWith(')')
    ? `${retriever.slice(0, -1)}, unit=passage)`
    : `${retriever}(unit=passage)`;
}
