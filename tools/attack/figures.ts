/** Counts what an attack on stores met, and prints it as a table. */

/** The faults that an attack looks for, and the number of each that it found. */
export interface Faults {
  /** Acknowledged writes that are gone or changed. */
  lost: number;
  /** States, or answers of an undamaged store, that no sequence of whole writes leads to. */
  wrong: number;
  /** Errors without a code, ends of a process that nobody asked for, and "a bug in multihop". */
  crashes: number;
  /** Damages after which another answer was given without an error. */
  undetected: number;
  /** Errors with a code that do not name the damaged file. */
  unnamed: number;
  hangs: number;
}

export interface Figures extends Faults {
  kills: number;
  /** Kills of `multihop ingest`; the others are of programs that use `openStore`. */
  killsOfCommands: number;
  acknowledged: number;
  damages: number;
  /** Damages after which the answer was that of the undamaged file. */
  right: number;
  /** Damages that an error with a code reported, with the name of the file. */
  reported: number;
  seconds: number;
  /** The first faults in words, with what reproduces them. */
  readonly found: string[];
}

const FAULTS = ['lost', 'wrong', 'crashes', 'undetected', 'unnamed', 'hangs'] as const;
const MOST_FOUND = 50;

export function noFigures(): Figures {
  return {
    kills: 0,
    killsOfCommands: 0,
    acknowledged: 0,
    damages: 0,
    right: 0,
    reported: 0,
    lost: 0,
    wrong: 0,
    crashes: 0,
    undetected: 0,
    unnamed: 0,
    hangs: 0,
    seconds: 0,
    found: [],
  };
}

/** Adds the figures of a part of the attack. */
export function add(figures: Figures, part: Partial<Figures>): void {
  for (const [name, value] of Object.entries(part))
    if (typeof value === 'number') figures[name as keyof Faults] += value;
  figures.found.push(...(part.found ?? []).slice(0, MOST_FOUND - figures.found.length));
}

export function fault(figures: Figures, kind: keyof Faults, place: string, what: string): void {
  add(figures, { [kind]: 1, found: [`${kind}: ${place}: ${what.slice(0, 1000)}`] });
}

export const faultsOf = (figures: Figures): number =>
  FAULTS.reduce((sum, kind) => sum + figures[kind], 0);

export function tableOf(figures: Figures): string {
  const rows = Object.entries(figures).filter(([, value]) => typeof value === 'number');
  const width = Math.max(...rows.map(([name]) => name.length));
  const text = rows.map(
    ([name, value]) =>
      `${name.padEnd(width)}  ${Math.round(value as number)
        .toLocaleString('en')
        .padStart(9)}`,
  );
  return [...text, ...figures.found].join('\n');
}
