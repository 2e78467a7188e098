/** Declares what an option is, and holds the values on a command line. */
/**
 * The use that a command makes of a path: reads it, adds to it or replaces what is its own
 * (`keeps`: a store, a cache), or writes it anew.
 */
type Access = 'read' | 'keeps' | 'writes';

/** `T`: what its value is read as. */
export interface Option<T = unknown> {
  /** Name without the dashes. */
  readonly name: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** Name of the value in the help, such as `DIR`; a flag has none. */
  readonly value?: string;
  /** Says of a path what the command does with it. */
  readonly access?: Access;
  /** The command writes only with this other option, and otherwise reads. */
  readonly writesWith?: string;
  /** Returns the paths of what the command writes beside it. */
  beside?(path: string): readonly string[];
  /** `integer` is a whole number of at least `min`. */
  readonly type?: 'text' | 'integer';
  readonly min?: number;
  readonly repeatable?: boolean;
  readonly required?: boolean;
  /** Shown in the help. */
  readonly default?: string;
  readonly summary: string;
  /** Reads a value; it stays a text if missing. Throws `InputError`. */
  read?(text: string): T;
}

/** Options of every command. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: 'json', summary: 'print one JSON object (and errors as JSON on stderr)' },
  { name: 'quiet', short: 'q', summary: 'no progress and no notes on stderr' },
  { name: 'verbose', short: 'v', summary: 'notes on stderr even when it is no terminal' },
  { name: 'help', short: 'h', summary: 'show this help' },
];

/** Holds the values of options by name. */
export type Defaults = ReadonlyMap<string, readonly string[]>;

/** Values of options by name. */
export class OptionValues {
  private readonly values: ReadonlyMap<string, readonly string[]>;

  private readonly defaults: ReadonlySet<string>;

  constructor(
    values: ReadonlyMap<string, readonly string[]>,
    defaults: ReadonlySet<string> = new Set(),
  ) {
    this.values = values;
    this.defaults = defaults;
  }

  /** Returns whether the value comes from the configuration, not from the command line. */
  isDefault(name: string): boolean {
    return this.defaults.has(name);
  }

  flag(name: string): boolean {
    return this.values.has(name);
  }

  /** Returns the value, or undefined without the option. */
  text(name: string): string | undefined {
    return this.values.get(name)?.[0];
  }

  /** Returns the value as the option reads it, or undefined without it. */
  get<T>({ name, read }: Option<T>): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : read ? read(text) : (text as T);
  }

  /** Returns every value of a repeatable option, in order. */
  texts(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Returns the value of a required option. */
  required(name: string): string {
    return this.text(name)!;
  }

  /** Returns the number of an integer option, which the parser has checked. */
  integer(name: string, fallback: number): number {
    const text = this.text(name);
    return text === undefined ? fallback : Number(text);
  }
}
