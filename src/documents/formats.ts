/** The record of all file formats, and which one a file has. */

import { BINARY, type Skipped } from './files/decode.ts';
import { markOf, wideEncoding } from './files/encoding.ts';
import { isKnownText } from './files/known-names.ts';
import { type Format, recordNamed } from './format.ts';
import { asciidoc, looksLikeAsciidoc } from './formats/asciidoc.ts';
import { csv, tsv } from './formats/csv.ts';
import { docx } from './formats/docx/docx.ts';
import { epub } from './formats/epub/epub.ts';
import { html } from './formats/html/html.ts';
import { json, jsonl } from './formats/json.ts';
import { isManual, man } from './formats/man/man.ts';
import { markdown } from './formats/markdown/markdown.ts';
import { pdf } from './formats/pdf/pdf.ts';
import { plainText } from './formats/plain-text.ts';
import { rst } from './formats/rst/rst.ts';

export const formats: readonly Format[] = [
  plainText,
  markdown,
  html,
  rst,
  asciidoc,
  man,
  json,
  jsonl,
  csv,
  tsv,
  pdf,
  docx,
  epub,
];

/** The format of a name. Throws `InputError('unknown-format')` that names the nearest. */
export const formatNamed = (name: string): Format =>
  recordNamed(formats, name, ['unknown-format', 'format']);

/** Formats that are recognised and not read, with what to do about it. */
const UNREAD: Readonly<Record<string, string>> = {
  doc: 'a Word document of the old format: save it as DOCX',
  odt: 'an OpenDocument text: save it as DOCX or PDF',
  rtf: 'rich text: save it as DOCX or PDF',
};

const extensionOf = (path: string): string => /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Returns the format that has the extension of a path; undefined if there is none. */
export function formatByName(path: string): Format | undefined {
  const extension = extensionOf(path);
  return formats.find(format => format.extensions.includes(extension));
}

/** Returns the beginning of a file, in which ASCII reads as such whatever its encoding is. */
function headText(head: Uint8Array): string {
  const [marked, length] = markOf(head);
  const wide = marked === 'utf-8' ? wideEncoding(head) : marked;
  const bytes = Buffer.from(head.buffer, head.byteOffset + length, head.length - length);
  return wide === undefined ? bytes.toString('latin1') : new TextDecoder(wide).decode(bytes);
}

/**
 * The format by extension, else by content. A file without extension, and any file that the caller
 * names, is plain text where nothing else fits, and so is `changelog.Debian`; any other file
 * with an unknown extension inside a folder is skipped.
 */
export function formatOf(path: string, head: Uint8Array, isRequested: boolean): Format | Skipped {
  const extension = extensionOf(path);
  const text = headText(head);
  const known = formatByName(path);
  if (known === plainText && looksLikeAsciidoc(text)) return asciidoc;
  if (known && known.accepts?.(text) !== false) return known;
  // Sections of manual pages have many names: `.3pm`, `.1ssl`.
  if (/^[1-9n][a-z]*$/.test(extension) && isManual(text)) return man;
  if (text.startsWith('%PDF-')) return pdf;
  const unread = UNREAD[extension];
  if (unread !== undefined) return { skipped: unread };
  if (text.startsWith('PK\u0003') || text.startsWith('PK\u0005'))
    return { skipped: 'binary: an archive or an office file' };
  if (text.includes('\0')) return { skipped: BINARY };
  if (/^\s*(?:\{\s*["}]|\[\s*[{\]])/.test(text)) return json;
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) return html;
  if (isRequested || extension === '' || isKnownText(path))
    return looksLikeAsciidoc(text) ? asciidoc : plainText;
  return { skipped: `unknown extension ".${extension}": name the file itself, or the format` };
}
