/**
 * Declares a command: its arguments and options for parser and help, and the function that runs it.
 */
import type { Option, OptionValues } from './option.ts';
import type { Output } from './output.ts';
import type { Environment } from './style.ts';

export interface Positional {
  /** `PATH`. */
  readonly name: string;
  readonly summary: string;
  /** Allows the argument to be missing. */
  readonly optional?: boolean;
  readonly repeatable?: boolean;
}

export interface Example {
  readonly line: string;
  readonly says: string;
}

/** A terminal that a user writes to and reads from. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export interface CommandContext {
  /** Every command, for the completion by a shell. */
  readonly commands: readonly CommandEntry[];
  readonly positionals: readonly string[];
  readonly options: OptionValues;
  readonly output: Output;
  /** Aborts when the user interrupts, once the command listens. */
  readonly signal: AbortSignal;
  /**
   * Called once there is something to finish at an interrupt: from then on it aborts the signal;
   * before, it ends the process at once.
   */
  listen(): void;
  readonly env: Environment;
  /** Time at which the command began, from which time limits count, on `monotonicClock`. */
  readonly startedAt: number;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Missing unless stdin and stdout are terminals. */
  readonly terminal?: Terminal;
}

export interface Command {
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  /** Names of the options that `--help` shows, between blanks; it leaves others to `--help all`. */
  readonly common?: string;
  readonly examples: readonly Example[];
  /** Paragraphs of the help after the options. */
  readonly notes?: readonly string[];
  /** Milliseconds that it may take to end after an interrupt, if it has more to finish. */
  readonly graceMs?: number;
  /** Returns the exit code. Throws `InputError` and `PortError`. */
  run(context: CommandContext): Promise<number>;
}

/** A command in the list of all, loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

/** A program of several commands. */
export interface Program {
  /** The words that start it. */
  readonly name: string;
  readonly about: string;
  /** Lines that a newcomer may type. */
  readonly first: readonly string[];
  readonly commands: readonly CommandEntry[];
}

/** Exit codes with their meanings, for the help. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'failure'],
  [2, 'wrong usage or wrong input'],
  [3, 'a limit ended the run; its partial result was printed'],
  [4, 'the store cannot be opened'],
  [5, 'the store is full or cannot be written'],
  [
    6,
    'the store was written by another version, with another embedder, or with another text template',
  ],
  [130, 'interrupted'],
];
