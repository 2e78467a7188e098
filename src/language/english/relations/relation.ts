/** Declares relations, and makes their patterns. */
export type ValueKind = 'name' | 'time' | 'number' | 'adjective' | 'noun';

export interface Relation {
  readonly name: string;
  readonly asks: RegExp;
  /** True if its value is a person or thing of its own, which further relations may start from. */
  readonly leads: boolean;
  readonly kinds: readonly ValueKind[];
  readonly before: readonly RegExp[];
  readonly after: readonly RegExp[];
  /** True if the first sentence of a passage alone states it in this form. */
  readonly lead?: readonly RegExp[];
}

/** Makes patterns of the text before a value. */
export const before = (...sources: readonly string[]): RegExp[] =>
  sources.map(source => new RegExp(`${source}$`, 'u'));
/** Makes patterns of the text after a value. */
export const after = (...sources: readonly string[]): RegExp[] =>
  sources.map(source => new RegExp(`^${source}`, 'u'));
