/** Reports texts that models embed, to every ingest under way. */

export class ComputedTexts {
  private readonly listeners = new Set<(texts: number) => void>();

  /** Reports texts that a model embedded just now. */
  readonly add = (texts: number): void => {
    for (const listener of this.listeners) listener(texts);
  };

  /** Returns a function that ends the listening. */
  listen(listener: (texts: number) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}
