/** DOCX: the file is one document, by its styles; read by the optional package `mammoth`. */

import { Zip } from '../../files/zip.ts';
import type { Format } from '../../format.ts';
import { bytesFormat } from '../../whole-file.ts';
import { TooDeep } from '../html/blocks.ts';
import { writeBlocks } from '../html/html-block.ts';
import { readHtml } from '../html/text.ts';
import { withHeads } from './heads.ts';
import { Numbering } from './numbering.ts';
import { otherParts } from './other-parts.ts';
import { withNumbers } from './paragraph-numbers.ts';
import { Insertions, withShownParts } from './shown-parts.ts';

export const docx: Format = bytesFormat({
  name: 'docx',
  extensions: ['docx'],
  needs: { package: 'mammoth', as: 'DOCX' },
  summary: 'Word documents (DOCX) by their styles; needs the package mammoth',
  async write(bytes, { writer, limits, library }) {
    try {
      const parts = new DocumentParts(new Zip(bytes, limits.documentBytes));
      const { default: mammoth } = library as { readonly default: Mammoth };
      const { blocks } = await readHtml(await htmlOf(mammoth, parts), { isPiece: true });
      // The HTML is made by the library: its lines are none of the file.
      writeBlocks(writer, blocks, { under: [] });
      return { notes: parts.notes() };
    } catch (error) {
      return refusal(error as Error);
    }
  },
});

function refusal(error: Error): string {
  if (error instanceof TooDeep) return error.message;
  return `not a valid DOCX: ${error.message.replace(/\s+/g, ' ').slice(0, 100)}`;
}

/** The files of a document, each read once and within a limit; damage of media costs no text. */
class DocumentParts {
  private readonly zip: Zip;
  private readonly texts = new Map<string, string>();

  constructor(zip: Zip) {
    this.zip = zip;
  }

  get names(): readonly string[] {
    return this.zip.names;
  }

  has(name: string): boolean {
    return this.zip.has(name);
  }

  text(name: string): string {
    const known = this.texts.get(name);
    if (known !== undefined) return known;
    const text = new TextDecoder().decode(this.zip.read(name));
    this.texts.set(name, text);
    return text;
  }

  bytes(name: string): Uint8Array {
    return this.zip.read(name);
  }

  /** Says what a reader of the document sees that its text does not hold. */
  notes(): string[] {
    const comments = this.has(COMMENTS)
      ? this.text(COMMENTS).split(/<w:comment[ >]/).length - 1
      : 0;
    return comments === 0 ? [] : [`${comments} comments of its reviewers are left out`];
  }
}

const COMMENTS = 'word/comments.xml';
const NUMBERING = 'word/numbering.xml';
/** Parts that hold paragraphs; the library finds them by other names too. */
const SHOWN = /<w:(?:document|footnotes|endnotes)\b/;

/** The part of `mammoth` that is used. */
interface Mammoth {
  readonly images: { imgElement(convert: () => Promise<object>): unknown };
  convertToHtml(input: object, options: object): Promise<{ readonly value: string }>;
}

async function htmlOf(mammoth: Mammoth, parts: DocumentParts): Promise<string> {
  const { Parser } = await import('htmlparser2');
  const insertions = new Insertions();
  const optional = (name: string): string => (parts.has(name) ? parts.text(name) : '');
  const numbered = (text: string): string => {
    if (!parts.has(NUMBERING) || !text.includes('<w:body')) return text;
    const numbering = new Numbering(parts.text(NUMBERING), optional('word/styles.xml'), Parser);
    return withNumbers(text, numbering, Parser, number => insertions.numberRun(number));
  };
  const shown = (text: string): string =>
    SHOWN.test(text) ? withShownParts(numbered(text), insertions, Parser) : text;
  const file = {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: string) =>
      encoding === undefined ? parts.bytes(name) : shown(parts.text(name)),
  };
  const { value } = await mammoth.convertToHtml(
    { file },
    {
      styleMap: [
        "p[style-name='Title'] => h1:fresh",
        "p[style-name='Caption'] => figcaption:fresh",
      ],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      transformDocument: withHeads,
    },
  );
  return (
    insertions.into(value.replace(BACK, '').replace(BOX, boxText)) +
    otherParts(parts.names, name => parts.text(name), Parser)
  );
}

/** Leads from a note back to its text. */
const BACK = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;
const BOX = /<input type="checkbox"( checked="checked")?\s*\/?>/g;
const boxText = (_: string, checked: string | undefined): string => (checked ? '[x] ' : '[ ] ');
