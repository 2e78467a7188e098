/** DOCX: the file is one document, by its styles; read by the optional package `mammoth`. */

import { Zip } from '../files/zip.ts';
import type { Format } from '../format.ts';
import { bytesFormat } from '../whole-file.ts';
import { TooDeep } from './html/blocks.ts';
import { writeBlocks } from './html/html-block.ts';
import { readHtml } from './html/text.ts';

/** Parts that the library reads; it never opens media, whose damage costs no text. */
const READ_PARTS = /\.(?:xml|rels)$/i;

export const docx: Format = bytesFormat({
  name: 'docx',
  extensions: ['docx'],
  needs: { package: 'mammoth', as: 'DOCX' },
  summary: 'Word documents (DOCX) by their styles; needs the package mammoth',
  async write(bytes, { writer, limits, library }) {
    try {
      new Zip(bytes, limits.documentBytes).check(READ_PARTS);
      const { default: mammoth } = library as { readonly default: Mammoth };
      const { blocks } = await readHtml(await htmlOf(mammoth, bytes), { isPiece: true });
      // The HTML is made by the library: its lines are none of the file.
      writeBlocks(writer, blocks, { under: [] });
      return {};
    } catch (error) {
      return refusal(error as Error);
    }
  },
});

function refusal(error: Error): string {
  if (error instanceof TooDeep) return error.message;
  return `not a valid DOCX: ${error.message.replace(/\s+/g, ' ').slice(0, 100)}`;
}

/** The part of `mammoth` that is used. */
interface Mammoth {
  readonly images: { imgElement(convert: () => Promise<object>): unknown };
  convertToHtml(input: object, options: object): Promise<{ readonly value: string }>;
}

async function htmlOf(mammoth: Mammoth, bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
    {
      styleMap: [
        "p[style-name='Title'] => h1:fresh",
        "p[style-name='Caption'] => figcaption:fresh",
      ],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  );
  return value;
}
