/** Hints of errors that name options of the caller: a program, or the command line. */

export interface CallerHints {
  /** Suggests embedding the documents of a store by the model of a space. */
  embedDocuments(space: string): string;
  /** Suggests naming the model of a space. */
  nameEmbedder(space: string): string;
  /** Suggests a price for a model. */
  readonly givePrice: string;
}

/** Names the options of `openStore`. */
export const PROGRAM_HINTS: CallerHints = {
  embedDocuments: space =>
    `Embed the documents by it: openStore(path, { embedders: ["${space}"] }), then ingest them`,
  nameEmbedder: space => `Name its model too: embedders: ["${space}"]`,
  givePrice:
    'Give the model a price in US dollars a million tokens: price: { input, output } (0 for a model of your own).',
};
