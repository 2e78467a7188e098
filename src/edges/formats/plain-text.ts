/** Plain text: the file is one document, its text unchanged but for line ends. */
import type { Block } from '../../corpus/document.ts';
import { asciidocDocument, looksLikeAsciidoc } from './asciidoc.ts';
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { looksLikeRst, rstDocument } from './rst.ts';
import { titleOf } from './title.ts';

export const plainText: Format = {
  name: 'text',
  extensions: ['txt', 'text', 'log', 'org', 'tex'],
  summary: 'plain text; one document a file, titled by the name of the file',
  async *read(source, limits) {
    const given = await readDocumentText(source, limits);
    if (typeof given !== 'string') return yield { type: 'skipped', reason: given.skipped };
    const text = given.replace(/\r\n?/g, '\n');
    if (looksLikeAsciidoc(text)) return yield asciidocDocument(source, text);
    if (looksLikeRst(text)) return yield rstDocument(source, text);
    const outline = paragraphs(text);
    yield fileDocument(source, { title: titleOf(source.id, []), text, outline });
  },
};

/** Returns a block for each paragraph; white space before the first belongs to it. */
function paragraphs(text: string): Block[] {
  const blocks: Block[] = [];
  let line = 1;
  let start = 0;
  let open = false;
  for (const row of text.split('\n')) {
    const blank = row.trim() === '';
    if (!blank && !open) blocks.push({ start: blocks.length === 0 ? 0 : start, heading: [], line });
    open = !blank;
    start += row.length + 1;
    line++;
  }
  return blocks;
}
