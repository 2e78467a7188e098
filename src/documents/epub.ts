/** EPUB: the book is one document, its chapters in reading order below their headings. */
import type { Metadata } from '../core/corpus/document.ts';
import { BlockWriter } from './block-writer.ts';
import { readHead } from './decode.ts';
import { type ContentsEntry, type EpubPackage, readPackage, textOf } from './epub-package.ts';
import { type DetectedFormat, type Format, fileDocument } from './format.ts';
import { TooDeep, writeBlocks } from './html-blocks.ts';
import { readHtml } from './html-text.ts';
import { isoTime } from './record.ts';
import { type Limits, printBytes, type Source } from './source.ts';
import { BadZip, Zip } from './zip.ts';

export const epub: Format = {
  name: 'epub',
  extensions: ['epub'],
  isIsolated: true,
  summary: 'e-books (EPUB 2 and 3) without copy protection; headings also from their contents',
  async *read(source, limits) {
    yield await readEpub(source, limits);
  },
};

/** Most characters of a reason, which may hold a name of the archive. */
const REASON = 160;
const skipped = (reason: string): DetectedFormat => ({
  type: 'skipped',
  reason: reason.slice(0, REASON),
});

async function readEpub(source: Source, { documentBytes }: Limits): Promise<DetectedFormat> {
  const bytes = await readHead(source, documentBytes + 1);
  if (bytes.length > documentBytes) return skipped(`larger than ${printBytes(documentBytes)}`);
  try {
    const zip = new Zip(bytes, documentBytes);
    const book = await readPackage(zip);
    const writer = new BlockWriter(source.id);
    const unread = await writeChapters(zip, book, writer);
    if (writer.size === 0)
      return skipped(unread[0] ? `an EPUB that cannot be read: ${unread[0]}` : 'no readable text');
    return fileDocument(source, writer.finish([book.title]), metadataOf(book, unread));
  } catch (error) {
    if (error instanceof BadZip) return skipped(`not a valid EPUB: ${error.message}`);
    throw error;
  }
}

/** Writes what can be read; returns for each other chapter why not. */
async function writeChapters(zip: Zip, book: EpubPackage, writer: BlockWriter): Promise<string[]> {
  const unread: string[] = [];
  for (const name of book.chapters)
    try {
      if (book.encrypted.has(name)) throw new BadZip(`${name} is encrypted`);
      await writeChapter(textOf(zip, name), book.contents.get(name), writer);
    } catch (error) {
      if (!(error instanceof BadZip || error instanceof TooDeep)) throw error;
      unread.push(error.message.slice(0, REASON));
    }
  return unread;
}

async function writeChapter(
  text: string,
  entry: ContentsEntry | undefined,
  writer: BlockWriter,
): Promise<void> {
  const { blocks } = await readHtml(text, { xml: true });
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  const isNamed =
    blocks[0]?.kind === 'heading' || headings.some(heading => heading.text.trim() === entry?.label);
  // A chapter without its heading would seem to go on with the one before.
  if (entry && blocks.length > 0 && !isNamed) writer.heading(entry.level, entry.label);
  // Lines are those of a file in the archive, and links lead to such files.
  writeBlocks(
    writer,
    blocks.map(block => ({ ...block, links: [] })),
    { under: [] },
  );
}

function metadataOf(
  { authors, date, language, chapters }: EpubPackage,
  unread: readonly string[],
): Metadata {
  const time = date === undefined ? undefined : isoTime(date);
  return {
    ...(authors.length > 0 ? { author: authors.join(', ') } : {}),
    ...(time === undefined ? {} : { published_at: time }),
    ...(language === undefined ? {} : { language }),
    ...(unread.length > 0
      ? {
          incomplete: `${unread.length} of ${chapters.length} chapters cannot be read: ${unread[0]}`,
        }
      : {}),
  };
}
