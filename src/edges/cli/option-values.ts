/** The options that were given, by name, as the types that they were declared with. */
export class OptionValues {
  private readonly values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.values = values;
  }

  flag(name: string): boolean {
    return this.values.has(name);
  }

  /** The value, or undefined when the option was not given. */
  text(name: string): string | undefined {
    return this.values.get(name)?.[0];
  }

  /** Every value of a repeatable option, in order. */
  texts(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** A required option's value. */
  required(name: string): string {
    return this.text(name)!;
  }

  /** The parser has checked that it is a whole number. */
  integer(name: string, fallback: number): number {
    const text = this.text(name);
    return text === undefined ? fallback : Number(text);
  }
}
