/** The effect of binding earlier answers into later sub-questions, on MuSiQue's own. */
import { join } from 'node:path';
import type { Given, Report, Row } from '../report.ts';
import { differences, groups, rowNames, values } from '../tables.ts';

const NAME = 'musique-pooled';
const RECALL = [2, 5, 10].map(k => `ParagraphRecall@${k}`);

const row = (label: string, strategy: string): Row => ({
  label,
  strategy,
  retriever: 'lexical',
  context: 'headers',
  reader: 'evidence-only',
});
/** The pool is not cut, so that every row keeps k passages a sub-question. */
const split = (settings: string): string =>
  `query-decomposition(parts=4, integration=sub-contexts, k=5, pool=1000000, ${settings})`;
const chained = (settings: string): string => split(`split=replayed, chained=true, ${settings}`);

const UNBOUND = 'gold sub-questions, references left out';
const BOUND: readonly Row[] = [
  row('gold sub-questions, answers by rules bound', chained('answers=extractive')),
  row('gold sub-questions, gold answers bound where found', chained('answers=replayed')),
  row('gold sub-questions, gold answers bound', chained('answers=replayed, checked=false')),
];

const INTRODUCTION = `**Gold: an upper bound, not a system.** The sub-questions are MuSiQue's own, some of them with its
own answers; no language model is asked. A model's sub-questions and answers will be worse. The
table measures binding alone: \`#1\` in a later sub-question is replaced by the answer of the first
(*bound*) or left out. Left out, MuSiQue's later sub-questions name little ("Where was born?"): a
model that writes each to be asked alone would leave less to binding.

Every question searches the paragraphs of all questions (\`musique-pooled\`) by BM25. Each
sub-question is one search; rankings are pooled round robin by rank, each paragraph once, so that
all rows have the same K. *Where found*: an answer is bound only if one of the five passages just
found contains it, the default of \`chained=true\`. *By rules*: a name, a year or a number, by
\`answers=extractive\`. Recall of gold paragraphs by id, micro.`;

export const report = ({ data }: Given): Report => {
  const questions = join(data, 'musique', 'musique_ans.dev.jsonl');
  return {
    folder: 'query-decomposition-musique',
    title: 'Sub-questions with and without binding, on MuSiQue',
    introduction: INTRODUCTION,
    evaluations: [
      {
        name: NAME,
        dataSet: NAME,
        rows: [
          row('the question itself', 'fixed-top-k(k=20)'),
          row('its clauses, by the planner', split('split=clauses')),
          row(UNBOUND, split('split=replayed')),
          ...BOUND,
        ],
        measures: [...RECALL, 'Documents'],
        words: ['--questions', questions, '--sub-questions', questions],
      },
    ],
    sections: [
      { heading: 'Recall', blocks: [values(NAME, [...RECALL, 'Documents'], { heading: 'asked' })] },
      {
        heading: 'Differences from references left out',
        blocks: [
          differences(
            NAME,
            RECALL,
            BOUND.map(({ label }) => [UNBOUND, label]),
          ),
        ],
      },
      { heading: 'By shape of the decomposition', blocks: [groups(NAME, RECALL[1]!)] },
      { heading: 'Rows', blocks: [rowNames(NAME)] },
    ],
  };
};
