/** Every result table of the five documents with ours beside it, and a verdict on each claim. */
import { statSync } from 'node:fs';
import { CONTROLS_TEXT, stepsBesideControls } from '../control-tables.ts';
import type { Block, Given, Report } from '../report.ts';
import { text } from '../report.ts';
import { table } from '../tables.ts';
import { type Run, repliesOf, runnable } from './seeds-kept.ts';
import { plan, record } from './seeds-record.ts';
import { runs } from './seeds-runs.ts';
import { counted, paperSection, TABLES } from './seeds-tables.ts';
import { tally, verdicts } from './seeds-verdicts.ts';

const MODEL = 'Qwen2.5-Coder-1.5B-Instruct (Q4_K_M)';

const INTRODUCTION = `What five documents print on retrieval in several hops, with ours beside each cell, and a verdict on
what they claim. One small model (${MODEL}, by OpenVINO) answers in place of every
language model of theirs, so no level is comparable: the sign of a claim is. Questions are those of
the dev halves, corpora are smaller than theirs; embedder and cross-encoder are
\`bge-small-en-v1.5\`, \`all-MiniLM-L6-v2\` and \`ms-marco-MiniLM-L-12-v2\`.`;

const RULE = `A claim **holds here** if the paired 95 % percentile bootstrap interval of its difference lies wholly on
the side that the paper claims, it is **reversed here** if it lies wholly on the other side, else it is
undecided; “would decide” is the number of questions at which an interval of the same spread would
exclude 0. The list and the rule were committed before any run with the model
([claims](../../lab/results/seeds/README.md)); since 2026-11-30, after runs, a claim is judged on the
questions that both rows have and in the sets that the model has answered, which are named beside the
number of questions. On the same day the rows that read short answers were run again, with prompts that
mention yes and no only where nothing else is asked for: before, \`naive\` said “Yes” or “No” to 74 of
200 questions on own passages, then to 5. One claim of twenty is expected to be decided wrongly by
chance. “By rules”: rules did the work of the model, whose run is not finished.`;

const READ = `A cell is “published / ours”; ʳ: rules did the work of the model. A dash has its reason below the
table. Of MuSiQue, rows of ChainRAG without edges or graph and LongRAG have the first 50 questions, the
other rows with the model 100: the verdicts compare the questions that both rows have.`;

/** Rows of plain retrieval that are read under both controls. */
const READ_ROWS = {
  'model, 50 questions': 'multihop-rag.naive-50-model',
  'rules, 200 questions': 'multihop-rag.naive-200',
};

/** Names steps with a model, with the size of their replies. */
const cost =
  (all: readonly Run[]): Block =>
  ({ measured }) => {
    const lines = all.flatMap(run => {
      const found = measured.get(run.name);
      if (!run.asks || !found) return [];
      const of = (name: string): string =>
        found.rows[0]!.result.measures[name]?.mean.toFixed(1) ?? '–';
      const bytes = statSync(repliesOf(run.name)).size.toLocaleString('en');
      const questions = String(found.result.questions);
      return [[run.name, questions, of('ModelCalls'), of('ModelTokens'), bytes]];
    });
    const open = all.filter(run => run.asks && !measured.has(run.name)).length;
    const heads = ['run', 'questions', 'calls', 'tokens', 'bytes of replies'];
    return [...(lines.length > 0 ? [table(heads, lines)] : []), `${open} runs are left.`].join(
      '\n\n',
    );
  };

const COST = `Runs with the model: calls and tokens a question, and the committed replies from which they are
printed again without a model. \`npm run results -- seeds --dry-run\` prints what is
left, \`npm run results -- seeds --record MODEL [STEP...]\` runs it; an interrupted run resumes.`;

export const report = (request: Given): Report => {
  const all = runs(request);
  return {
    folder: 'seeds',
    title: 'The five documents: what holds here',
    introduction: INTRODUCTION,
    evaluations: all.filter(runnable),
    plan: () => plan(all, request),
    record: (model, starts, cache) => record(all, { request, model, starts, cache }),
    sections: [
      { heading: 'Verdicts', blocks: [text(RULE), tally, verdicts] },
      {
        heading: 'How to read the tables',
        blocks: [
          text(READ),
          results => {
            const { all: cells, filled } = counted(results);
            return `${TABLES.length} tables, ${cells} cells, ${filled} with ours beside them.`;
          },
        ],
      },
      ...[...new Set(TABLES.map(({ paper }) => paper))].map(paperSection),
      {
        heading: 'Answers beside their controls',
        blocks: [text(CONTROLS_TEXT), stepsBesideControls('naive(k=6)', READ_ROWS)],
      },
      { heading: 'Cost', blocks: [text(COST), cost(all)] },
    ],
  };
};
