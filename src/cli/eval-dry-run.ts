/** Prints what an evaluation would ask of its models: `multihop eval --dry-run`. */
import type { Document } from '../core/corpus/document.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { AnswerControl } from '../evaluation/answer-controls/answer-control.ts';
import { plannedControls } from '../evaluation/answer-controls/controlled-rows.ts';
import { judgeCalls } from '../evaluation/judge.ts';
import { SCRIPTED_JUDGE } from '../evaluation/scripted-judge.ts';
import type { EvaluationRequest } from '../experiments/compose-evaluation.ts';
import type { ReplayedFiles } from '../experiments/replayed-files.ts';
import { readers } from '../readers/readers.ts';
import { claimsPlan } from '../session/claims.ts';
import { type GivenPrice, modelPrice } from '../session/model-price.ts';
import { graphPlan } from '../session/recognisers.ts';
import type { CommandContext } from './command.ts';
import { printDryRun } from './dry-run.ts';
import { PASSAGES_OPTION } from './eval-options.ts';
import { claimsWords, graphWords } from './ingest-preview.ts';
import { JUDGE_PRICE_OPTION } from './judge-options.ts';
import { graphModel, PRICE_OPTION } from './model-options.ts';
import type { Option } from './option.ts';

interface DryRunOf {
  readonly replayed: ReplayedFiles;
  readonly total: Budget;
  readonly dataSet: EvaluationRequest['dataSet'];
  readonly answerControls: readonly AnswerControl[];
}

/** Returns the documents that the questions bring. */
function broughtBy({ documents, examples }: EvaluationRequest['dataSet']): Document[] {
  const ids = new Set(examples.flatMap(({ within = [] }) => within));
  return documents.filter(({ id }) => ids.has(id));
}

/** Prints the estimate: counts the questions and the passages of the graph, and opens nothing. */
export async function printEvaluationDryRun(
  context: CommandContext,
  rows: EvaluationRequest['rows'],
  { replayed, total, dataSet, answerControls }: DryRunOf,
): Promise<number> {
  const { options, output } = context;
  const { examples } = dataSet;
  const documents = options.get(PASSAGES_OPTION) ? broughtBy(dataSet) : dataSet.documents;
  const model = options.text('model');
  const priceOf = (option: Option<GivenPrice>, name: string | undefined) =>
    modelPrice(options.get(option), name === undefined ? [] : [name]);
  const repeated = plannedControls({ rows, controls: answerControls });
  const planned = [...rows, ...repeated.flatMap(({ row }) => (row.control ? [row] : []))].map(
    ({ id, strategy, reader, budget, control }) => ({
      id,
      budget,
      strategy: control
        ? // Controls repeat recorded hops: their readers alone ask a model.
          { ...replayed.strategies.create(strategy), modelCalls: [] }
        : replayed.strategies.create(strategy),
      reader: readers.create(reader),
    }),
  );
  const judge = options.text('judge');
  const judging =
    judge === undefined || judge === SCRIPTED_JUDGE
      ? {}
      : {
          judging: {
            name: judge,
            price: priceOf(JUDGE_PRICE_OPTION, judge),
            calls: judgeCalls(examples),
          },
        };
  const price = priceOf(PRICE_OPTION, model);
  const questions = examples.length;
  printDryRun({ rows: planned, questions, model, price, total, ...judging }, output);
  const graph = options.text('graph');
  const plan = graph && (await graphPlan(graph, documents, graphModel(context)));
  if (plan) output.note(graphWords(plan, graph));
  const claims = options.text('claims');
  const base = claims && (await claimsPlan(claims, documents, graphModel(context)));
  if (base) output.note(claimsWords(base, claims));
  return 0;
}
