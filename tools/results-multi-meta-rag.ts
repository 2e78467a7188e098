/**
 * Prints what the filter, fusion and re-ranking each bring to Multi-Meta-RAG on the MultiHop-RAG
 * dev half, into results/multi-meta-rag-dev.
 *
 *     MULTIHOP_DATA=... MULTIHOP_MODELS=... node tools/results-multi-meta-rag.ts [STEP...]
 *
 * Without a step all are run, which takes more than an hour on two cores: the cross-encoder reads
 * some 65,000 sentences and 6,000 passages. What is finished stays in .cache/results-multi-meta-rag
 * (vectors and pair scores in MULTIHOP_CACHE, or a folder beside it), so a run that was cut goes on
 * where it was; delete that folder after the code that it measures has changed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { evaluate, finished, ROOT, type Step } from './evaluation-step.ts';
import {
  multiMetaReport,
  printedResults,
  SECTIONS,
  type Section,
} from './multi-meta-rag-report.ts';

const WORK = join(ROOT, '.cache', 'results-multi-meta-rag');
const CACHE = process.env['MULTIHOP_CACHE'] ?? join(WORK, 'models');
const OUT = join(ROOT, 'results', 'multi-meta-rag-dev');
const data = process.env['MULTIHOP_DATA'];
if (data === undefined)
  throw new Error('MULTIHOP_DATA is not set: the folder that holds multihop-rag/');
const FILTERS = join(data, 'multihop-rag', 'query_metadata_filters.dev.json');

const stepOf = ({ name, rows, measures, sample }: Section): Step => ({
  name,
  words: [
    'multihop-rag',
    ...rows.flatMap(({ strategy, retriever, context = 'headers' }) => [
      '--row',
      `strategy=${strategy}; retriever=${retriever}; context=${context}; reader=evidence-only`,
    ]),
    ...['--filters', FILTERS],
    ...(sample === undefined ? [] : ['--sample', String(sample)]),
    ...measures.flatMap(measure => ['--measure', measure]),
  ],
});

const wanted = process.argv.slice(2);
const unknown = wanted.find(name => !SECTIONS.some(section => section.name === name));
if (unknown !== undefined)
  throw new Error(
    `There is no step "${unknown}"; there are ${SECTIONS.map(({ name }) => name).join(', ')}`,
  );
for (const section of SECTIONS)
  if (wanted.length === 0 || wanted.includes(section.name)) evaluate(stepOf(section), WORK, CACHE);
const results = new Map(
  SECTIONS.flatMap((section): [string, EvaluationResult][] => {
    const result = finished(stepOf(section), WORK);
    return result ? [[section.name, result]] : [];
  }),
);
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'report.md'), multiMetaReport(results));
writeFileSync(join(OUT, 'result.json'), `${JSON.stringify(printedResults(results))}\n`);
