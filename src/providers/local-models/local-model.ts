/** Describes a model that is known on this machine. */
import type { Kind } from '../model-servers.ts';

export interface LocalModel {
  /** The name that options take, such as `gguf:model.gguf`. */
  readonly name: string;
  readonly kind: Kind;
  readonly bytes?: number | undefined;
  readonly licence?: string | undefined;
  readonly contextTokens?: number | undefined;
  /** Address of its server. */
  readonly address?: string | undefined;
}

/** A text that is no name of a licence is the licence itself: its first words name it. */
const LONGEST_LICENCE = 60;

export function licenceName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const line = text.trim().split('\n', 1)[0]!.trim();
  return line === '' ? undefined : line.slice(0, LONGEST_LICENCE);
}

export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
