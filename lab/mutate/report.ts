/** Prints the score of a mutation run with its interval, and the mutants that survived. */
import type { Mutant } from './mutants.ts';
import { type Result, wilson } from './results.ts';
import { folderOf } from './rooms.ts';

const CUT = 48;

export interface Score {
  readonly killed: number;
  readonly tried: number;
}

/** The mutants of a run, as far as they were tried. */
export interface Tried {
  readonly all: Score;
  /** Without mutants that are listed as equivalent. */
  readonly distinct: Score;
  readonly survivors: readonly Mutant[];
  readonly equivalent: readonly (readonly [mutant: Mutant, reason: string])[];
  /** Number of mutants drawn that have no result, because the run was stopped. */
  readonly undecided: number;
}

export function triedOf(
  drawn: readonly Mutant[],
  resultOf: (mutant: Mutant) => Result | undefined,
  reasons: Readonly<Record<string, string>> = EQUIVALENT,
): Tried {
  const tried = drawn.filter(mutant => resultOf(mutant));
  const left = tried
    .filter(mutant => resultOf(mutant)!.outcome === 'survived')
    .sort((a, b) => (a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1));
  const reasonOf = ({ key }: Mutant): string | undefined => reasons[key.slice(0, KEY_DIGITS)];
  const equivalent = left.flatMap(mutant => {
    const reason = reasonOf(mutant);
    return reason === undefined ? [] : [[mutant, reason] as const];
  });
  const killed = tried.length - left.length;
  return {
    all: { killed, tried: tried.length },
    distinct: { killed, tried: tried.length - equivalent.length },
    survivors: left.filter(mutant => reasonOf(mutant) === undefined),
    equivalent,
    undecided: drawn.length - tried.length,
  };
}

export function report(room: string, tried: Tried): string {
  const { all, distinct, survivors, equivalent, undecided } = tried;
  const score =
    undecided > 0
      ? stopped(tried)
      : `${scoreOf(all)}; without equivalent ones ${scoreOf(distinct)}`;
  return [
    ...section(`Survivors (${survivors.length}):`, survivors.map(told)),
    ...section(
      `Equivalent (${equivalent.length}):`,
      equivalent.map(([mutant, reason]) => `${told(mutant)}: ${reason}`),
    ),
    '',
    `${room}: ${score}`,
  ].join('\n');
}

/**
 * Mutants without a result have passed the quick tests more often than not: a share of those with
 * one would be too high.
 */
const stopped = ({ all, undecided }: Tried): string =>
  `stopped before the end, no score: ${all.killed} of ${all.tried + undecided} mutants killed, ${undecided} not decided`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', title, ...lines.map(line => `  ${line}`)] : [];

/** States a score with its 95 % interval. */
export function scoreOf({ killed, tried }: Score): string {
  const [low, high] = wilson(killed, tried);
  return `${killed} of ${tried} mutants killed, ${percent(killed / (tried || 1))} (95 % interval ${percent(low)} to ${percent(high)})`;
}

export const told = ({ key, path, line, operator, original, replacement }: Mutant): string =>
  `${key.slice(0, KEY_DIGITS)} ${path}:${line} ${operator}: ${short(original)} -> ${short(replacement)}`;

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= CUT ? line : `${line.slice(0, CUT - 1)}…`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Says which mutants of which sources met which tests. */
export interface Manifest {
  readonly mutants: number;
  readonly seed: number;
  readonly sample: number;
  /** SHA-256 of the room's sources, and of all sources and tests. */
  readonly sources: string;
  readonly tests: string;
  /** Tests that did not run, if any. */
  readonly leftOut: string | undefined;
}

/** Returns the page of `results/mutation`. */
export function page(room: string, tried: Tried, manifest: Manifest): string {
  const { survivors, equivalent } = tried;
  const code = (mutant: Mutant): string => `    ${told(mutant).replace(folderOf(room), '')}`;
  return `${[
    `# Mutation score of \`${room}\``,
    '',
    `- all: ${scoreOf(tried.all)}`,
    `- without equivalent ones: ${scoreOf(tried.distinct)}`,
    '',
    `${manifest.sample} of ${manifest.mutants} mutants, drawn by seed ${manifest.seed}; sources ${manifest.sources.slice(0, 12)}, all sources and tests ${manifest.tests.slice(0, 12)}.`,
    manifest.leftOut === undefined
      ? 'All tests of the room ran, and the acceptance sample.'
      : `Left out: ${manifest.leftOut}. What they would kill survives here: the scores are lower bounds.`,
    ...(survivors.length > 0 ? ['', '## Survivors', '', ...survivors.map(code)] : []),
    ...(equivalent.length > 0
      ? ['', '## Equivalent', '', ...equivalent.map(([each, reason]) => `${code(each)}: ${reason}`)]
      : []),
  ].join('\n')}\n`;
}

const EQUIVALENT: Readonly<Record<string, string>> = {
  // learning/fact-reader
  '19fee25ceb':
    'saves time only: sets of so different sizes have too little in common, and 0 / 0 is not enough either',
  '5d0a50a465': 'neither text is a type of questions',
  a47786e51b: 'no support lies below the threshold, which is 0',
  // learning/fact-ranker
  e359e02ae9: 'names the strategy in traces, which nothing reads here',
  // models
  '3e6c492a72': 'the rest of the pattern matches the optional prefix too',
  cb26c2aea1: 'no character stands behind the last, so that nothing begins there',
  // learning/question-only
  e9c1011b0a: 'another name that no word has',
  f45a480067: 'another name that no word has',
  '899fcb1351': 'another name that no word has',
  // strategies
  '047e2b9cfb': 'a vector of length 0 has no entries: every weight is positive',
  '00d54fff0a': 'an equal score replaces itself',
  e92de10b5c: 'sets what the map holds already',
  '7c265aa296': 'counts at a place that does not exist, which nothing reads',
  d94ce8ebe0: 'an equal score replaces itself',
  a3f590cf1e: 'saves time only: without named days no document is meant',
  c989cc84ac: 'no answer of a demonstration has another point than the last',
  '0146c3a3cf': 'only an empty text has no sentence, and all of it is empty too',
  b8d6da753a: 'adds a field that is undefined, which is read as a missing one',
  e00d6f9c06: 'saves time only: no share of common words exceeds 1',
  '6bd2faa720': 'adds an id that no document has to those left out',
  '64dc453803': 'the last round returns before the bound is read again',
  '2fba5ae47e': 'each search after the first has a reason',
  c79b1b16a0: 'references to itself or to a later one are removed when the list is read',
};

/** Digits of a key that name a mutant in reports. */
const KEY_DIGITS = 10;
