/** `--dry-run`: prints what a command may ask of its models, and what that costs. */

import { textTable } from '../evaluation/report/text-table.ts';
import type { Price } from '../models/price.ts';
import { type Cost, costOf, largest, type PlannedPart, usual } from '../run/cost-plan.ts';
import {
  type EstimateOptions,
  estimateCost,
  estimateResult,
  type RowEstimate,
  type Totals,
} from '../session/cost-estimate.ts';
import { limitOption } from './budget.ts';
import type { Option } from './option.ts';
import type { Output } from './output.ts';

export const DRY_RUN_OPTION: Option = {
  name: 'dry-run',
  summary:
    'ask nothing: print the model calls, tokens and US dollars that this may take at most, and usually',
};

export const DRY_RUN_NOTE =
  '--dry-run adds up the calls that strategies and readers declare: largest prompts (for questions of up to 500 characters), longest completions, repairs included. Tokens of prompts are estimated at 2.5 bytes a token; thoughts of a reasoning model come on top. A budget caps every question, a total budget them all. --dry-run --json prints { model, price, questions, rows: [{ id, parts: [{ part, name, calls: [{ role, atMost, promptTokens, completionTokens, expected }] }], question: { atMost, expected, limitedBy }, atMost, expected }], judge: { id, atMost, expected }, atMost, expected }, each of { calls, tokens, usd }; null is no limit.';

/** Prints the estimate and asks nothing. */
export function printDryRun(options: EstimateOptions, output: Output): void {
  const estimate = estimateCost(options);
  if (output.json) {
    output.object(estimateResult(estimate, options));
    return;
  }
  const { questions, model, price } = options;
  const { rows, judge, atMost, expected } = estimate;
  output.line(output.style.bold('Nothing was asked. For one question:'));
  for (const row of rows) {
    output.line(`\n${row.id}`);
    output.line(textTable(partsTable(row, price)));
    for (const limit of row.plan.limitedBy)
      output.line(output.style.faint(`The budget's limit on ${limitOption(limit)} caps it.`));
  }
  output.line(
    `\n${output.style.bold(`For ${count(questions)} ${questions === 1 ? 'question' : 'questions'}, ${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}:`)}`,
  );
  output.line(textTable(totalsTable(judge ? [...rows, judge] : rows, atMost, expected)));
  output.line(output.style.faint(priceWords(model, price)));
}

type Table = Parameters<typeof textTable>[0];

function partsTable({ plan }: RowEstimate, price: Price | undefined): Table {
  const rows = plan.parts.flatMap(part => partRows(part, price));
  const { atMost, expected } = plan;
  return {
    id: 'parts',
    heading: '',
    notes: [],
    leftColumns: ['role'],
    columns: [
      'part',
      'role',
      'calls',
      'prompt tokens',
      'answer tokens',
      'tokens',
      'USD',
      'usual calls',
      'usual tokens',
      'usual USD',
    ],
    rows: [
      ...rows,
      [
        'together',
        '',
        count(atMost.calls),
        '',
        '',
        ...amounts(atMost).slice(1),
        ...amounts(expected),
      ],
    ],
  };
}

function partRows({ part, calls }: PlannedPart, price: Price | undefined): string[][] {
  if (calls === 'unknown')
    return [
      [part, 'undeclared', 'no limit', '', '', 'no limit', price ? 'no limit' : '?', '?', '?', '?'],
    ];
  return calls.map(planned => {
    const most = costOf([largest(planned)], price);
    const { role, promptTokens, completionTokens } = planned;
    const sizes = [count(promptTokens), count(completionTokens)];
    return [
      part,
      role,
      count(most.calls),
      ...sizes,
      ...amounts(most).slice(1),
      ...amounts(costOf([usual(planned)], price)),
    ];
  });
}

function totalsTable(rows: readonly Totals[], atMost: Cost, expected: Cost | undefined): Table {
  return {
    id: 'totals',
    heading: '',
    notes: [],
    columns: [
      'row',
      'calls at most',
      'tokens at most',
      'USD at most',
      'usual calls',
      'usual tokens',
      'usual USD',
    ],
    rows: [
      ...(rows.length > 1
        ? rows.map(row => [row.id, ...amounts(row.atMost), ...amounts(row.expected)])
        : []),
      ['all', ...amounts(atMost), ...amounts(expected)],
    ],
  };
}

function priceWords(model: string | undefined, price: Price | undefined): string {
  if (!price)
    return model === undefined
      ? 'No model is named: parts that a model only improves run without it. --model NAME counts their calls and costs.'
      : `No known price of ${model}: --price in=USD,out=USD adds the costs.`;
  const age = price.asOf === undefined ? '' : `, the list price of ${price.asOf}: check it`;
  return `USD ${price.input} for a million tokens of prompts, USD ${price.output} of answers${age}.`;
}

const amounts = (cost: Cost | undefined): string[] =>
  cost ? [count(cost.calls), count(cost.tokens), money(cost.usd)] : ['?', '?', '?'];
const count = (value: number): string =>
  Number.isFinite(value) ? Math.ceil(value).toLocaleString('en') : 'no limit';

/** Rounds up to a hundredth of a cent. */
function money(usd: number | undefined): string {
  if (usd === undefined) return '?';
  return Number.isFinite(usd) ? (Math.ceil(usd * 1e4 - 1e-6) / 1e4).toFixed(4) : 'no limit';
}
