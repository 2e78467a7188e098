/**
 * `--dry-run`: what a command may ask of its model and what that costs, printed before anything is
 * asked.
 */
import {
  type Cost,
  type CostPlan,
  costOf,
  costPlan,
  largest,
  type PlannedPart,
  usual,
} from '../../asking/cost-plan.ts';
import { textTable } from '../../evaluation/report/text-report.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import type { Price } from '../../models/price.ts';
import type { Reader } from '../../reading/reader.ts';
import type { Strategy } from '../../strategies/strategy.ts';
import type { Budget } from '../../trace/usage.ts';
import { addAmounts } from '../../trace/usage.ts';
import { limitOption } from './budget-option.ts';
import type { Option } from './command.ts';
import type { Output } from './output.ts';

export const DRY_RUN_OPTION: Option = {
  name: 'dry-run',
  summary:
    'ask nothing: print the model calls, tokens and US dollars that this may take at most, and usually',
};

export const DRY_RUN_NOTE =
  '--dry-run adds up what strategies and readers say of their calls: largest prompts (for questions of up to 500 characters), longest completions, repairs included. Tokens of prompts are estimated, at 2.5 bytes a token. A budget caps every question, a total budget them all. --dry-run --json prints { model, price, questions, rows: [{ id, parts: [{ part, name, calls: [{ role, atMost, promptTokens, completionTokens, expected }] }], question: { atMost, expected, limitedBy }, atMost, expected }], judge: { id, atMost, expected }, atMost, expected }, each of { calls, tokens, usd }; null is no limit.';

export interface DryRow {
  readonly id: string;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly budget: Budget;
}

export interface DryRun {
  readonly rows: readonly DryRow[];
  /** Asked by each row. */
  readonly questions: number;
  /** As the user calls it; undefined where none was named. */
  readonly model: string | undefined;
  readonly price: Price | undefined;
  /** Over all rows, and the judge. */
  readonly total: Budget;
  /** Who judges the answer of each row to each question, in how many calls each. */
  readonly judging?: {
    readonly name: string;
    readonly price: Price | undefined;
    readonly calls: PlannedCalls;
  };
}

/** Of all questions. */
interface Totals {
  readonly id: string;
  readonly atMost: Cost;
  readonly expected?: Cost;
}

interface Planned extends Totals {
  readonly plan: CostPlan;
}

export function printDryRun(run: DryRun, output: Output): void {
  const { questions, model, price } = run;
  const rows = run.rows.map((row): Planned => {
    // Who tells a price means a model.
    const plan = costPlan({ ...row, model: model !== undefined || price !== undefined, price });
    const { atMost, expected } = plan;
    return {
      id: row.id,
      plan,
      atMost: times(atMost, questions),
      ...(expected ? { expected: times(expected, questions) } : {}),
    };
  });
  const judge = judgeOf(run);
  const parts: Totals[] = judge ? [...rows, judge] : rows;
  const atMost = within(sum(parts.map(row => row.atMost)), run.total);
  const known = parts.flatMap(row => (row.expected ? [row.expected] : []));
  const expected = known.length === parts.length ? within(sum(known), run.total) : undefined;
  if (output.json) {
    const judging = judge ? { judge } : {};
    output.object({
      model,
      price,
      questions,
      rows: rows.map(printed),
      ...judging,
      atMost,
      ...(expected ? { expected } : {}),
    });
    return;
  }
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
  output.line(textTable(totalsTable(parts, atMost, expected)));
  output.line(output.style.faint(priceWords(model, price)));
}

function judgeOf({ judging, questions, rows }: DryRun): Totals | undefined {
  if (!judging) return undefined;
  const answers = questions * rows.length;
  const cost = (calls: Parameters<typeof costOf>[0][number]): Cost =>
    times(costOf([calls], judging.price), answers);
  return {
    id: `judge ${judging.name}`,
    atMost: cost(largest(judging.calls)),
    expected: cost(usual(judging.calls)),
  };
}

const printed = ({
  id,
  plan: { parts, atMost, expected, limitedBy },
  ...row
}: Planned): object => ({
  id,
  parts,
  question: { atMost, ...(expected ? { expected } : {}), limitedBy },
  atMost: row.atMost,
  ...(row.expected ? { expected: row.expected } : {}),
});

type Table = Parameters<typeof textTable>[0];

function partsTable({ plan }: Planned, price: Price | undefined): Table {
  const rows = plan.parts.flatMap(part => partRows(part, price));
  const { atMost, expected } = plan;
  return {
    ...{ id: 'parts', heading: '', notes: [], leftColumns: ['role'] },
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
      [
        part,
        'does not say',
        'no limit',
        '',
        '',
        'no limit',
        price ? 'no limit' : '?',
        '?',
        '?',
        '?',
      ],
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
    ...{ id: 'totals', heading: '', notes: [] },
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
      ? 'No model is named: parts that are only better with one do without. --model NAME counts them, and tells the money.'
      : `No price is known of ${model}: --price in=USD,out=USD tells the money too.`;
  const age = price.asOf === undefined ? '' : `, the list price of ${price.asOf}: check it`;
  return `USD ${price.input} for a million tokens of prompts, USD ${price.output} of answers${age}.`;
}

const amounts = (cost: Cost | undefined): string[] =>
  cost ? [count(cost.calls), count(cost.tokens), money(cost.usd)] : ['?', '?', '?'];
const count = (value: number): string =>
  Number.isFinite(value) ? Math.ceil(value).toLocaleString('en') : 'no limit';

/** To a hundredth of a cent, upwards. */
function money(usd: number | undefined): string {
  if (usd === undefined) return '?';
  return Number.isFinite(usd) ? (Math.ceil(usd * 1e4 - 1e-6) / 1e4).toFixed(4) : 'no limit';
}

function times({ calls, tokens, usd }: Cost, questions: number): Cost {
  return {
    calls: calls * questions,
    tokens: tokens * questions,
    ...(usd === undefined ? {} : { usd: addAmounts('usd', usd * questions, 0) }),
  };
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce((a, b) => ({
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    ...(a.usd === undefined || b.usd === undefined ? {} : { usd: addAmounts('usd', a.usd, b.usd) }),
  }));
}

function within({ calls, tokens, usd }: Cost, total: Budget): Cost {
  const most = (limit: number | undefined, value: number): number =>
    Math.min(value, limit ?? Number.POSITIVE_INFINITY);
  return {
    calls: most(total.modelCalls, calls),
    tokens: most(total.modelTokens, tokens),
    ...(usd === undefined ? {} : { usd: most(total.usd, usd) }),
  };
}
