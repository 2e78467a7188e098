/**
 * Prints what it is worth to put the answer of an earlier sub-question into a later query, on
 * MuSiQue's own sub-questions, without any model, into results/query-decomposition-musique.
 *
 *     MULTIHOP_DATA=... node tools/results-query-decomposition.ts
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Estimate, EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import type { ReportTable } from '../src/evaluation/report/report-table.ts';
import { evaluate, finished, ROOT, type Step } from './evaluation-step.ts';

const data = process.env['MULTIHOP_DATA'];
if (data === undefined) throw new Error('MULTIHOP_DATA is not set: the folder that holds musique/');
const QUESTIONS = join(data, 'musique', 'musique_ans.dev.jsonl');
const WORK = join(ROOT, '.cache', 'results-query-decomposition');
const OUT = join(ROOT, 'results', 'query-decomposition-musique');

/** The pool is not cut, so that every row keeps k passages a sub-question. */
const split = (rest: string): string =>
  `query-decomposition(parts=4, integration=sub-contexts, k=5, pool=1000000, ${rest})`;
const ROWS: readonly (readonly [what: string, strategy: string])[] = [
  ['the question itself', 'fixed-top-k(k=20)'],
  ['its clauses, by the planner', split('split=clauses')],
  ['gold sub-questions, references left out', split('split=replayed')],
  [
    'gold sub-questions, answers by rules bound',
    split('split=replayed, chained=true, answers=extractive'),
  ],
  [
    'gold sub-questions, gold answers bound where found',
    split('split=replayed, chained=true, answers=replayed'),
  ],
  [
    'gold sub-questions, gold answers bound',
    split('split=replayed, chained=true, answers=replayed, checked=false'),
  ],
];
const UNBOUND = 2;
const CUT_OFFS = [2, 5, 10];
const name = (k: number): string => `ParagraphRecall@${k}`;

const step: Step = {
  name: 'musique-pooled',
  words: [
    ...['musique-pooled', '--questions', QUESTIONS, '--sub-questions', QUESTIONS],
    ...['--retriever', 'lexical', '--context', 'headers', '--reader', 'evidence-only'],
    ...ROWS.flatMap(([, strategy]) => ['--strategy', strategy]),
    ...[...CUT_OFFS.map(name), 'Documents'].flatMap(measure => ['--measure', measure]),
  ],
};

const INTRODUCTION = `# Sub-questions with and without binding, on MuSiQue

**Gold: a ceiling, not a system.** The sub-questions are MuSiQue's own, some of them with its own answers; no language model is asked. A model's sub-questions and
answers will be worse. What is measured is what binding alone is worth: \`#1\` in a later sub-question is replaced by the answer of the first (*bound*), or left out.
Left out, MuSiQue's later sub-questions name little ("Where was born?"): a model that writes each to be asked alone would leave less to binding.

Every question searches the paragraphs of all questions (\`musique-pooled\`), by words (\`lexical\`, BM25). One search a sub-question; rankings are pooled round robin by rank,
each paragraph once, so that all rows have the same K. *Where found*: an answer is bound only where one of the five passages that were just found holds it, the rule that
\`chained=true\` keeps by default. *By rules*: a name, a year or a number, by \`answers=extractive\`.`;

function report({ questions, rows, pairs, manifest }: EvaluationResult): string {
  // What --json prints has the sizes of the groups in its manifest.
  const { groups } = manifest as { groups: EvaluationResult['groups'] };
  const strategies = rows.map(({ strategy }) => strategy);
  const types = Object.keys(groups.byType).sort();
  const table = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
    markdownTable({
      id: 'recall',
      heading: '',
      notes: [],
      columns,
      rows: lines,
    } satisfies ReportTable);
  const differences = [...ROWS.keys()].filter(index => index > UNBOUND);
  const difference = (row: number, k: number): string => {
    const pair = pairs.find(
      ({ a, b, measure }) => a === rows[UNBOUND]!.id && b === rows[row]!.id && measure === name(k),
    );
    return pair ? `${points(-pair.difference)} [${points(-pair.high)}, ${points(-pair.low)}]` : '–';
  };
  return `${[
    INTRODUCTION,
    `${questions} questions (${types.map(type => `${type} ${groups.byType[type]}`).join(', ')}). Recall of gold paragraphs by id, micro, in percent, with 95 % percentile bootstrap intervals over questions. *Kept*: paragraphs that the hops keep, on average.`,
    table(
      ['asked', ...CUT_OFFS.map(k => `@${k}`), 'kept'],
      rows.map((row, index) => [
        ROWS[index]![0],
        ...CUT_OFFS.map(k => interval(row.measures[name(k)])),
        row.measures['Documents']!.mean.toFixed(1),
      ]),
    ),
    'Paired differences to the same sub-questions with their references left out, in points.',
    table(
      ['binding', ...CUT_OFFS.map(k => `@${k}`)],
      differences.map(row => [ROWS[row]![0], ...CUT_OFFS.map(k => difference(row, k))]),
    ),
    'Recall@5 by the shape of the decomposition.',
    table(
      ['asked', ...types.map(type => `${type} (${groups.byType[type]})`)],
      rows.map((row, index) => [
        ROWS[index]![0],
        ...types.map(type => percent(row.byType[type]?.[name(5)])),
      ]),
    ),
    `Rows in order:\n\n${strategies.map(strategy => `- \`${strategy}\``).join('\n')}`,
    `## Manifest\n\n\`\`\`json\n${JSON.stringify(manifest, null, 2)}\n\`\`\``,
  ].join('\n\n')}\n`;
}

const percent = (share: number | undefined): string =>
  share === undefined ? '–' : (100 * share).toFixed(1);
const points = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${(100 * difference).toFixed(1)}`;
const interval = (estimate: Estimate | undefined): string =>
  estimate === undefined
    ? '–'
    : `${percent(estimate.mean)} [${percent(estimate.low)}, ${percent(estimate.high)}]`;

// It takes seconds: what was kept of an earlier run may be of earlier code.
rmSync(WORK, { recursive: true, force: true });
evaluate(step, WORK, join(WORK, 'models'));
const result = finished(step, WORK)!;
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'report.md'), report(result));
writeFileSync(join(OUT, 'result.json'), `${JSON.stringify(result)}\n`);
