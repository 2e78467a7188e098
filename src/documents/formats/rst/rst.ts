/** ReStructuredText: the file is one document; fields before everything else are metadata. */
import type { BlockWriter } from '../../blocks/block-writer.ts';
import { frontMetadata } from '../../blocks/front-matter.ts';
import type { Format } from '../../format.ts';
import { type Facts, textFormat } from '../../whole-file.ts';
import type { HtmlBlock } from '../html/html-block.ts';
import { readHtml } from '../html/text.ts';
import { RstBlocks } from './blocks.ts';
import { endOfIndented, indentedLines } from './lines.ts';

export const rst: Format = textFormat({
  name: 'rst',
  extensions: ['rst', 'rest'],
  summary: 'reStructuredText; title from the first heading, leading fields as metadata',
  write: (text, { writer, source }) => writeRst(text, writer, source.id),
});

/** Fields that steer the generator of a site and say nothing about the text. */
const STEERING: ReadonlySet<string> = new Set(['orphan', 'nosearch', 'tocdepth', 'nocomments']);

/** Matches the name of a file whose text a generator puts in the place of the line. */
const INCLUDED = /^ *\.\. (?:include|literalinclude) ?:: +(\S+)/;

/** Writes the blocks of a text of reStructuredText; `id` has the extension of links. */
export async function writeRst(text: string, writer: BlockWriter, id: string): Promise<Facts> {
  const fields: Record<string, string> = {};
  // Blank lines stand in their place, so that lines keep their numbers.
  const rest = text.replace(/^(?:[ \t]*\r?\n|:[^:`\n]+:(?: [^\n]*)?(?:\n|$))+/, head =>
    head
      .split('\n')
      .map(line => {
        const [, name, value] = /^:([^:]+):\s*(.*)$/.exec(line) ?? [];
        if (name !== undefined && value && !STEERING.has(name.toLowerCase()))
          fields[name.toLowerCase()] = value.trim();
        return '';
      })
      .join('\n'),
  );
  const lines = indentedLines(rest);
  new RstBlocks(lines, writer, id, await pagesIn(lines)).read();
  const included = lines.flatMap(line => INCLUDED.exec(line)?.[1] ?? []);
  const note = `without ${included.join(', ')}, which it includes`;
  return { metadata: frontMetadata(fields), notes: included.length > 0 ? [note] : undefined };
}

/** Reads the HTML that directives `raw` hold, by the number of their line. */
async function pagesIn(lines: readonly string[]): Promise<Map<number, readonly HtmlBlock[]>> {
  const pages = new Map<number, readonly HtmlBlock[]>();
  for (const [from, line] of lines.entries()) {
    const indent = /^( *)\.\. raw ?:: +html\b/.exec(line)?.[1]?.length;
    if (indent === undefined) continue;
    const end = endOfIndented(lines, from + 1, { from, to: lines.length, indent: indent + 1 });
    const { blocks } = await readHtml(lines.slice(from + 1, end).join('\n'), {
      isPiece: true,
    });
    pages.set(from, blocks);
  }
  return pages;
}

/**
 * Tells whether a plain text is reStructuredText: an underlined title, and markup of this format.
 */
export function looksLikeRst(text: string): boolean {
  const title = /^(?:[^\n]*\n){0,40}?(\S[^\n]{2,})\n([=\-~#*^])\2{2,}[ \t]*(?:\n|$)/.test(text);
  return title && /^[ \t]*\.\. [\w-]+::|^\.\. _|:[a-z][\w-]*:`[^`\n]|``[^`\n]+``/m.test(text);
}
