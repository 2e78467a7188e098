/** Collects the values of a statement: its text never holds a value. */
export class Sql {
  readonly values: unknown[] = [];

  /** Binds a value and returns its place, such as `$3`. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
