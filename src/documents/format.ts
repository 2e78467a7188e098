/**
 * Declares a file format: a name, its extensions, and a loader that turns a source into documents.
 */
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { Readable } from './blocks/block-writer.ts';
import type { Limits, Source } from './files/source.ts';
import { type KeptWords, keptWords, type LoaderNotes } from './kept-words.ts';

/**
 * A document, or something that a loader does not read, with the reason. `line` from 1, if the
 * format has lines.
 */
export type DetectedFormat =
  | {
      readonly type: 'document';
      readonly document: Document;
      readonly idFrom: 'field' | 'path' | 'content';
      readonly line?: number;
      readonly index?: number;
      /** Missing for records, which leave nothing out. */
      readonly words?: KeptWords;
      readonly notes?: readonly string[] | undefined;
    }
  | {
      readonly type: 'skipped';
      readonly reason: string;
      /** The error that a strict reading throws instead. */
      readonly error?: InputError;
      readonly line?: number;
      readonly index?: number;
    };

/** Tells of a file or line that it skips. */
export interface SkippedEvent {
  readonly type: 'skipped';
  readonly path: string;
  /** From 1, where the format has lines. */
  readonly line?: number;
  readonly reason: string;
}

export interface Format {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly summary: string;
  /** True if files of it are read in a separate process, which may end alone. */
  readonly isIsolated?: boolean;
  /**
   * Tells by a file's beginning whether it is of this format, where others use the extension too.
   */
  readonly accepts?: (head: string) => boolean;
  /** True if its bytes are no text, which other formats get as UTF-8. */
  readonly isBinary?: true;
  /** True if a file holds records, which may state ids. */
  readonly records?: true;
  /**
   * Throws `InputError` for what is malformed, `Unreadable` for what it does not read; says
   * `skipped` for what is no text.
   */
  read(source: Source, limits: Limits): AsyncGenerator<DetectedFormat, void, void>;
}

/** Returns the document that a whole file makes; one without text is skipped. */
export function fileDocument(
  { id }: Pick<Source, 'id'>,
  { title, text, outline }: Readable,
  metadata: Document['metadata'] = {},
  said: LoaderNotes = {},
): DetectedFormat {
  if (text === '')
    return { type: 'skipped', reason: ['no readable text', ...(said.notes ?? [])].join('; ') };
  const document = { id, title, text, metadata, outline };
  const words = keptWords(document, said);
  return { type: 'document', document, idFrom: 'path', words, notes: said.notes };
}

/** Returns the record of a name. Throws `InputError` with the nearest names as a hint. */
export function recordNamed<T extends { readonly name: string }>(
  records: readonly T[],
  name: string,
  [code, noun]: readonly [code: 'unknown-format' | 'unknown-data-set', noun: string],
): T {
  const found = records.find(record => record.name === name);
  if (found) return found;
  const names = records.map(record => record.name);
  throw new InputError(code, `There is no ${noun} "${name}"`, {
    expected: `one of ${names.join(', ')}`,
    hint: didYouMean(name, names) || undefined,
  });
}
