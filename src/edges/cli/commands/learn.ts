/** `multihop learn support-threshold`: chooses the reader's threshold by cross-validation and prints every fold. */
import { InputError } from '../../../errors.ts';
import { isNull } from '../../../evaluation/gold-evidence.ts';
import { learnThreshold } from '../../../learning/support-threshold.ts';
import { didYouMean } from '../../../naming/nearest.ts';
import { DEFAULT_CHUNKER } from '../../../retrieval/embedded-engine.ts';
import { takeTurns } from '../../clock.ts';
import { runEvaluation } from '../../runs/evaluation-run.ts';
import { rowsOf } from '../../runs/rows.ts';
import { parseBudget } from '../budget-option.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS, openDataSet } from '../data-options.ts';
import { thisPackage } from '../package-root.ts';
import { Progress } from '../progress.ts';

const TASKS = ['support-threshold'];

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: 'support-threshold: below which support the extractive reader refuses' },
    { name: 'DATASET', summary: 'a data set with null questions: multihop-rag', optional: true },
  ],
  options: [
    ...DATA_OPTIONS,
    { name: 'strategy', value: 'NAME', summary: 'whose evidence is read' },
    { name: 'retriever', value: 'NAME', summary: 'which retriever it asks' },
    { name: 'context', value: 'NAME', summary: 'which context it is read in' },
  ],
  notes: [DATA_NOTE],
  examples: [{ line: 'multihop learn support-threshold multihop-rag', says: 'the constant that ships' }],
  run: runLearn,
};

async function runLearn(context: CommandContext): Promise<number> {
  const { positionals, options, output, signal } = context;
  const [task, dataset = 'multihop-rag'] = positionals;
  if (!TASKS.includes(task!)) {
    const near = didYouMean(task!, TASKS);
    throw new InputError('unknown-task', `There is nothing to learn called "${task}"`, {
      expected: TASKS.join(', '),
      ...(near ? { hint: near } : {}),
    });
  }
  const given = (name: string): string[] => [...options.texts(name)];
  const rows = rowsOf({
    strategy: given('strategy'),
    retriever: given('retriever'),
    context: given('context'),
    reader: ['extractive(support=0)'],
    budget: [],
    rows: [],
    parseBudget,
  });
  const { dataSet, files } = await openDataSet({ ...context, positionals: [dataset] });
  const run = runEvaluation({
    dataSet,
    files,
    rows,
    measures: [],
    chunker: DEFAULT_CHUNKER,
    controls: false,
    version: thisPackage().version,
    signal,
  });
  const progress = new Progress(output, 'questions');
  let step = await run.next();
  for (; !step.done; step = await run.next()) {
    progress.update({ count: step.value.done, done: step.value.done, total: step.value.total });
    await takeTurns();
  }
  progress.end();
  const outcomes = step.value.outcomes[rows[0]!.id]!;
  const items = dataSet.examples.map((example, index) => ({ isNull: isNull(example), support: outcomes[index]!.answer.support ?? 0 }));
  const learned = learnThreshold(items);
  const { strategy, retriever, context: read } = rows[0]!;
  if (output.json) output.object({ task, dataset, strategy, retriever, context: read, ...learned });
  else {
    output.line(
      `support threshold ${learned.threshold.toFixed(2)} (${dataset}, ${strategy}, ${retriever}, ${read}; median of ${learned.folds.length} folds)`,
    );
    for (const [index, { threshold, abstainedNull, refusedAnswerable }] of learned.folds.entries())
      output.line(
        `  fold ${index + 1}: ${threshold.toFixed(2)} chosen on the others; here it refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`,
      );
  }
  return 0;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
