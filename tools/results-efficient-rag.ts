/**
 * Prints what EfficientRAG-lite finds beside Direct-R at equal K (the first K of its own first
 * search) into results/efficient-rag/. Needs MULTIHOP_DATA; with MULTIHOP_MODELS and the packages
 * of models-test (npm ci there) dense retrievers too; --without-models leaves them out.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataSet } from '../src/edges/formats/data-sets.ts';
import { findData } from '../src/edges/runs/find-data.ts';
import { readRecorded } from '../src/edges/runs/replay.ts';
import { BOOTSTRAP, drawResamples } from '../src/evaluation/resamples.ts';
import {
  type LoopOutcome,
  type LoopScores,
  loopOutcome,
  loopScores,
} from '../src/learning/efficient-rag/held-out-recall.ts';
import { ROOT } from './evaluation-step.ts';

const SETTINGS = ['2wikimultihopqa-open', 'hotpotqa-pooled', 'musique-pooled'];
const EMBEDDERS = ['bge-small-en-v1.5', 'all-MiniLM-L6-v2'];
const K = [10, 5];

const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(ROOT, '.cache', 'efficient-rag') },
    out: { type: 'string', default: join(ROOT, 'results', 'efficient-rag') },
    'token-classifiers': { type: 'string' },
    'without-models': { type: 'boolean', default: false },
  },
});
const retrievers = [
  'lexical',
  ...(options['without-models'] ? [] : EMBEDDERS.map(name => `dense(${name})`)),
];

interface Line {
  readonly setting: string;
  readonly retriever: string;
  readonly k: number;
  readonly scores: LoopScores;
  /** 95 % intervals over questions. */
  readonly recall: readonly [number, number];
  /** Recall less that of the first K of each question's own K. */
  readonly gain: readonly [number, number];
  readonly directAtK: number;
}

const temporary = mkdtempSync(join(tmpdir(), 'multihop-efficient-rag-'));
const lines: Line[] = [];
try {
  for (const setting of SETTINGS) lines.push(...(await evaluated(setting)));
} finally {
  rmSync(temporary, { recursive: true });
}
const out = resolve(options.out);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'report.md'), report());
writeFileSync(
  join(out, 'result.json'),
  `${JSON.stringify({ bootstrap: BOOTSTRAP, lines }, undefined, 1)}\n`,
);

/** The command line runs where the models' packages are; traces come back. */
async function evaluated(setting: string): Promise<Line[]> {
  const folder = join(temporary, setting);
  const words = [
    ...[join(ROOT, 'src/edges/cli/main.ts'), 'eval', setting, '--out', folder],
    ...['--context', 'lead', '--reader', 'evidence-only', '--measure', 'EvidenceRecall'],
    ...K.flatMap(k => ['--strategy', `efficient-rag(k=${k})`]),
    ...retrievers.flatMap(name => ['--retriever', name]),
    ...(retrievers.length > 1
      ? [
          '--template',
          'title-context',
          '--cache',
          resolve(options.cache),
          ...EMBEDDERS.flatMap(name => ['--embedder', name]),
        ]
      : []),
    ...(options['token-classifiers']
      ? ['--token-classifiers', resolve(options['token-classifiers'])]
      : []),
  ];
  const absolute = (name: string) =>
    process.env[name] === undefined ? {} : { [name]: resolve(process.env[name]) };
  const { status } = spawnSync(process.execPath, words, {
    cwd: retrievers.length > 1 ? join(ROOT, 'models-test') : ROOT,
    env: { ...process.env, ...absolute('MULTIHOP_DATA'), ...absolute('MULTIHOP_MODELS') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  const { examples } = await readDataSet(
    setting,
    findData(setting, {}, process.env['MULTIHOP_DATA']),
  );
  const gold = new Map(
    examples.map(example => [example.id, new Set(example.gold.map(item => item.documentId))]),
  );
  const found: Line[] = [];
  for (const { traces } of await readRecorded(folder)) {
    const { strategy, retriever } = traces[0]!.asked;
    const outcomes: LoopOutcome[] = [];
    for (const { asked, read } of traces) {
      const documents = gold.get(asked.question.id)!;
      if (documents.size > 0) outcomes.push(loopOutcome(await read(), documents));
    }
    found.push(lineOf(setting, retriever, Number(/k=(\d+)/.exec(strategy)![1]), outcomes));
  }
  return found.sort(
    (a, b) => retrievers.indexOf(a.retriever) - retrievers.indexOf(b.retriever) || b.k - a.k,
  );
}

function lineOf(
  setting: string,
  retriever: string,
  k: number,
  outcomes: readonly LoopOutcome[],
): Line {
  const resamples = drawResamples(outcomes.length);
  const interval = (value: (outcome: LoopOutcome) => number): [number, number] => {
    const values = outcomes.map(value);
    const means = Array.from({ length: resamples.resamples }, (_, b) => {
      let sum = 0;
      for (let i = 0; i < values.length; i++)
        sum += values[i]! * resamples.counts[b * values.length + i]!;
      return sum / values.length;
    }).sort((x, y) => x - y);
    return [means[Math.floor(0.025 * means.length)]!, means[Math.floor(0.975 * means.length)]!];
  };
  const direct = (outcome: LoopOutcome): number =>
    outcome.direct[Math.min(k, outcome.direct.length - 1)]!;
  return {
    ...{
      setting,
      retriever,
      k,
      scores: loopScores(outcomes),
      recall: interval(each => each.recall),
    },
    gain: interval(({ recall, directAtOwnK }) => recall - directAtOwnK),
    directAtK: outcomes.reduce((sum, each) => sum + direct(each), 0) / outcomes.length,
  };
}

function report(): string {
  const percent = (share: number): string => (100 * share).toFixed(1);
  const range = ([low, high]: readonly [number, number]): string =>
    `\\[${percent(low)}, ${percent(high)}\\]`;
  const row = ({ retriever, k, scores, recall, gain, directAtK }: Line): string =>
    `| ${retriever} | ${k} | **${percent(scores.recall)}** ${range(recall)} | ${scores.k.toFixed(2)} | ${scores.rawK.toFixed(2)} | ${scores.rounds.toFixed(2)} | ${percent(scores.directAtMeanK)} | ${percent(scores.directAtOwnK)} | ${percent(scores.recall - scores.directAtOwnK)} ${range(gain)} | ${percent(directAtK)} |`;
  const tables = SETTINGS.map(setting => {
    const own = lines.filter(line => line.setting === setting);
    return [
      `## ${setting}`,
      '',
      `${own[0]!.scores.questions} questions, each over the whole corpus.`,
      '',
      '| retriever | k | recall | K | K with repeats | rounds | Direct-R at the mean K | Direct-R at each question’s K | difference | Direct-R@k |',
      '| :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
      ...own.map(row),
    ].join('\n');
  });
  return `# EfficientRAG-lite

The loop of EfficientRAG (arXiv 2408.04259) with the small token classifiers that ship: our approximation, not the published models (two fine-tuned DeBERTa-v3-large).
They were trained on questions of the train splits alone (\`multihop efficient-rag train\`, [what they are and what they were worth there](../../src/models/efficient-rag/lite.json)),
with the lexical retriever; the figures here are of the dev half, on which nothing was chosen: that was done on train questions held out (\`multihop efficient-rag train\` prints them). No language model is asked.

Recall in percent, macro, by document, of all that was kept. K is the mean number of kept documents. Direct-R is one search: the first K of the same retriever's hits for the question, at the mean K (between two whole numbers: their mean, weighed)
and at each question's own K. 95 % percentile bootstrap intervals over questions (${BOOTSTRAP.resamples} resamples, seed ${BOOTSTRAP.seed}); the difference is paired, to Direct-R at each question's K.

${tables.join('\n\n')}
`;
}
