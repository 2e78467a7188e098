/** Notes and warnings that a composition reports beside its result. */
import type { Remedy } from '../core/errors.ts';

/** Receives notes and warnings in words. The output of the command line does. */
export interface Notices {
  note(text: string): void;
  /** `advice` holds the hint that ends the text, for a caller that words it in its own terms. */
  warn(text: string, advice?: Advice): void;
}

export interface Advice {
  readonly hint: string;
  readonly remedy?: Remedy;
}

/** Drops every note and warning. */
export const NO_NOTICES: Notices = { note: () => {}, warn: () => {} };

/** Environment variables by name: `MULTIHOP_MODELS` and the API keys. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Passes notes of a model on; without notices they are warnings of the process. */
export const notesTo = (
  notices: Notices | undefined,
): { readonly onNote?: (text: string) => void } =>
  notices ? { onNote: text => notices.note(text) } : {};
