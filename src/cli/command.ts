/**
 * Declares a command: its arguments and options for parser and help, and the function that runs it.
 */
import { DEFAULT_STORE } from './default-store.ts';
import type { OptionValues } from './option-values.ts';
import type { Output } from './output.ts';
import type { Environment } from './style.ts';
import type { PathAccess } from './written-files.ts';

export interface Option {
  /** Name without the dashes. */
  readonly name: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** Name of the value in the help, such as `DIR`; a flag has none. */
  readonly value?: string;
  /** Says of a path what the command does with it; without it a configuration replaces nothing. */
  readonly access?: PathAccess;
  /** `integer` is a whole number of at least `min`. */
  readonly type?: 'text' | 'integer';
  readonly min?: number;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** Shown in the help. */
  readonly default?: string;
  readonly summary: string;
}

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
  /** Missing unless both stdin and stdout are one. */
  readonly terminal?: Terminal;
}

export interface Command {
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
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

/** Options of every command. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: 'json', summary: 'print one JSON object (and errors as JSON on stderr)' },
  { name: 'quiet', short: 'q', summary: 'no progress and no notes on stderr' },
  { name: 'verbose', short: 'v', summary: 'notes on stderr even when it is no terminal' },
  { name: 'help', short: 'h', summary: 'show this help' },
];

export const STORE_OPTION: Option = {
  name: 'store',
  value: 'DIR',
  access: 'read',
  default: DEFAULT_STORE,
  summary: 'the folder of the store',
};
