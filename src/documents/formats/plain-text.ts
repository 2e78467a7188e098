/** Plain text: the file is one document, its text unchanged but for line ends. */
import type { Block } from '../../core/corpus/document.ts';
import { oneLine } from '../blocks/block-writer.ts';
import { titleOf } from '../blocks/title.ts';
import { DEBIAN_ENTRY, listsVersions } from '../files/known-names.ts';
import type { Format } from '../format.ts';
import { textFormat } from '../whole-file.ts';
import { looksLikeRst, writeRst } from './rst/rst.ts';

const EXTENSIONS = ['txt', 'text', 'log', 'org', 'tex'];

export const plainText: Format = textFormat({
  name: 'text',
  extensions: EXTENSIONS,
  summary: 'plain text; one document a file, titled by the name of the file',
  write(text, { writer, source: { id } }) {
    if (looksLikeRst(text)) return writeRst(text, writer, id);
    const outline = paragraphs(text);
    const first = outline.find(({ kind }) => kind === 'heading')?.heading[0];
    const title = titleOf(id, listsVersions(id) ? [] : [first], EXTENSIONS);
    return { readable: { title, text, outline } };
  },
});

/**
 * Returns a block for each paragraph; white space before the first belongs to it. A line of its own
 * above a rule of its own length is a heading, as is the first line of an entry of a Debian
 * changelog; anything less certain is none.
 */
function paragraphs(text: string): Block[] {
  const rows = text.split('\n');
  const blocks: Block[] = [];
  const styles: string[] = [];
  let headings: readonly string[] = [];
  let [start, open] = [0, false];
  for (const [number, row] of rows.entries()) {
    const begins = row.trim() !== '' && !open;
    if (begins) {
      const ruled = isRule(rows[number + 1] ?? '', row) && (rows[number + 2] ?? '').trim() === '';
      const rule = ruled || DEBIAN_ENTRY.test(row);
      if (rule) {
        const mark = ruled ? rows[number + 1]![0]! : '';
        if (!styles.includes(mark)) styles.push(mark);
        headings = [...headings.slice(0, styles.indexOf(mark)), oneLine(row)];
      }
      const at = { start: blocks.length === 0 ? 0 : start, heading: headings, line: number + 1 };
      blocks.push(rule ? { ...at, kind: 'heading' } : at);
    }
    open = row.trim() !== '';
    start += row.length + 1;
  }
  return blocks;
}

function isRule(row: string, title: string): boolean {
  return /^([=\-~*#^_])\1{2,}$/.test(row) && row.length === title.length && /\p{L}/u.test(title);
}
