/** Judges the claims of the five documents by the rule of `lab/results/seeds/README.md`. */
import { interval, resampledValues } from '../../../src/evaluation/bootstrap.ts';
import { formatDelta, formatValue } from '../../../src/evaluation/report/format-value.ts';
import { drawResamples } from '../../../src/evaluation/resamples.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import type { Column, Estimated } from '../equal-k.ts';
import { type Block, pairedEstimate, type Results, seriesOf } from '../report.ts';
import { table } from '../tables.ts';
import { canonical, type Found, linesOf, rowsOf } from './seeds-kept.ts';

export interface Claim {
  readonly id: string;
  readonly paper: string;
  readonly claim: string;
  readonly printed: string;
  readonly sign: '+' | '-';
  readonly measure: string | readonly [more: string, less: string];
  readonly more: string;
  readonly less: string | number;
  readonly sets?: readonly string[];
  /** Rules do not judge it. */
  readonly model?: boolean;
}

export const CLAIMS: readonly Claim[] = linesOf('claims.jsonl');

export interface Judged {
  readonly more: number;
  readonly less: number;
  readonly difference: Estimated;
  readonly questions: number;
  readonly rules: boolean;
  /** The sets that are judged, where the model has not answered all of them. */
  readonly sets: readonly string[] | undefined;
  readonly verdict: 'holds' | 'reversed' | 'undecided';
}

const NEWS = ['multihop-rag'];

/**
 * Judges the sets that the model has answered, or all by rules. Undefined until the rows of the
 * claim are finished.
 */
export function judge(results: Results, claim: Claim): Judged | undefined {
  const [first, second = first] = [claim.measure].flat().map(canonical) as [string, string?];
  const sets = claim.sets ?? NEWS;
  const found = sets.flatMap(set => sidesOf(results, claim, set) ?? []);
  const asked = found.filter(({ rows }) => rows.some(row => row?.asks));
  const sides = asked.length > 0 ? asked : found;
  if (sides.length === 0 || (asked.length === 0 && found.length < sets.length)) return undefined;
  const column = (at: 0 | 1, name: string): Column | undefined => {
    const columns = sides.map(({ rows, places }) => {
      const scores = rows[at]?.row.scores[name];
      return scores && places.map(pair => scores[pair[at]]!);
    });
    return columns.every(each => each !== undefined) ? columns.flat() : undefined;
  };
  const a = column(0, first);
  const b = typeof claim.less === 'number' ? claim.less : column(1, second);
  if (a === undefined || b === undefined) return undefined;
  const estimated = estimate(first, a, typeof b === 'number' ? b : [second, b]);
  if (!estimated) return undefined;
  const { low, high } = estimated.difference;
  const [towards, away] = claim.sign === '+' ? [low > 0, high < 0] : [high < 0, low > 0];
  return {
    ...estimated,
    sets: sides.length < sets.length ? sides.map(({ set }) => set) : undefined,
    questions: a.filter(score => score !== null && score !== undefined).length,
    rules: sides.some(({ rows }) => rows.some(each => each?.row.result.rules)),
    verdict: towards ? 'holds' : away ? 'reversed' : 'undecided',
  };
}

/** The rows of a claim on one set. */
interface Sides {
  readonly set: string;
  readonly rows: readonly [Found, Found | undefined];
  /** Places of the scores of each question that both rows answer. */
  readonly places: readonly (readonly [more: number, less: number])[];
}

/** The rows of one set: with the model on both sides, else without it. */
function sidesOf(results: Results, { more, less, model }: Claim, set: string): Sides | undefined {
  const others = typeof less === 'number' ? [undefined] : rowsOf(results, set, less);
  return rowsOf(results, set, more)
    .filter(({ asks }) => asks || !model)
    .flatMap(a => others.map(b => [a, b] as const))
    .filter(([a, b]) => b === undefined || !isMixed(a, b))
    .map(rows => ({ set, rows, places: placesOf(...rows) }))
    .find(({ places }) => places.length > 0);
}

/** Pairs the questions of two rows; rows without ids are paired if they are equally many. */
function placesOf({ row }: Found, other: Found | undefined): Sides['places'] {
  const size = (of: Found['row']): number => Object.values(of.scores)[0]?.length ?? 0;
  const less = other?.row ?? row;
  if (row.questions && less.questions) {
    const known = new Map(less.questions.map((id, at) => [id, at]));
    return row.questions.flatMap((id, at) =>
      known.has(id) ? [[at, known.get(id)!] as const] : [],
    );
  }
  return size(row) === size(less) ? Array.from({ length: size(row) }, (_, at) => [at, at]) : [];
}

/** Rules beside the model say nothing of either. */
const isMixed = (a: Found, b: Found): boolean =>
  a.asks !== b.asks && (a.row.result.rules ?? b.row.result.rules) === true;

type Valued = Pick<Judged, 'more' | 'less' | 'difference'>;

function estimate(
  name: string,
  a: Column,
  b: number | readonly [string, Column],
): Valued | undefined {
  const series = seriesOf(name, a);
  const more = valueOfScores(series.measure, series.scores)?.value;
  if (typeof b === 'number') {
    const bounds = interval(resampledValues(drawResamples(a.length), [series])[0]!);
    if (more === undefined || !bounds) return undefined;
    const difference = { value: more - b, low: bounds.low - b, high: bounds.high - b };
    return { more, less: b, difference };
  }
  const other = seriesOf(...b);
  const less = valueOfScores(other.measure, other.scores)?.value;
  const difference = pairedEstimate(series, other, undefined);
  if (more === undefined || less === undefined || !difference) return undefined;
  return { more, less, difference };
}

/** The number of questions at which an interval of this spread would exclude 0. */
export function deciding({ difference: { value, low, high }, questions }: Judged): number {
  return Math.ceil(questions * ((high - low) / 2 / Math.abs(value)) ** 2);
}

const WORDS = { holds: 'holds here', reversed: 'reversed here', undecided: 'undecided' };

/** One claim a line. */
export const verdicts: Block = results => {
  const lines = CLAIMS.map(claim => {
    const judged = judge(results, claim);
    const said = [claim.paper, claim.claim, claim.printed];
    if (!judged) return [...said, '', '', '', '', 'not run yet'];
    const name = canonical([claim.measure].flat()[0]!);
    const { difference, more, less, questions, verdict, rules, sets } = judged;
    const [low, high] = [difference.low, difference.high].map(end => formatDelta(name, end));
    return [
      ...said,
      `${formatValue(name, more)} for ${formatValue(name, less)}`,
      `${formatDelta(name, difference.value)} [${low}, ${high}]`,
      [questions, ...(sets ? [`(${sets.join(', ')})`] : [])].join(' '),
      Number.isFinite(deciding(judged)) ? deciding(judged).toLocaleString('en') : '–',
      `${WORDS[verdict]}${rules ? ', by rules' : ''}`,
    ];
  });
  const heads = ['paper', 'claim', 'printed', 'ours', 'difference', 'questions', 'would decide'];
  return table([...heads, 'verdict'], lines, ['claim', 'printed', 'verdict']);
};

/** Counts the verdicts, each paper by itself. */
export const tally: Block = results => {
  const all = CLAIMS.map(claim => ({ paper: claim.paper, judged: judge(results, claim) }));
  const count = (of: string, verdict: string | undefined): string => {
    const found = all.filter(
      ({ paper, judged }) => [paper, ''].includes(of) && judged?.verdict === verdict,
    );
    const rules = found.filter(({ judged }) => judged?.rules).length;
    return `${found.length}${rules > 0 ? ` (${rules} by rules)` : ''}`;
  };
  const papers = [...new Set(CLAIMS.map(({ paper }) => paper))];
  const line = (paper: string): string[] => [
    paper || 'all',
    ...['holds', 'reversed', 'undecided', undefined].map(each => count(paper, each)),
  ];
  const heads = ['paper', 'holds here', 'reversed here', 'undecided', 'not run yet'];
  return table(heads, [...papers, ''].map(line));
};
