/**
 * Prints the tables of Direct-R (TreeHop's baseline: one dense search, its first K items) into results/direct-r/, beside words, lsa and a fusion.
 * Needs MULTIHOP_DATA, MULTIHOP_MODELS and the packages of models-test (npm ci there); --without-models prints what needs no model.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findData } from '../src/edges/runs/find-data.ts';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { directRReport, MEASURES, type Setting } from './direct-r-report.ts';

const EMBEDDERS = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'];
const TEMPLATE = 'title-context';
/** Each is embedded anew by every retriever that needs it. */
const TIMED_QUESTIONS = '100';
const WORDS = ['lexical', 'lexical(bm25(stop=english))', 'lexical(s1)', 'dense(lsa)'];
const VECTORS = [...EMBEDDERS.map(name => `dense(${name})`), 'fused(lexical, dense(bge-small-en-v1.5))'];
const SETTINGS: readonly Setting[] = [
  { id: '2wikimultihopqa-open', published: '2wiki' },
  { id: 'hotpotqa-pooled' },
  { id: 'musique-pooled', published: 'musique' },
  { id: 'multihop-rag inference', dataSet: 'multihop-rag', type: 'inference_query', published: 'multihop_rag', passages: true },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const models = join(root, 'models-test');
const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(root, '.cache', 'direct-r') },
    out: { type: 'string', default: join(root, 'results', 'direct-r') },
    'without-models': { type: 'boolean', default: false },
  },
});
const env = { ...process.env, ...absolute('MULTIHOP_DATA'), ...absolute('MULTIHOP_MODELS') };
const out = resolve(options.out);
const cache = resolve(options.cache);
const withModels = !options['without-models'];
if (withModels) checkModels();

const temporary = mkdtempSync(join(tmpdir(), 'multihop-direct-r-'));
const results: Record<string, EvaluationResult> = {};
try {
  for (const setting of SETTINGS) results[setting.id] = evaluated(setting);
} finally {
  rmSync(temporary, { recursive: true });
}
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.md'), directRReport(SETTINGS, results));
writeFileSync(join(out, 'result.json'), `${JSON.stringify(results)}\n`);

/** Paths are given from where the command was typed; the evaluation runs elsewhere. */
function absolute(name: string): Record<string, string> {
  const given = process.env[name];
  return given === undefined ? {} : { [name]: resolve(given) };
}

function checkModels(): void {
  const missing = [
    ...(existsSync(join(models, 'node_modules', '@huggingface', 'transformers'))
      ? []
      : ['the packages of models-test: run npm ci in that folder']),
    ...EMBEDDERS.filter(name => env.MULTIHOP_MODELS === undefined || !existsSync(join(env.MULTIHOP_MODELS, name))).map(
      name => `the model ${name}: set MULTIHOP_MODELS to the folder that holds it`,
    ),
  ];
  if (missing.length === 0) return;
  console.error(`Missing: ${missing.join('\nMissing: ')}\nWith --without-models the rows of words and lsa are printed alone.`);
  process.exit(2);
}

function evaluated({ id, dataSet = id, type, passages = false }: Setting): EvaluationResult {
  const files = findData(dataSet, {}, env.MULTIHOP_DATA);
  const questions = type === undefined ? files.questions : onlyOf(type, files.questions);
  const retrievers = [...WORDS, ...(withModels ? VECTORS : [])];
  const rows = [
    ...retrievers.map(name => `strategy=fixed-top-k(k=10); retriever=${name}`),
    // A hundred passages, so that they come from ten documents at least. Words and lsa alone: another 5,147 texts of 256 words are half an hour of two cores.
    ...(passages ? WORDS.map(name => `strategy=fixed-top-k(k=100); retriever=${byPassage(name)}`) : []),
  ];
  const folder = join(temporary, id.replaceAll(' ', '-'));
  const args = [
    ...['eval', dataSet, '--questions', questions, ...(files.corpus === undefined ? [] : ['--corpus', files.corpus])],
    // All cut-offs are read from the ranking. Headers and no reader: only the search is of interest.
    ...['--context', 'headers', '--reader', 'evidence-only', ...rows.flatMap(row => ['--row', row])],
    ...MEASURES.flatMap(name => ['--measure', name]),
    ...(withModels ? ['--template', TEMPLATE, '--cache', cache, ...EMBEDDERS.flatMap(name => ['--embedder', name])] : []),
    ...['--cost', TIMED_QUESTIONS, '--out', folder],
  ];
  console.error(id);
  const { status } = spawnSync(process.execPath, [join(root, 'src/edges/cli/main.ts'), ...args], {
    cwd: withModels ? models : root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as EvaluationResult;
}

/** A file of the questions of one type alone, in a folder that is put away afterwards. */
function onlyOf(type: string, path: string): string {
  const questions = JSON.parse(readFileSync(path, 'utf8')) as { readonly question_type?: string }[];
  const only = join(temporary, `${type}.json`);
  writeFileSync(only, JSON.stringify(questions.filter(question => question.question_type === type)));
  return only;
}

/** The same retriever over passages: documents come in the order of their best passage. */
function byPassage(retriever: string): string {
  const inner = retriever.startsWith('fused(') ? /^fused\((.*)\)$/.exec(retriever)![1]!.split(', ').map(byPassage).join(', ') : undefined;
  if (inner !== undefined) return `fused(${inner})`;
  return retriever.endsWith(')') ? `${retriever.slice(0, -1)}, unit=passage)` : `${retriever}(unit=passage)`;
}
