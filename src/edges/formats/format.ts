/**
 * Declares a file format: a name, its extensions, and a loader that turns a source into documents.
 */
import type { Document } from '../../corpus/document.ts';
import type { Limits, Source } from './source.ts';

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
    }
  | {
      readonly type: 'skipped';
      readonly reason: string;
      readonly line?: number;
      readonly index?: number;
    };

export interface Format {
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly summary: string;
  /** Throws `InputError` for what is malformed; says `skipped` for what is no text. */
  read(source: Source, limits: Limits): AsyncGenerator<DetectedFormat, void, void>;
}

/** A document that a whole file makes. */
export function fileDocument(
  source: Source,
  title: string,
  text: string,
  metadata: Document['metadata'] = {},
): DetectedFormat {
  return {
    type: 'document',
    document: { id: source.id, title: title || fileTitle(source), text, metadata },
    idFrom: 'path',
  };
}

/** The file's name without folder and extension. */
function fileTitle(source: Source): string {
  const name = source.id.slice(source.id.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\.[^.]*$/, '');
}
