/**
 * Judges rankers over the same candidates: what stands first by BM25, by scores of models, and by
 * these with the ranks of BM25, as `fact-lanes` orders sections.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../../src/core/errors.ts';
import { formatDelta, formatValue } from '../../../src/evaluation/report/format-value.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import { withRanks } from '../../../src/strategies/fact-lanes/reranking.ts';
import type { Estimated } from '../../results/equal-k.ts';
import { pairedEstimate, seriesOf } from '../../results/report.ts';
import { table } from '../../results/tables.ts';
import { type Pool, readPools } from './pool-file.ts';

export const BM25 = 'BM25';
const WITH_RANKS = ', with ranks';
type MeasureName = 'NDCG@10' | 'Recall@5';
/** Scores of a ranking by the things that its ranks add, of so many. */
const MEASURES: Readonly<
  Record<MeasureName, (added: readonly number[], things: number) => number>
> = { 'NDCG@10': ndcg, 'Recall@5': recall };
const NDCG_DEPTH = 10;
const RECALL_DEPTH = 5;

/** A ranker by its label, with the scores of each pool's candidates. */
export interface Scored {
  readonly label: string;
  readonly scores: readonly ArrayLike<number>[];
}

export interface JudgedDomain {
  readonly name: string;
  readonly pools: readonly Pool[];
  readonly rankers: readonly Scored[];
}

/** Returns the pools of a file with BM25 and the rankers that have scored all of them. */
export function judgedDomain(
  path: string,
  folders: readonly { readonly label: string; readonly folder: string }[],
): JudgedDomain {
  const pools = readPools(path);
  const name = basename(path, '.jsonl');
  const rankers = folders.map(({ label, folder }) => ({
    label,
    scores: scoresOf(pools, join(folder, name)),
  }));
  const byRank = pools.map(({ candidates }) => candidates.map((_, at) => -at));
  const withWords = rankers.map(({ label, scores }) => ({
    label: `${label}${WITH_RANKS}`,
    scores: scores.map(given => withRanks(given)),
  }));
  return { name, pools, rankers: [{ label: BM25, scores: byRank }, ...rankers, ...withWords] };
}

/** Reads the shards that `score.py` wrote: 16-bit numbers of 1/256, pool after pool. */
function scoresOf(pools: readonly Pool[], folder: string): Int16Array[] {
  const names = existsSync(folder) ? readdirSync(folder).filter(each => each.endsWith('.i16')) : [];
  const bytes = Buffer.concat(names.sort().map(name => readFileSync(join(folder, name))));
  const all = new Int16Array(new Uint8Array(bytes).buffer);
  const pairs = pools.reduce((sum, { candidates }) => sum + candidates.length, 0);
  if (all.length !== pairs)
    throw new InputError('missing-file', `The scores of ${JSON.stringify(folder)}`, {
      expected: `${pairs} scores, one a candidate of the pools`,
      received: String(all.length),
      hint: 'Run score.py over the pools; it goes on where it was stopped.',
    });
  let at = 0;
  return pools.map(({ candidates }) => all.subarray(at, (at += candidates.length)));
}

/**
 * Returns for each rank the things that it adds: candidates by falling score, earlier ones first
 * among equals, each group at its best candidate.
 */
export function addedByRank(
  { candidates, groups = [], facets = [] }: Pool,
  scores: ArrayLike<number>,
): number[] {
  const order = candidates.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const seen = new Set<number>();
  const found = new Set<number>();
  const added: number[] = [];
  for (const at of order) {
    const group = groups[at] ?? at;
    if (seen.has(group)) continue;
    seen.add(group);
    const before = found.size;
    for (const [facet, having] of facets.entries()) if (having.includes(at)) found.add(facet);
    added.push(found.size - before);
  }
  return added;
}

/** Gain is the number of things that a rank adds, as in α-nDCG with α = 1 (Clarke, SIGIR 2008). */
function ndcg(added: readonly number[], things: number): number {
  const discounted = (gains: readonly number[]): number =>
    gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const ideal = discounted(Array.from({ length: Math.min(things, NDCG_DEPTH) }, () => 1));
  // One passage may have two things, which no ranking of single ones foresees.
  return Math.min(1, discounted(added.slice(0, NDCG_DEPTH)) / ideal);
}

function recall(added: readonly number[], things: number): number {
  return added.slice(0, RECALL_DEPTH).reduce((sum, gain) => sum + gain, 0) / things;
}

/** Returns one score a question. */
export function measured(name: MeasureName, pools: readonly Pool[], { scores }: Scored): number[] {
  return pools.map((pool, at) =>
    MEASURES[name](addedByRank(pool, scores[at]!), pool.facets?.length ?? 0),
  );
}

/** Returns the table of one domain, and whether each ranker after the first keeps the goal. */
export function judgement({ name, pools, rankers }: JudgedDomain): string {
  const [, teacher, ...others] = rankers;
  const sections = (Object.keys(MEASURES) as MeasureName[]).map(measure => {
    const series = rankers.map(ranker => seriesOf(measure, measured(measure, pools, ranker)));
    const less = (a: number, b: number): Estimated | undefined =>
      pairedEstimate(series[a]!, series[b]!, undefined);
    const ceiling = teacher && less(1, 0);
    const rows = rankers.map(({ label }, at) => {
      const value = valueOfScores(series[at]!.measure, series[at]!.scores)?.value;
      const gain = at === 0 ? undefined : less(at, 0);
      return [
        label,
        formatValue(measure, value),
        difference(measure, gain),
        at > 1 ? difference(measure, less(at, 1)) : '–',
        at > 1 && gain && ceiling ? verdict(gain, ceiling) : '–',
      ];
    });
    const columns = ['ranker', measure, `less ${BM25}`, `less ${teacher?.label ?? '–'}`, 'goal'];
    return table(columns, rows, ['goal']);
  });
  const labels = others.map(({ label }) => label).join(', ');
  const heading = `${name}: ${pools.length} questions${labels && ` (${labels})`}`;
  return [heading, ...sections].join('\n\n');
}

const difference = (measure: string, estimated: Estimated | undefined): string =>
  estimated
    ? `${formatDelta(measure, estimated.value)} [${formatDelta(measure, estimated.low)}, ${formatDelta(measure, estimated.high)}]`
    : '–';

/** The share of the teacher's gain that must be kept where the gain is sure. */
const KEPT = 0.6;

function verdict(gain: Estimated, ceiling: Estimated): string {
  if (ceiling.low <= 0) return gain.high < 0 ? 'lost: below BM25' : 'kept: not below BM25';
  const share = gain.value / ceiling.value;
  return `${share >= KEPT ? 'kept' : 'lost'}: ${Math.round(100 * share)} % of the gain`;
}

/** Weights of the ranks by words, of which `fact-lanes` has one. */
const WEIGHTS = [0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5];

/** Returns the nDCG@10 of each ranker with ranks of each weight, on the mean of the domains. */
export function weightsOfRanks(domains: readonly JudgedDomain[]): string {
  const labels = domains[0]!.rankers.slice(1).map(({ label }) => label);
  const rankers = labels.filter(label => !label.endsWith(WITH_RANKS));
  const rows = rankers.map(label => {
    const means = WEIGHTS.map(weight =>
      mean(domains.map(({ pools, rankers: all }) => weighted(pools, all, label, weight))),
    );
    return [label, ...means.map(value => formatValue('NDCG@10', value))];
  });
  return table(['NDCG@10 with ranks that weigh', ...WEIGHTS.map(String)], rows);
}

function weighted(
  pools: readonly Pool[],
  rankers: readonly Scored[],
  label: string,
  weight: number,
): number {
  const { scores } = rankers.find(each => each.label === label)!;
  const fused = { label, scores: scores.map(given => withRanks(given, weight)) };
  return mean(measured('NDCG@10', pools, fused));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
