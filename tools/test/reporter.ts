/**
 * The reporter of the tests: a mark a test, then what was skipped and why, then every failure in
 * full, and last `N passed, N failed, N skipped`.
 */
import { isAbsolute, relative, resolve } from 'node:path';

/** The fields of the runner's events that the reporter reads. */
export interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly nesting?: number;
    readonly file?: string;
    readonly line?: number;
    readonly skip?: string | boolean;
    readonly todo?: string | boolean;
    readonly message?: string;
    readonly level?: string;
    readonly details?: {
      readonly type?: string;
      readonly duration_ms?: number;
      readonly error?: RunnerError;
    };
  };
}
type RunnerError = Error & {
  readonly failureType?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
};

const COLUMNS = 100;
const OUTPUT_LINES = 60;
const SLOW_MS = 5000;

/** Ends what the runner says of an error that came after its test had ended. */
const LATE = /triggered an (uncaughtException|unhandledRejection) event/;

/** The counts of a tally, and the texts that it shows at the end. */
export interface Counted {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly skips: readonly (readonly [why: string, names: readonly string[]])[];
  readonly failures: readonly string[];
  readonly notes: readonly string[];
  readonly slow: readonly { readonly ms: number; readonly place: string }[];
}

/** Collects the runner's events; `node --test` calls the default export below with them. */
export class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  private readonly skips = new Map<string, string[]>();
  private readonly failures: string[] = [];
  private readonly notes: string[] = [];
  private readonly slow: { readonly ms: number; readonly place: string }[] = [];
  private readonly output = new Map<string, string[]>();
  private readonly trail: string[] = [];
  private last: string | undefined;

  /** Takes one event in and gives the mark to print for it. */
  take({ type, data }: TestEvent): '' | '.' | 's' | 'F' {
    if (type === 'test:start')
      this.trail.splice(data.nesting ?? 0, Number.POSITIVE_INFINITY, data.name ?? '');
    if (type === 'test:stdout' || type === 'test:stderr') this.keepOutput(data);
    if (type === 'test:diagnostic') return this.diagnostic(data);
    this.last = data.file ?? this.last;
    if (type === 'test:pass') return this.pass(data);
    return type === 'test:fail' ? this.failing(data) : '';
  }

  /** Counts an error after its test, which fails no test; it fails the file in its own process. */
  private diagnostic(data: TestEvent['data']): '' | 'F' {
    if (data.file !== undefined) this.notes.push(`${place(data)} ${data.message}`);
    else if (LATE.test(data.message ?? '')) {
      const name = '(or a file before it in this process): an error after a test ended';
      return this.failure({ file: this.last, name, nesting: 0 }, data.message!);
    }
    return '';
  }

  private pass(data: TestEvent['data']): '' | '.' | 's' | 'F' {
    if (isFile(data)) return this.failure(data, 'This file holds no test.');
    if (given(data.skip)) return this.skip(data, reason(data.skip));
    if (data.details?.type === 'suite') return '';
    if (given(data.todo)) return this.skip(data, `to do: ${reason(data.todo)}`);
    this.passed++;
    const ms = data.details?.duration_ms ?? 0;
    if (ms > SLOW_MS) this.slow.push({ ms, place: `${place(data)} ${data.name}` });
    return '.';
  }

  private failing(data: TestEvent['data']): '' | 's' | 'F' {
    const error = data.details?.error;
    if (given(data.todo)) return this.skip(data, `to do: ${reason(data.todo)}`);
    if (error?.failureType === 'subtestsFailed') {
      // Failures inside were reported already; a test that contains others counts as one too, a
      // suite does not.
      if (data.details?.type !== 'suite') this.failed++;
      return '';
    }
    if (isFile(data))
      return this.failure(
        data,
        `This file ended before its tests did${ending(error)}.\n${this.outputOf(data)}`,
      );
    return this.failure(data, describe(error));
  }

  /** Counts a file as a failure. */
  fail(file: string, why: string): void {
    this.failure({ file, name: file, nesting: 0 }, why);
  }

  private failure(data: TestEvent['data'], text: string): 'F' {
    this.failed++;
    const name = isFile(data)
      ? ''
      : ` ${[...this.trail.slice(0, data.nesting), data.name].join(' > ')}`;
    this.failures.push(`${place(data)}${name}\n${indent(text.trimEnd())}\n`);
    return 'F';
  }

  private skip(data: TestEvent['data'], why: string): 's' {
    this.skipped++;
    const names = this.skips.get(why) ?? [];
    this.skips.set(why, names);
    names.push(`${place(data)} ${data.name}`);
    return 's';
  }

  private keepOutput({ file = '', message = '' }: TestEvent['data']): void {
    const lines = this.output.get(resolve(file)) ?? [];
    this.output.set(resolve(file), lines);
    lines.push(message);
  }

  private outputOf({ file = '' }: TestEvent['data']): string {
    const lines = (this.output.get(resolve(file)) ?? []).join('').split('\n');
    return lines.slice(-OUTPUT_LINES).join('\n');
  }

  /** Counts what another tally counted, in another process if need be. */
  add(other: Counted): void {
    this.passed += other.passed;
    this.failed += other.failed;
    this.skipped += other.skipped;
    for (const [why, names] of other.skips)
      this.skips.set(why, [...(this.skips.get(why) ?? []), ...names]);
    this.failures.push(...other.failures);
    this.notes.push(...other.notes);
    this.slow.push(...other.slow);
  }

  /** Returns what `add` takes: plain values, so that it can be sent. */
  counted(): Counted {
    const { passed, failed, skipped, skips, failures, notes, slow } = this;
    return { passed, failed, skipped, skips: [...skips], failures, notes, slow };
  }

  /** All that is said at the end. */
  summary(): string {
    const parts: string[] = ['\n'];
    for (const [why, names] of this.skips)
      parts.push(`\nSkipped (${why}):\n${names.map(name => `  ${name}\n`).join('')}`);
    if (this.slow.length > 0) {
      const slowest = this.slow
        .sort((a, b) => b.ms - a.ms)
        .map(({ ms, place }) => `  ${(ms / 1000).toFixed(1)} s  ${place}\n`);
      parts.push(`\nSlower than ${SLOW_MS / 1000} s:\n${slowest.join('')}`);
    }
    if (this.notes.length > 0)
      parts.push(`\nNotes:\n${this.notes.map(note => `  ${note}\n`).join('')}`);
    for (const [index, failure] of this.failures.entries())
      parts.push(`\nFailure ${index + 1} of ${this.failures.length}: ${failure}`);
    if (this.passed + this.failed + this.skipped === 0) parts.push('\nNo test was found.\n');
    parts.push(`\n${this.line()}\n`);
    return parts.join('');
  }

  /** The closing line. */
  line(): string {
    return `${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`;
  }

  /** Returns true if something ran and nothing failed. */
  good(): boolean {
    return this.failed === 0 && this.passed + this.skipped > 0;
  }
}

/**
 * Returns true for the event of a whole file, which the runner reports only if it crashed or
 * contained no test.
 */
function isFile(data: TestEvent['data']): boolean {
  return (
    data.nesting === 0 &&
    data.file !== undefined &&
    data.name !== undefined &&
    resolve(data.name) === resolve(data.file)
  );
}

function given(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false;
}

function reason(mark: string | boolean | undefined): string {
  return typeof mark === 'string' && mark !== '' ? mark : 'no reason given';
}

function place({ file, line }: TestEvent['data']): string {
  if (file === undefined) return '(no file)';
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return line === undefined ? path : `${path}:${line}`;
}

function ending(error: RunnerError | undefined): string {
  if (error?.signal) return ` (killed by ${error.signal})`;
  return error?.exitCode === undefined || error.exitCode === null
    ? ''
    : ` (exit code ${error.exitCode})`;
}

/** The error with its message, its difference and its stack, without the runner's own frames. */
function describe(error: RunnerError | undefined): string {
  if (!error) return 'Failed without an error.';
  const wrapped =
    error.failureType === 'testCodeFailure' ||
    error.failureType === 'hookFailed' ||
    error.failureType === 'uncaughtException';
  const chain: string[] = error.failureType === 'hookFailed' ? [error.message] : [];
  let next: unknown = wrapped ? (error.cause ?? error) : error;
  for (let depth = 0; next !== undefined && next !== null && depth < 5; depth++) {
    chain.push(`${depth > 0 ? 'caused by ' : ''}${stackOf(next)}`);
    const { message, cause } = next as { message?: unknown; cause?: unknown };
    next = cause === message ? undefined : cause;
  }
  return chain.join('\n');
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name = 'Error', message = '', stack } = error as Partial<Error>;
  const frames = (stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line) && !/node:internal|node:async_hooks/.test(line));
  return [`${name}: ${message}`, ...frames].join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** The reporter itself: marks as tests end, the summary at the end, and the exit code. */
export default async function* reporter(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string, void> {
  const tally = new Tally();
  let column = 0;
  for await (const event of events) {
    const mark = tally.take(event);
    if (mark === '') continue;
    yield mark;
    if (++column % COLUMNS === 0) yield '\n';
  }
  if (!tally.good()) process.exitCode = 1;
  yield tally.summary();
}
