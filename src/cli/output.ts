/** Writes the results of a command to stdout, and everything else to stderr. */
import { monotonicClock } from '../platform/clock.ts';
import { terminalJson } from '../platform/terminal-json.ts';
import { type Advised, inCommandWords } from './command-hints.ts';
import { type Environment, type Style, styleOf, wantsColour } from './style.ts';
import { terminalText } from './terminal-text.ts';

/** The part of a stream that a command uses. */
export interface Sink {
  write(text: string, done?: () => void): unknown;
  /** True if more output is buffered than should be. */
  readonly writableNeedDrain?: boolean | undefined;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface OutputOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Environment;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Milliseconds, by which progress is drawn; those of this machine if missing. */
  readonly clock?: (() => number) | undefined;
}

const MOST_COLUMNS = 100;

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** True if stdout is a terminal. */
  readonly shown: boolean;
  /** True if stderr is a terminal. */
  readonly watched: boolean;
  /** Style of stdout. */
  readonly style: Style;
  /** Style of stderr. */
  readonly noteStyle: Style;
  /** Columns of running text on stdout. */
  readonly width: number;
  /** Columns of stdout; undefined if it is no terminal. */
  readonly columns: number | undefined;
  readonly clock: () => number;
  private readonly isStyled: boolean;
  private readonly areNotesStyled: boolean;
  /** True while a progress line stands on the terminal. */
  private drawn = false;
  private readonly stdout: Sink;
  private readonly stderr: Sink;

  constructor(options: OutputOptions) {
    const { stdout, stderr, env, json, quiet, verbose, clock = monotonicClock } = options;
    this.clock = clock;
    this.stdout = stdout;
    this.stderr = stderr;
    this.json = json;
    this.quiet = quiet;
    this.verbose = verbose;
    this.shown = stdout.isTTY === true;
    this.watched = stderr.isTTY === true;
    this.isStyled = wantsColour(env, stdout.isTTY === true);
    this.areNotesStyled = wantsColour(env, stderr.isTTY === true);
    this.style = styleOf(this.isStyled);
    this.noteStyle = styleOf(this.areNotesStyled);
    this.columns = stdout.isTTY ? stdout.columns : undefined;
    this.width = Math.max(40, Math.min(MOST_COLUMNS, this.columns || 80));
  }

  /** Writes a line of the result. */
  line(text = ''): void {
    this.clear();
    this.stdout.write(`${this.result(text)}\n`);
  }

  /** Writes a part of the result as it comes, without a line end. */
  part(text: string): void {
    this.stdout.write(this.result(text));
  }

  /**
   * Writes a line that programs read as it is, such as one of a trace whose hash counts every
   * character; to a terminal it escapes what that would act on.
   */
  verbatim(text: string): void {
    this.stdout.write(`${this.shown ? terminalJson(text) : text}\n`);
  }

  /** Writes the object of `--json`. */
  object(value: unknown): void {
    this.stdout.write(`${terminalJson(JSON.stringify(value, undefined, 2))}\n`);
  }

  /** Writes an object of `--json` on one line, for a command that prints several. */
  record(value: unknown): void {
    this.stdout.write(`${terminalJson(JSON.stringify(value))}\n`);
  }

  /**
   * Waits until a slow pipe has taken enough output, so that a long result does not gather in
   * memory.
   */
  async taken(): Promise<void> {
    if (this.stdout.writableNeedDrain)
      await new Promise<void>(resolve => this.stdout.write('', () => resolve()));
  }

  /** Writes a line to stderr, unless --quiet. */
  note(text: string): void {
    if (this.quiet) return;
    this.clear();
    this.stderr.write(`${this.message(text)}\n`);
  }

  /** Writes a line to stderr if it is a terminal, or with --verbose. */
  detail(text: string): void {
    if (this.verbose || (this.watched && !this.json)) this.note(text);
  }

  /** Writes a warning; names options of the command line in place of the advice. */
  warn(text: string, advice?: Advised): void {
    this.note(`${this.noteStyle.yellow('warning:')} ${inCommandWords(text, advice)}`);
  }

  /** Writes text over the progress line; the empty text removes the line. */
  draw(text: string): void {
    if (this.quiet) return;
    this.stderr.write(`\r\u001b[K${this.message(text)}`);
    this.drawn = text !== '';
  }

  /** Writes an error, even with --quiet. */
  error(text: string): void {
    this.clear();
    this.stderr.write(`${this.message(text)}\n`);
  }

  /** Whatever is printed stands on a separate line. */
  private clear(): void {
    if (this.drawn) this.draw('');
  }

  private result(text: string): string {
    return terminalText(text, this.isStyled, true);
  }

  private message(text: string): string {
    return terminalText(text, this.areNotesStyled);
  }
}
