/** Keeps the results of mutants in a file, so that a run that was interrupted goes on. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './mutants.ts';

/**
 * `compiled` and `uncompiled` are the type check's, before any test; `passed` is that of one test
 * file, and of no other.
 */
export type Outcome = 'killed' | 'survived' | 'passed' | 'compiled' | 'uncompiled';

export interface Result {
  readonly key: string;
  /** SHA-256 of the mutated file's text. */
  readonly file: string;
  readonly outcome: Outcome;
  /** The test file that killed it, or that passed. */
  readonly by?: string;
  /** Hash of the sources and tests that a survivor survived; of the text of a test that passed. */
  readonly against: string;
}

export class Results {
  private readonly path: string;
  private readonly byKey = new Map<string, Result>();
  private readonly passes = new Set<string>();

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const result = parsed(line);
      if (result) this.know(result);
    }
  }

  /**
   * Returns the result of a mutant of this text. A survivor is tried again once any source or test
   * changed, by tests of another text than those that passed; a killed mutant is not, since tests
   * are assumed to grow.
   */
  of({ key, file }: Mutant, against: string): Result | undefined {
    const result = this.byKey.get(key);
    if (result?.file !== file) return undefined;
    const { outcome } = result;
    return outcome === 'killed' || (outcome === 'survived' && result.against === against)
      ? result
      : undefined;
  }

  /** Returns true or false by the type check; undefined if it has not checked the mutant yet. */
  compiles({ key, file }: Mutant): boolean | undefined {
    const result = this.byKey.get(key);
    return result?.file === file ? result.outcome !== 'uncompiled' : undefined;
  }

  /** Returns true if the test file of this text passed on the mutant. */
  passed({ key, file }: Mutant, by: string, text: string): boolean {
    return this.passes.has(pass({ key, file, by, against: text }));
  }

  private know(result: Result): void {
    if (result.outcome === 'passed') this.passes.add(pass(result));
    else this.byKey.set(result.key, result);
  }

  add(result: Result): void {
    this.know(result);
    appendFileSync(this.path, `${JSON.stringify(result)}\n`);
  }
}

const pass = ({ key, file, by, against }: Omit<Result, 'outcome'>): string =>
  JSON.stringify([key, file, by, against]);

/** Returns undefined for a line that was cut off. */
function parsed(line: string): Result | undefined {
  try {
    return JSON.parse(line) as Result;
  } catch {
    return undefined;
  }
}

/** 95 % Wilson score interval of a share (Wilson, JASA 1927, doi 10.2307/2276774). */
export function wilson(part: number, whole: number): readonly [low: number, high: number] {
  if (whole === 0) return [0, 1];
  const z = 1.959964;
  const share = part / whole;
  const middle = share + (z * z) / (2 * whole);
  const half = z * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  const scale = 1 + (z * z) / whole;
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)];
}
