/** Where a command speaks: answers on stdout, everything else on stderr. */
import { type Environment, type Style, styleOf, wantsColour } from './style.ts';

/** A stream as far as a command uses it. */
export interface Sink {
  write(text: string, done?: () => void): unknown;
  /** Whether more waits in memory than it should. */
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
}

const MOST_COLUMNS = 100;

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether somebody is watching stderr. */
  readonly watched: boolean;
  /** For stdout. */
  readonly style: Style;
  /** For stderr. */
  readonly noteStyle: Style;
  /** Columns of stdout. */
  readonly width: number;
  private readonly stdout: Sink;
  private readonly stderr: Sink;

  constructor({ stdout, stderr, env, json, quiet, verbose }: OutputOptions) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.json = json;
    this.quiet = quiet;
    this.verbose = verbose;
    this.watched = stderr.isTTY === true;
    this.style = styleOf(wantsColour(env, stdout.isTTY === true));
    this.noteStyle = styleOf(wantsColour(env, stderr.isTTY === true));
    this.width = Math.max(
      40,
      Math.min(MOST_COLUMNS, (stdout.isTTY ? stdout.columns : undefined) ?? 80),
    );
  }

  /** A line of the answer. */
  line(text = ''): void {
    this.stdout.write(`${text}\n`);
  }

  /** The one object of `--json`. */
  object(value: unknown): void {
    this.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
  }

  /**
   * When enough of the answer was taken: a long one does not gather in memory before a slow pipe.
   */
  async taken(): Promise<void> {
    if (this.stdout.writableNeedDrain)
      await new Promise<void>(resolve => this.stdout.write('', () => resolve()));
  }

  /** A line beside the answer. */
  note(text: string): void {
    if (!this.quiet) this.stderr.write(`${text}\n`);
  }

  /** A line beside the answer for those who watch. */
  detail(text: string): void {
    if (this.verbose || (this.watched && !this.json)) this.note(text);
  }

  warn(text: string): void {
    this.note(`${this.noteStyle.yellow('warning:')} ${text}`);
  }

  /** Text without a line end, for a progress line that is drawn over. */
  draw(text: string): void {
    if (!this.quiet) this.stderr.write(text);
  }

  /** An error is never quiet. */
  error(text: string): void {
    this.stderr.write(`${text}\n`);
  }
}
