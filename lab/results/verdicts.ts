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
  /** The difference as tables print it. */
  readonly text: string;
  readonly difference: Estimated;
}

const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : many}`;
const lie = (count: number): string => `${count} ${count === 1 ? 'lies' : 'lie'}`;
const show = (count: number): string => `${count} ${count === 1 ? 'shows' : 'show'}`;
const listed = (all: readonly Compared[]): string =>
  all.map(({ label, set, text }) => `\`${label}\` on ${set} (${text})`).join('; ');

/** Missing comparisons that are named singly. */
const MOST_NAMED = 6;

/** Says if no comparison loses; `missing` names what is not compared. */
export function noLossText(compared: readonly Compared[], missing: readonly string[]): string {
  const lost = compared.filter(({ difference }) => verdictOf(difference) === 'below');
  const gained = compared.filter(({ difference }) => verdictOf(difference) === 'above');
  const open = compared.length - lost.length - gained.length;
  const names =
    missing.length > MOST_NAMED ? `${missing.length} further comparisons` : missing.join(', ');
  const rest = missing.length === 0 ? '' : ` Not compared, so nothing is said of: ${names}.`;
  if (compared.length === 0) return `Nothing is compared yet.${rest}`;
  const outcome =
    lost.length > 0
      ? `**Failed** by ${plural(lost.length, 'comparison')}: ${listed(lost)}.`
      : missing.length > 0
        ? '**Met so far**: no comparison lies wholly below 0.'
        : '**Met**: no comparison lies wholly below 0.';
  return `${outcome} Of ${plural(compared.length, 'comparison')} ${lie(lost.length)} wholly below 0, ${gained.length} wholly above 0${
    gained.length > 0 ? ` (${listed(gained)})` : ''
  }, and ${show(open)} no difference.${rest}`;
}

/** The points that the best row has to gain. */
export const GOAL_POINTS = 0.08;

/** Returns the comparison with the greatest difference. */
export const bestOf = <T extends Compared>(compared: readonly T[]): T =>
  compared.reduce((a, b) => (b.difference.value > a.difference.value ? b : a));

/** Says if the best of the rows gains the points of the goal, with its interval above 0. */
export function bestGainText(compared: readonly Compared[]): string {
  if (compared.length === 0) return 'No row is compared with BM25 on this set yet.';
  const best = bestOf(compared);
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

/** Sums up the sets: on how many the best graph row beats all its rivals, and on how many none. */
export function worthSummary(sets: readonly (readonly Rival[])[]): string {
  const has =
    (of: Verdict): ((rival: Rival) => boolean) =>
    rival =>
      verdictOf(rival.difference) === of;
  const all = sets.filter(rivals => rivals.every(has('above'))).length;
  const some = sets.filter(rivals => rivals.some(has('above'))).length;
  const worse = sets.filter(rivals => rivals.some(has('below'))).length;
  const names = [...new Set(sets.flatMap(rivals => rivals.map(({ row }) => row)))].join(', ');
  const said =
    all === sets.length
      ? 'Without a language model a row over a graph is better than each of them on every corpus here.'
      : some === 0
        ? 'Without a language model no row over a graph is shown to be better than any of them, on any corpus here.'
        : 'Without a language model the place of a row over a graph depends on the corpus and on the rival.';
  const corpora = plural(sets.length, 'corpus', 'corpora');
  return `${said} (${names}; at equal K.) The best graph row is better than all of them on ${all} of ${corpora}, better than at least one on ${some}, worse than at least one on ${worse}.`;
}

/** A system less itself without its graph, on one set. */
export interface GraphItself {
  readonly set: string;
  readonly text: string;
  readonly difference: Estimated;
  /** Questions with other documents among the first five. */
  readonly changed: number | undefined;
  readonly questions: number;
}

/** Says what of a system's recall is the graph's own, and not that of its other parts. */
export function graphItselfText(system: string, all: readonly GraphItself[]): string {
  const count = (of: Verdict): number =>
    all.filter(({ difference }) => verdictOf(difference) === of).length;
  const gains = count('above');
  const said =
    gains === all.length
      ? 'The graph itself brings documents on each of them.'
      : gains === 0
        ? 'What it gains over its search, it gains by its other parts: the graph itself is not shown to bring a document among the first five.'
        : `The graph itself brings documents on ${gains} of them.`;
  const cells = all
    .map(
      ({ set, text, changed, questions }) =>
        `${set} ${text}${changed === undefined ? '' : `, other first five on ${changed} of ${questions} questions`}`,
    )
    .join('; ');
  return `The graph by itself: Recall@5 of \`${system}\` less itself with its graph off, on ${plural(all.length, 'corpus', 'corpora')}: ${cells}. ${said}${count('below') > 0 ? ` It loses on ${count('below')}.` : ''}`;
}
