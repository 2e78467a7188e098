/** Values that people filled into the form of a PDF, and notes that they put on a page. */
import type { PdfLine } from './lines.ts';

/** A field of a form, as the library describes it. */
export interface PdfField {
  readonly name?: string;
  readonly type?: string;
  readonly value?: unknown;
  /** Counted from 0. */
  readonly page?: number;
  readonly hidden?: boolean;
  readonly password?: boolean;
  readonly items?: readonly { readonly displayValue?: string; readonly exportValue?: string }[];
}

/** A note that is shown on a page. */
export interface PdfAnnotation {
  readonly subtype?: string;
  readonly contentsObj?: { readonly str?: string };
}

/** Returns a line for each field that is filled in; passwords and buttons have none. */
export function fieldLines(fields: readonly PdfField[]): PdfLine[] {
  const lines: PdfLine[] = [];
  for (const { name = '', type, value, page = 0, hidden, password, items = [] } of fields) {
    if (hidden || password || !['text', 'combobox', 'listbox'].includes(type ?? '')) continue;
    const shown = [value].flat().map(each => {
      const item = items.find(({ exportValue }) => exportValue === each);
      return String(item?.displayValue ?? each ?? '').trim();
    });
    const text = shown.filter(each => each !== '').join(', ');
    if (text !== '')
      lines.push(lineOf(name === '' ? text : `${name}: ${text}`, page + 1, lines.length));
  }
  return lines;
}

/** Returns a line for each note whose text is drawn on the page. */
export const noteLines = (annotations: readonly PdfAnnotation[], page: number): PdfLine[] =>
  annotations
    .filter(({ subtype }) => subtype === 'FreeText' || subtype === 'Stamp')
    .map(({ contentsObj }, at) => lineOf(contentsObj?.str ?? '', page, at))
    .filter(({ text }) => text !== '');

/** Returns a line below a page, apart from all its text and from other such lines. */
function lineOf(value: string, page: number, at: number): PdfLine {
  const text = value.replace(/\s+/g, ' ').trim().toWellFormed();
  const place = { x: 0, end: 0, y: -1000 * (at + 1) };
  return { text, page, ...place, size: 0, font: '', angle: 0, cells: [] };
}
