/**
 * Prints the project's published tables: every row of the first walk on the MultiHop-RAG dev half,
 * into results/. Needs MULTIHOP_DATA.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const S1 = 'retriever=lexical(s1)';
const ROWS = [
  // The paper's four policies, its ablation, and the control at each of its budgets.
  `strategy=fixed-top-k(k=2); ${S1}`,
  `strategy=iterative; ${S1}`,
  `strategy=iterative(profile=drift); ${S1}`,
  `strategy=decomposition; ${S1}`,
  ...['360, calls=3', '500, calls=3', '620, calls=4', '760, calls=4', '900, calls=5'].map(
    tokens => `strategy=budgeted-agent(tokens=${tokens}); ${S1}`,
  ),
  ...[360, 500, 620, 760, 900].map(
    tokens => `strategy=equal-budget-top-k(tokens=${tokens}); ${S1}`,
  ),
  // What document-level EM is worth once a system chooses how much of a document to pass on.
  `strategy=equal-budget-top-k(tokens=620); ${S1}; context=headers`,
  // Better plans under the same scorer.
  `strategy=budgeted-agent(planner=source-restricted); ${S1}`,
  `strategy=slot-agent; ${S1}`,
  // The default retriever.
  ...[
    'fixed-top-k(k=2)',
    'iterative',
    'decomposition',
    'budgeted-agent',
    'equal-budget-top-k',
    'slot-agent',
  ].map(strategy => `strategy=${strategy}; retriever=lexical`),
];

const out = mkdtempSync(join(tmpdir(), 'multihop-results-'));
const command = (...args: string[]): void => {
  const { status } = spawnSync(process.execPath, ['src/edges/cli/main.ts', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
};
const folder = 'results/multihop-rag-dev';
mkdirSync(folder, { recursive: true });
const READ = ['--context', 'lead', '--reader', 'extractive'];
command(
  'eval',
  'multihop-rag',
  ...ROWS.flatMap(row => ['--row', row]),
  ...READ,
  '--controls',
  '--out',
  out,
);
for (const [format, file] of [
  ['text', 'report.txt'],
  ['markdown', 'report.md'],
  ['html', 'report.html'],
  ['svg', 'em-by-tokens.svg'],
] as const)
  command('report', out, '--format', format, '-o', join(folder, file));
for (const file of ['result.json', 'curves.json', 'traces.json'])
  copyFileSync(join(out, file), join(folder, file));
rmSync(out, { recursive: true });
