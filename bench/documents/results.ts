/**
 * `npm run results:documents -- [--held] [--embed] [--cache DIR] [--render]`: measures the systems
 * of the report `documents` on the half of the questions that choices may use, or with `--held` on
 * the other, and writes the report; `--embed` adds a row with the model of `MULTIHOP_MODELS`;
 * `--render` measures nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GRADED_FILE } from '../../lab/data/graded-answers.ts';
import {
  ANSWER_AT,
  DOCUMENT_SYSTEMS,
  type DocumentResults,
  EMBEDDED_SYSTEM,
  report,
  resultsFile,
} from '../../lab/results/reports/documents.ts';
import { runReport } from '../../lab/results/runner.ts';
import { MODELS_TEST, ROOT } from '../../lab/results/steps.ts';
import { versionOf } from '../../lab/results/versions.ts';
import { BOOTSTRAP } from '../../src/evaluation/resamples.ts';
import { thisPackage } from '../../src/platform/package-root.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { askable } from './check.ts';
import { documentsOf, fetchCorpus } from './corpus.ts';
import { openEmbedder, type QuestionEmbedder } from './embedded.ts';
import { measureSystems } from './measure.ts';
import { documentQuestions, type Half, halfOf } from './questions.ts';

const { values } = parseArgs({
  options: {
    held: { type: 'boolean', default: false },
    embed: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
});
const half: Half = values.held ? 'held' : 'tune';
const cache = resolve(values.cache ?? process.env['MULTIHOP_CACHE'] ?? join(ROOT, '.cache'));
// Paths are given from where the command was typed; a model's library is found elsewhere.
const out = resolve(values.out ?? join(ROOT, 'results', 'documents'));
const work = join(ROOT, '.cache', 'results', 'documents');
const given = { data: '', work, options: values.held ? { held: 'true' } : {} };

if (!values.render) {
  mkdirSync(work, { recursive: true });
  const results = await measured();
  writeFileSync(resultsFile(work, half), JSON.stringify(results));
  writeGraded(results);
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

/** Writes the answers of our system for `learn answer-probability --runs`. */
function writeGraded({ systems, half: of }: DocumentResults): void {
  const folder = join(work, `documents-${of}`);
  mkdirSync(folder, { recursive: true });
  const { outcomes } = systems[0]!;
  const graded = {
    dataset: `documents, ${of} half`,
    questions: outcomes.length,
    answers: outcomes.flatMap(outcome => (outcome.graded ? [outcome.graded] : [])),
  };
  writeFileSync(join(folder, GRADED_FILE), JSON.stringify(graded));
}

/** Describes what was measured; holds no times and no paths. */
function manifestOf(): DocumentResults['manifest'] {
  const hashOf = (file: string): string => sha256(readFileSync(new URL(file, import.meta.url)));
  return {
    multihop: thisPackage().version,
    node: process.version,
    answerAt: ANSWER_AT,
    sources: versionOf('src', 'bench/documents'),
    packages: hashOf('corpus.json'),
    questions: hashOf('questions.jsonl'),
    bootstrap: BOOTSTRAP,
  };
}

async function measured(): Promise<DocumentResults> {
  const say = (line: string): void => console.error(line);
  const corpus = await fetchCorpus(cache, say);
  const all = askable(documentQuestions(), corpus.missing);
  await using embedder = values.embed ? await opened() : undefined;
  return {
    half,
    documents: documentsOf(corpus).length,
    packages: corpus.packages.length - corpus.missing.size,
    missing: Object.fromEntries(corpus.missing),
    manifest: manifestOf(),
    systems: await measureSystems({
      paths: [corpus.folder],
      questions: all.filter(({ id }) => halfOf(id) === half),
      systems: values.embed ? [...DOCUMENT_SYSTEMS, EMBEDDED_SYSTEM] : DOCUMENT_SYSTEMS,
      embedder,
      answerAt: ANSWER_AT,
      say,
    }),
  };
}

function opened(): Promise<QuestionEmbedder> {
  return openEmbedder(EMBEDDED_SYSTEM.embedder, { cache, folder: MODELS_TEST });
}
