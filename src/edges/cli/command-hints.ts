/** Hints of errors that name options of the command line. */
import type { CallerHints } from '../serving/caller-hints.ts';

export const COMMAND_HINTS: CallerHints = {
  embedDocuments: space =>
    `Embed the documents by it: multihop ingest PATH... --store DIR --embedder ${space}`,
  nameEmbedder: space => `Name its model too: --embedder ${space}`,
  givePrice:
    'Give --price in=USD,out=USD (0 for a model of your own) or --price FILE; for a judge --judge-price.',
};
