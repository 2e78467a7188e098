/** Says in words what paired differences show: every sentence follows from the intervals. */
import type { Estimated } from './equal-k.ts';

/** The sign that both intervals, over questions and over clusters, allow. */
export type Verdict = 'below' | 'above' | 'open';

/**
 * Below if either interval lies wholly below 0, so that no loss is missed; above if each one lies
 * wholly above.
 */
export function verdictOf({ low, high, clustered }: Omit<Estimated, 'value'>): Verdict {
  const intervals = [{ low, high }, ...(clustered ? [clustered] : [])];
  if (intervals.some(interval => interval.high < 0)) return 'below';
  return intervals.every(interval => interval.low > 0) ? 'above' : 'open';
}

const WORDS: Readonly<Record<Verdict, string>> = {
  below: 'loses',
  above: 'gains',
  open: 'no difference is shown',
};
export const verdictText = (difference: Omit<Estimated, 'value'>): string =>
  WORDS[verdictOf(difference)];

/** One comparison of a strategy of the goal with its own search. */
export interface Compared {
  readonly label: string;
  readonly set: string;
  /** As it is printed. */
  readonly text: string;
  readonly difference: Estimated;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const listed = (all: readonly Compared[]): string =>
  all.map(({ label, set, text }) => `\`${label}\` on ${set} (${text})`).join('; ');

/** Says if no comparison loses; `missing` names what is not compared. */
export function noLossText(compared: readonly Compared[], missing: readonly string[]): string {
  const lost = compared.filter(({ difference }) => verdictOf(difference) === 'below');
  const gained = compared.filter(({ difference }) => verdictOf(difference) === 'above');
  const open = compared.length - lost.length - gained.length;
  const rest =
    missing.length === 0 ? '' : ` Not compared, so nothing is said of: ${missing.join(', ')}.`;
  if (compared.length === 0) return `Nothing is compared yet.${rest}`;
  const outcome =
    lost.length > 0
      ? `**Failed** by ${plural(lost.length, 'comparison')}: ${listed(lost)}.`
      : missing.length > 0
        ? '**Met so far**: no comparison lies wholly below 0.'
        : '**Met**: no comparison lies wholly below 0.';
  return `${outcome} Of ${plural(compared.length, 'comparison')} ${lost.length} lie wholly below 0, ${gained.length} wholly above 0${
    gained.length > 0 ? ` (${listed(gained)})` : ''
  }, and ${open} show no difference.${rest}`;
}

/** The points that the best row has to gain. */
export const GOAL_POINTS = 0.08;

/** Says if the best of the rows gains the points of the goal, with its interval above 0. */
export function bestGainText(compared: readonly Compared[]): string {
  if (compared.length === 0) return 'No row is compared with BM25 on this set yet.';
  const best = compared.reduce((a, b) => (b.difference.value > a.difference.value ? b : a));
  const enough = best.difference.value >= GOAL_POINTS;
  const above = verdictOf(best.difference) === 'above';
  const why = [
    ...(enough ? [] : ['fewer than 8 points']),
    ...(above ? [] : ['an interval that does not lie wholly above 0']),
  ].join(' and ');
  return `${enough && above ? '**Met**' : '**Failed**'}: the best of ${plural(compared.length, 'row')} is \`${best.label}\`, ${best.text} over BM25${
    why === '' ? '' : `: ${why}`
  }. It is chosen on the same questions, so its gain is estimated too high rather than too low.`;
}

/** A rival of the graph, with its value and the graph's difference from it. */
export interface Rival {
  readonly row: string;
  readonly value: string;
  readonly text: string;
  readonly difference: Estimated;
}

const AGAINST: Readonly<Record<Verdict, string>> = {
  below: 'is worse than',
  above: 'is better than',
  open: 'is not shown to differ from',
};

/** Says for one set where the best graph row stands beside each rival, at equal K. */
export function worthText(
  set: string,
  best: { readonly row: string; readonly value: string; readonly of: number },
  rivals: readonly Rival[],
): string {
  const clauses = rivals.map(
    ({ row, value, text, difference }) =>
      `${AGAINST[verdictOf(difference)]} ${row} (${value}; ${text})`,
  );
  return `- ${set}: the best of ${plural(best.of, 'graph row')}, \`${best.row}\` (${best.value}), ${clauses.join(', ')}.`;
}

/** Sums up the sets: in how many the best graph row beats all its rivals, and in how many none. */
export function worthSummary(sets: readonly (readonly Rival[])[]): string {
  const count = (holds: (rival: Rival) => boolean, all: boolean): number =>
    sets.filter(rivals => (all ? rivals.every(holds) : rivals.some(holds))).length;
  const above = ({ difference }: Rival): boolean => verdictOf(difference) === 'above';
  const below = ({ difference }: Rival): boolean => verdictOf(difference) === 'below';
  const beats = count(above, true);
  const [some, worse] = [count(above, false), count(below, false)];
  const said =
    beats === sets.length
      ? 'Without a language model a graph is worth more than each of them on every corpus here.'
      : some === 0
        ? 'Without a language model no graph row is shown to be worth more than any of them, on any corpus here.'
        : 'What a graph is worth without a language model depends on the corpus and on what it is compared with.';
  return `${said} Of ${plural(sets.length, 'corpus').replace(
    'corpuss',
    'corpora',
  )} the best graph row is better than all of them on ${beats}, better than at least one on ${some}, and worse than at least one on ${worse}.`;
}
