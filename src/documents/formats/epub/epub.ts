/** EPUB: the book is one document, its chapters in reading order below their headings. */
import type { BlockWriter } from '../../blocks/block-writer.ts';
import { BadZip, Zip } from '../../files/zip.ts';
import type { Format } from '../../format.ts';
import { isoTime } from '../../records/record.ts';
import { bytesFormat, type Facts } from '../../whole-file.ts';
import { TooDeep } from '../html/blocks.ts';
import { type HtmlBlock, writeBlocks } from '../html/html-block.ts';
import { readHtml } from '../html/text.ts';
import { type EpubPackage, readPackage, textOf } from './package.ts';

export const epub: Format = bytesFormat({
  name: 'epub',
  extensions: ['epub'],
  summary: 'e-books (EPUB 2 and 3) without copy protection; headings also from their contents',
  async write(bytes, { writer, limits }) {
    try {
      const zip = new Zip(bytes, limits.documentBytes);
      const book = await readPackage(zip);
      const { unread, visibleText } = await writeChapters(zip, book, writer);
      if (writer.size === 0 && unread[0])
        return `an EPUB that cannot be read: ${unread[0]}`.slice(0, REASON);
      return { titles: [book.title], metadata: metadataOf(book, unread), visibleText };
    } catch (error) {
      if (error instanceof BadZip) return `not a valid EPUB: ${error.message}`.slice(0, REASON);
      throw error;
    }
  },
});

/** Most characters of a reason, which may hold a name of the archive. */
const REASON = 160;

interface Written {
  /** Says for each chapter that cannot be read why not. */
  readonly unread: readonly string[];
  readonly visibleText: string;
}

/** Writes what can be read. */
async function writeChapters(zip: Zip, book: EpubPackage, writer: BlockWriter): Promise<Written> {
  const unread: string[] = [];
  const visible: string[] = [];
  for (const name of book.chapters)
    try {
      if (book.encrypted.has(name)) throw new BadZip(`${name} is encrypted`);
      const page = await readHtml(textOf(zip, name), { xml: true, isPiece: true });
      visible.push(page.visibleText);
      writeChapter(page.blocks, name, book, writer);
    } catch (error) {
      if (!(error instanceof BadZip || error instanceof TooDeep)) throw error;
      unread.push(error.message.slice(0, REASON));
    }
  return { unread, visibleText: visible.join('\n') };
}

function writeChapter(
  blocks: readonly HtmlBlock[],
  name: string,
  { contents, navigation }: EpubPackage,
  writer: BlockWriter,
): void {
  const entry = contents.get(name);
  // A table of contents may stand in a page with more; its heading alone says nothing.
  if (name === navigation && blocks.every(({ measures }) => measures.prose === 0)) return;
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
): Facts['metadata'] {
  return {
    author: authors.join(', ') || undefined,
    published_at: date && isoTime(date),
    language,
    incomplete:
      unread[0] && `${unread.length} of ${chapters.length} chapters cannot be read: ${unread[0]}`,
  };
}
