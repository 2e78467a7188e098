/** A text whose parts are read at their first use and kept. */
export abstract class ReadOnce {
  readonly text: string;
  private readonly parts = new Map<string, unknown>();

  constructor(text: string) {
    this.text = text;
  }

  protected once<T>(part: string, read: () => T): T {
    if (!this.parts.has(part)) this.parts.set(part, read());
    return this.parts.get(part) as T;
  }
}
