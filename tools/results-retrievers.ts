/**
 * Prints what vectors, fusion and re-ranking bring to every strategy on the MultiHop-RAG dev half,
 * into results/retrievers-multihop-rag-dev.
 *
 *     MULTIHOP_DATA=... MULTIHOP_MODELS=... node tools/results-retrievers.ts [STEP...]
 *
 * A step is PART.GROUP.STRATEGY, or a beginning of several: `passages.dense` runs seven
 * evaluations. Without one all are run, which takes hours on two cores. What is finished stays in
 * .cache/results-retrievers (vectors and pair scores in MULTIHOP_CACHE, or a folder beside it), so
 * a run that was cut goes on where it was; delete that folder after the code that it measures has
 * changed. The report is written from what is there.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationResult } from '../src/evaluation/run.ts';
import { evaluate, finished, ROOT, type Step } from './evaluation-step.ts';
import {
  GROUPS,
  type Group,
  PARTS,
  type Part,
  STRATEGIES,
  writeReport,
} from './results-retrievers-report.ts';

const WORK = join(ROOT, '.cache', 'results-retrievers');
const CACHE = process.env['MULTIHOP_CACHE'] ?? join(WORK, 'models');
const OUT = join(ROOT, 'results', 'retrievers-multihop-rag-dev');
const MEASURES = [
  ...[
    'FactRecall',
    'AllFacts',
    'GroundedEM',
    'GroundedRecall',
    'RetrievalConditionedEM(answerable)',
    'EvidenceRecall',
  ],
  ...[
    'Retrievals',
    'Documents',
    'ContextTokens',
    'Milliseconds',
    'Milliseconds(p50)',
    'Milliseconds(p95)',
  ],
];
const COST_QUESTIONS = 20;

function evaluations(part: Part, group: Group): Step[] {
  const sample = group.sample === undefined ? [] : ['--sample', String(group.sample)];
  return STRATEGIES.filter(({ slug }) => group.strategies?.includes(slug) ?? true).map(
    strategy => ({
      name: `${part.name}.${group.name}.${strategy.slug}`,
      words: [
        'multihop-rag',
        ...[
          '--strategy',
          strategy.of(part.tokens),
          '--context',
          part.context,
          '--reader',
          'extractive',
        ],
        ...['--budget', `context-tokens=${part.tokens}`, ...sample],
        ...group.retrievers(part.unit).flatMap(({ name }) => ['--retriever', name]),
        ...MEASURES.flatMap(name => ['--measure', name]),
      ],
    }),
  );
}

/** A process for each retriever, so that what it holds is its own. */
function costs(part: Part): Step[] {
  const all = GROUPS.flatMap(group => group.retrievers(part.unit));
  return [...new Map(all.map(retriever => [retriever.name, retriever])).values()].map(
    ({ name, label }) => ({
      name: `${part.name}.costs.${label.replace(/\W+/g, '-')}`,
      words: [
        'multihop-rag',
        ...[
          '--strategy',
          'fixed-top-k',
          '--retriever',
          name,
          '--context',
          'lead',
          '--reader',
          'extractive',
          '--measure',
          'Documents',
        ],
        ...['--sample', String(COST_QUESTIONS), '--cost', String(COST_QUESTIONS)],
      ],
    }),
  );
}

const steps = [
  ...GROUPS.flatMap(group => PARTS.flatMap(part => evaluations(part, group))),
  ...PARTS.flatMap(costs),
];
const wanted = process.argv.slice(2);
const unknown = wanted.find(start => !steps.some(({ name }) => name.startsWith(start)));
if (unknown !== undefined)
  throw new Error(
    `No step begins with "${unknown}"; there are ${steps.map(({ name }) => name).join(', ')}`,
  );
mkdirSync(OUT, { recursive: true });
const exact = new Set(steps.map(({ name }) => name));
const isWanted = ({ name }: Step): boolean =>
  wanted.length === 0 ||
  wanted.some(start => (exact.has(start) ? name === start : name.startsWith(start)));
for (const step of steps) if (isWanted(step)) evaluate(step, WORK, CACHE);
const done = new Map(
  steps.flatMap((step): [string, EvaluationResult][] => {
    const result = finished(step, WORK);
    return result ? [[step.name, result]] : [];
  }),
);
writeReport(
  OUT,
  done,
  steps.map(({ name }) => name),
);
