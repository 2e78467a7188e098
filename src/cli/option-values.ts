/** Holds the given options by name, typed as they were declared. */

/** Holds the values of options by name. */
export type Defaults = ReadonlyMap<string, readonly string[]>;

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

  /** Returns the value, or undefined if the option was not given. */
  text(name: string): string | undefined {
    return this.values.get(name)?.[0];
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
