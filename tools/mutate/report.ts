/** Prints the score of a mutation run with its interval, and the mutants that survived. */
import type { Mutant } from './mutants.ts';
import { type Result, wilson } from './results.ts';

const CUT = 100;

export function report(
  room: string,
  drawn: readonly Mutant[],
  resultOf: (mutant: Mutant) => Result | undefined,
): string {
  const tried = drawn.filter(mutant => resultOf(mutant));
  const survivors = tried.filter(mutant => resultOf(mutant)!.outcome === 'survived');
  const killed = tried.length - survivors.length;
  const [low, high] = wilson(killed, tried.length);
  const lines = survivors
    .toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
    .map(told);
  return [
    ...(lines.length > 0 ? ['', `Survivors (${lines.length}):`, ...lines] : []),
    '',
    `${room}: ${killed} of ${tried.length} mutants killed, ${percent(killed / (tried.length || 1))} (95 % interval ${percent(low)} to ${percent(high)})`,
  ].join('\n');
}

const told = ({ path, line, operator, original, replacement }: Mutant): string =>
  `  ${path}:${line} ${operator}: ${short(original)} -> ${short(replacement)}`;

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= CUT ? line : `${line.slice(0, CUT - 1)}…`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
