/** Makes formats whose file is one document: of a text, or of bytes that a library reads. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Metadata, MetadataValue } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { BlockWriter, type Readable } from './blocks/block-writer.ts';
import { readBytes, readText, type Skipped } from './files/decode.ts';
import type { Limits, Source } from './files/source.ts';
import { type DetectedFormat, type Format, fileDocument } from './format.ts';
import type { LoaderNotes } from './kept-words.ts';

/** Facts that a file states beside its blocks. */
export interface Facts extends LoaderNotes {
  /** Titles that it states outside its text, best first. */
  readonly titles?: readonly (string | undefined)[];
  readonly metadata?: Readonly<Record<string, MetadataValue | undefined>>;
  /** Stands in the place of the blocks that were written. */
  readonly readable?: Readable;
}

/** Takes the blocks of a file, with all they are read with. */
export interface Reading {
  readonly writer: BlockWriter;
  readonly source: Source;
  readonly limits: Limits;
  /** The exports of the package that the format needs. */
  readonly library: unknown;
}

interface WholeFile<Content>
  extends Pick<Format, 'name' | 'extensions' | 'summary' | 'accepts' | 'isIsolated' | 'isBinary'> {
  /** An optional package, and the name of the format in a sentence. */
  readonly needs?: { readonly package: string; readonly as: string };
  /** Writes the blocks of a file; a text is the reason for which there are none. */
  write(content: Content, reading: Reading): Promise<Facts | string> | Facts | string;
}

/** Declares a format of text, which is read with `\n` line ends. */
export const textFormat = (declared: WholeFile<string>): Format =>
  wholeFile(declared, async (source, most) => {
    const text = await readText(source, most);
    return typeof text === 'string' ? text.replace(/\r\n?/g, '\n') : text;
  });

/** Declares a format of bytes, whose files are read in a separate process. */
export const bytesFormat = (declared: WholeFile<Uint8Array>): Format =>
  wholeFile({ isIsolated: true, isBinary: true, ...declared }, readBytes);

function wholeFile<Content extends string | Uint8Array>(
  { needs, write, ...declared }: WholeFile<Content>,
  contentOf: (source: Source, most: number) => Promise<Content | Skipped>,
): Format {
  return {
    ...declared,
    async *read(source, limits) {
      const address = needs && packageAddress(needs.package);
      if (needs && address === undefined) return yield missingPackage(needs);
      const content = await contentOf(source, limits.documentBytes);
      if (isSkipped(content)) return yield { type: 'skipped', reason: content.skipped };
      const writer = new BlockWriter(source.id, declared.extensions);
      const library = address && (await import(address));
      const facts = await write(content, { writer, source, limits, library });
      if (typeof facts === 'string') return yield { type: 'skipped', reason: facts };
      const { titles, metadata, readable = writer.finish(titles) } = facts;
      yield fileDocument(source, readable, defined({ ...metadata } as Metadata), facts);
    },
  };
}

const isSkipped = (content: string | Uint8Array | Skipped): content is Skipped =>
  typeof content === 'object' && 'skipped' in content;

/** Skips a file whose format needs a package that is not installed, with the command for it. */
export const missingPackage = (needs: NonNullable<WholeFile<never>['needs']>): DetectedFormat => ({
  type: 'skipped',
  reason: `${needs.as} needs the package ${needs.package}: npm install ${needs.package}`,
});

/**
 * Returns the address of an optional package, as multihop resolves it, else as the working folder
 * does; undefined if it is not installed.
 */
export function packageAddress(name: string): string | undefined {
  try {
    return import.meta.resolve(name);
  } catch {
    try {
      return pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
    } catch {
      return undefined;
    }
  }
}
