/**
 * `npm run results:documents -- [--set NAME] [--held] [--rerank] [--ranker FILE] [--plans FILE ...]
 * [--cache DIR] [--render]`: measures the systems of the report `documents` on the half of a set of
 * questions that choices may use, or with `--held` on the other, and writes the report; `--ranker`
 * puts other weights in the place of those of `@multihop/ranker`, `--rerank` adds a row with the
 * reranker of `MULTIHOP_MODELS`, and each `--plans` rows with the plans of a file; scores of models
 * are kept for later runs; `--render` measures nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  ANSWER_AT,
  DOCUMENT_SYSTEMS,
  type DocumentResults,
  plannedSystem,
  RERANKER,
  rankedSystem,
  report,
  resultsFile,
  SHIPPED,
} from '../../lab/results/reports/documents.ts';
import { runReport } from '../../lab/results/runner.ts';
import { MODELS_TEST, ROOT } from '../../lab/results/steps.ts';
import { versionOf } from '../../lab/results/versions.ts';
import { BOOTSTRAP } from '../../src/evaluation/resamples.ts';
import type { Reranker } from '../../src/models/reranker.ts';
import {
  type RecordedSubQuestions,
  readRecordedSubQuestions,
} from '../../src/planning/sub-questions/recorded-sub-questions.ts';
import { thisPackage } from '../../src/platform/package-root.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { resolveModel } from '../../src/providers/resolve-model.ts';
import { askable } from './check.ts';
import { documentsOf, fetchCorpus } from './corpus.ts';
import { keptScores } from './kept-scores.ts';
import { measureSystems } from './measure.ts';
import { documentQuestions, type Half, halfOf } from './questions.ts';

const { values } = parseArgs({
  options: {
    held: { type: 'boolean', default: false },
    set: { type: 'string', default: 'first' },
    rerank: { type: 'boolean', default: false },
    ranker: { type: 'string' },
    plans: { type: 'string', multiple: true, default: [] },
    render: { type: 'boolean', default: false },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
const set = values.set === 'fresh' ? 'fresh' : 'first';
const half: Half = values.held ? 'held' : 'tune';
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? join(ROOT, '.cache'));
// Paths are given from where the command was typed; a model's library is found elsewhere.
const ranker = values.ranker === undefined ? SHIPPED : `${SHIPPED}:${resolve(values.ranker)}`;
const out = resolve(values.out ?? join(ROOT, 'results', 'documents'));
const work = join(ROOT, '.cache', 'results', 'documents');
const given = { data: '', work, options: values.held ? { held: 'true' } : {} };

if (!values.render) {
  mkdirSync(work, { recursive: true });
  const results = await measured();
  writeFileSync(resultsFile(work, { set, half }), JSON.stringify(results));
}
await runReport(report(given), {
  given,
  cache,
  steps: [],
  embed: false,
  keep: false,
  renderOnly: true,
  out,
});

/** Describes what was measured; holds no times and no paths. */
function manifestOf(): DocumentResults['manifest'] {
  const hashOf = (file: string): string => sha256(readFileSync(new URL(file, import.meta.url)));
  return {
    multihop: thisPackage().version,
    node: process.version,
    answerAt: ANSWER_AT,
    sources: versionOf('src', 'bench/documents'),
    packages: hashOf(`${set === 'first' ? '' : `${set}/`}corpus.json`),
    questions: hashOf(`${set === 'first' ? '' : `${set}/`}questions.jsonl`),
    bootstrap: BOOTSTRAP,
  };
}

async function measured(): Promise<DocumentResults> {
  const say = (line: string): void => console.error(line);
  const corpus = await fetchCorpus(cache, say, set);
  const all = askable(documentQuestions(set), corpus.missing);
  const recorded = values.plans.map(file => [basename(file), plansIn(file)] as const);
  const plans = new Map<string, RecordedSubQuestions>();
  const rerankers = [await opened(SHIPPED, ranker)];
  if (values.rerank) rerankers.push(await opened(RERANKER, RERANKER));
  const systems = [...DOCUMENT_SYSTEMS, ...(values.rerank ? [rankedSystem(RERANKER)] : [])];
  for (const reranker of [SHIPPED, 'none', ...(values.rerank ? [RERANKER] : [])])
    for (const [by, plan] of recorded) {
      const system = plannedSystem(by, reranker);
      systems.push(system);
      plans.set(system.label, plan);
    }
  return {
    set,
    half,
    documents: documentsOf(corpus).length,
    packages: corpus.packages.length - corpus.missing.size,
    missing: Object.fromEntries(corpus.missing),
    manifest: manifestOf(),
    systems: await measureSystems({
      paths: [corpus.folder],
      questions: all.filter(({ id }) => halfOf(id) === half),
      systems,
      rerankers,
      plans,
      answerAt: ANSWER_AT,
      say,
    }),
  };
}

function plansIn(file: string): RecordedSubQuestions {
  return readRecordedSubQuestions(JSON.parse(readFileSync(resolve(file), 'utf8')));
}

/** Opens a model; its library is found from the folder in which it is installed. */
async function opened(id: string, name: string): Promise<Reranker> {
  process.chdir(MODELS_TEST);
  const model = await resolveModel('reranker', name, { env: process.env });
  const file = `scores-${sha256(model.id).slice(0, 12)}.jsonl`;
  return keptScores({ id, score: model.score.bind(model) }, join(work, file));
}
