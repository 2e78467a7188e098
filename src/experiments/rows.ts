/**
 * The rows of an evaluation, from the command line: all combinations of the five options, or
 * single rows.
 */

import { InputError } from '../core/errors.ts';
import { parseName, printName } from '../core/naming/name.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { Row } from '../evaluation/run.ts';
import type { Resources } from '../models/resources.ts';
import { DEFAULTS } from '../run/ask.ts';
import { canonicalMembers } from '../run/run-members.ts';
import { usualRetriever } from '../run/run-resources.ts';
import { strategies } from '../strategies/strategies.ts';

const PARTS = ['strategy', 'retriever', 'context', 'reader', 'budget'] as const;
type Part = (typeof PARTS)[number];

export interface RowOptions {
  readonly strategy: readonly string[];
  readonly retriever: readonly string[];
  readonly context: readonly string[];
  readonly reader: readonly string[];
  readonly budget: readonly string[];
  /** `strategy=...; context=...` for each row. */
  readonly rows: readonly string[];
  parseBudget(text: string): Budget;
  /** In the place of those of `ask`, for a constant that was fitted under others. */
  readonly defaults?: { readonly strategy: string; readonly context: string };
  /** Resources of the strategies: what has a vector space says which retriever searches it. */
  readonly resources?: Resources;
}

/**
 * Rows with canonical names and ids that tell them apart. Throws `InputError` for unknown names,
 * parts and limits, before any work.
 */
export function rowsOf(options: RowOptions): Row[] {
  const { strategy, context } = options.defaults ?? DEFAULTS;
  const or = (names: readonly string[], fallback: string): readonly string[] =>
    names.length > 0 ? names : [fallback];
  const choices: Record<Part, readonly string[]> = {
    strategy: or(options.strategy, strategy),
    retriever: or(options.retriever, ''),
    context: or(options.context, context),
    reader: or(options.reader, DEFAULTS.reader),
    budget: or(options.budget, ''),
  };
  const combined =
    options.rows.length > 0 && options.strategy.length === 0 ? [] : combinations(choices);
  const single = options.rows.map(text => ({ ...firstOf(choices), ...parseRow(text) }));
  const rows = [...combined, ...single].map(parts => ({
    ...canonicalMembers({
      strategy: parts.strategy,
      retriever: parts.retriever || retrieverOf(parts.strategy, options.resources),
      context: parts.context,
      reader: comparable(parts.reader),
    }),
    budget: parts.budget === '' ? {} : options.parseBudget(parts.budget),
  }));
  return withIds(rows);
}

/** Evaluations compare answers word for word: models answer in short form unless told. */
const comparable = (reader: string): string => {
  const { name, args } = parseName(reader);
  const isOpen = WRITERS.includes(name) && !args.some(({ key }) => key === 'form');
  return isOpen ? printName({ name, args: [...args, { key: 'form', value: 'short' }] }) : reader;
};

/** Readers that have a free and a short form. */
const WRITERS = ['generative', 'cascade'];

/** A strategy that cannot be created here is refused by whoever creates it with its files. */
function retrieverOf(strategy: string, resources: Resources = {}): string {
  try {
    return usualRetriever(strategies.create(strategy), resources) ?? DEFAULTS.retriever;
  } catch (error) {
    if (InputError.is(error) && error.code !== 'missing-resource') return DEFAULTS.retriever;
    throw error;
  }
}

function combinations(choices: Record<Part, readonly string[]>): Record<Part, string>[] {
  let rows: Partial<Record<Part, string>>[] = [{}];
  for (const part of PARTS)
    rows = rows.flatMap(row => choices[part].map(value => ({ ...row, [part]: value })));
  return rows as Record<Part, string>[];
}

const firstOf = (choices: Record<Part, readonly string[]>): Record<Part, string> =>
  Object.fromEntries(PARTS.map(part => [part, choices[part][0]!])) as Record<Part, string>;

function parseRow(text: string): Partial<Record<Part, string>> {
  const row: Partial<Record<Part, string>> = {};
  for (const piece of text.split(';')) {
    if (piece.trim() === '') continue;
    const at = piece.indexOf('=');
    const part = piece.slice(0, Math.max(0, at)).trim();
    if (!(PARTS as readonly string[]).includes(part)) {
      const near = didYouMean(part, PARTS);
      throw new InputError('bad-row', `Cannot read the row "${text}"`, {
        expected:
          '"strategy=NAME; context=NAME; ..." of strategy, retriever, context, reader, budget',
        received: `"${piece.trim()}"`,
        hint: near || undefined,
      });
    }
    row[part as Part] = piece.slice(at + 1).trim();
  }
  return row;
}

/** A row is called by its strategy and by whatever else differs between the rows. */
function withIds(rows: readonly Omit<Row, 'id'>[]): Row[] {
  const budgetText = (row: Omit<Row, 'id'>): string =>
    Object.entries(row.budget)
      .map(([name, value]) => `${name}=${value}`)
      .join(',') || 'no budget';
  const text = (row: Omit<Row, 'id'>, part: Part): string =>
    part === 'budget' ? budgetText(row) : row[part];
  const differing = PARTS.filter(
    part => part !== 'strategy' && new Set(rows.map(row => text(row, part))).size > 1,
  );
  const seen = new Map<string, number>();
  return rows.map(row => {
    const name = [row.strategy, ...differing.map(part => text(row, part))].join(' | ');
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { id: times === 1 ? name : `${name} (${times})`, ...row };
  });
}

/** Returns `01-fixed-top-k-k-2`: the number of a row from 1, and what its id says in ASCII. */
export function rowFileName(number: number, id: string): string {
  const slug = id
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return [String(number).padStart(2, '0'), slug].filter(Boolean).join('-');
}
