/** Makes PDF and Word documents and books for tests. */
import { type Packed, zipOf } from './zip-archive.ts';

/** A line of a page: font size, distance below the line above, text. */
export type Line = readonly [size: number, down: number, text: string];

/** Returns a PDF of these pages. */
export function pdfOf(pages: readonly (readonly Line[])[], info: string = ''): Buffer {
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]>>`,
    FONT,
    `<<${info}>>`,
    ...pages.flatMap((lines, at) => {
      const shown = lines.map(([size, down, text]) => `/F1 ${size} Tf 0 -${down} Td (${text}) Tj`);
      return [pageWith(6 + 2 * at), streamOf(`BT 50 780 Td ${shown.join(' ')} ET`)];
    }),
  ]);
}

/** A text of a page: its left end, its baseline from the foot of the page, font size, text. */
export type Placed = readonly [x: number, y: number, size: number, text: string];

/** Returns a PDF whose pages draw these texts in this order; Latin-1 is what their font has. */
export const pdfOfPlaced = (pages: readonly (readonly Placed[])[]): Buffer =>
  pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${5 + 2 * at} 0 R`).join(' ')}]>>`,
    FONT,
    '<<>>',
    ...pages.flatMap((texts, at) => {
      const shown = texts.map(
        ([x, y, size, text]) =>
          `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`,
      );
      return [pageWith(6 + 2 * at), streamOf(shown.join(' '))];
    }),
  ]);

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const pageWith = (contents: number): string =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents ${contents} 0 R>>`;

/** Returns a PDF whose pages all show one stream. */
export function pdfOfStream(
  contents: string | Uint8Array,
  filters: readonly string[] = [],
  { pages = 1 }: { readonly pages?: number } = {},
): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${7 + at} 0 R`);
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`,
    FONT,
    '<<>>',
    'null',
    streamOf(contents, `/Filter[${filters.map(name => `/${name}`).join('')}]`),
    ...kids.map(() => pageWith(6)),
  ]);
}

export function streamOf(contents: string | Uint8Array, entries: string = ''): string {
  const bytes = Buffer.from(contents as string).toString('latin1');
  return `<<${entries}/Length ${bytes.length}>>stream\n${bytes}\nendstream`;
}

/** Returns a PDF of these objects, of which the first is the catalogue and the fourth its facts. */
export function pdfOfObjects(objects: readonly string[]): Buffer {
  const parts = ['%PDF-1.4\n'];
  let size = parts[0]!.length;
  const offsets = objects.map((object, at) => {
    const part = `${at + 1} 0 obj\n${object}\nendobj\n`;
    const offset = size;
    parts.push(part);
    size += part.length;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  parts.push(`xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`);
  parts.push(`trailer<</Size ${count}/Root 1 0 R/Info 4 0 R>>\nstartxref\n${size}\n%%EOF`);
  return Buffer.from(parts.join(''), 'latin1');
}

export const paragraph = (text: string, style: string = ''): string =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** Returns a Word document with this body, and with other parts. */
export function docxOf(
  body: string,
  document: Partial<Packed> = {},
  parts: Readonly<Record<string, Packed>> = {},
): Buffer {
  const styles = ['Title', 'Heading1']
    .map(
      id =>
        `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id.replace('g1', 'g 1')}"/></w:style>`,
    )
    .join('');
  const main = 'http://schemas.openxmlformats.org';
  const word = `xmlns:w="${main}/wordprocessingml/2006/main"`;
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${main}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${main}/package/2006/relationships"><Relationship Id="r1" Type="${main}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${main}/package/2006/relationships"><Relationship Id="r2" Type="${main}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`,
    'word/document.xml': {
      content: `<w:document ${word}><w:body>${body}</w:body></w:document>`,
      ...document,
    },
    ...parts,
  });
}

/** The beginning of a page of XHTML. */
export const PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>';
/** Returns a book of one chapter. */
export const epubOf = (body: string): Buffer =>
  zipOf({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf':
      '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': `${PAGE}${body}</body></html>`,
  });
