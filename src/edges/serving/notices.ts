/** Notes and warnings that a composition reports beside its result. */

/** Receives notes and warnings in words. The output of the command line is one. */
export interface Notices {
  note(text: string): void;
  warn(text: string): void;
}

/** Drops every note and warning. */
export const NO_NOTICES: Notices = { note: () => {}, warn: () => {} };

/** Environment variables by name: `MULTIHOP_MODELS` and the API keys. */
export type Environment = Readonly<Record<string, string | undefined>>;
