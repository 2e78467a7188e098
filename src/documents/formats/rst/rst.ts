/** ReStructuredText: the file is one document; fields before everything else are metadata. */
import type { BlockWriter } from '../../blocks/block-writer.ts';
import { frontMetadata } from '../../blocks/front-matter.ts';
import type { Format } from '../../format.ts';
import { type Facts, textFormat } from '../../whole-file.ts';
import { RstBlocks } from './blocks.ts';

export const rst: Format = textFormat({
  name: 'rst',
  extensions: ['rst', 'rest'],
  summary: 'reStructuredText; title from the first heading, leading fields as metadata',
  write: (text, { writer, source }) => writeRst(text, writer, source.id),
});

/** Fields that steer the generator of a site and say nothing about the text. */
const STEERING: ReadonlySet<string> = new Set(['orphan', 'nosearch', 'tocdepth', 'nocomments']);

/** Writes the blocks of a text of reStructuredText; `id` has the extension of links. */
export function writeRst(text: string, writer: BlockWriter, id: string): Facts {
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
  new RstBlocks(rest, writer, id).read();
  return { metadata: frontMetadata(fields) };
}

/**
 * Tells whether a plain text is reStructuredText: an underlined title, and markup of this format.
 */
export function looksLikeRst(text: string): boolean {
  const title = /^(?:[^\n]*\n){0,40}?(\S[^\n]{2,})\n([=\-~#*^])\2{2,}[ \t]*(?:\n|$)/.test(text);
  return title && /^[ \t]*\.\. [\w-]+::|^\.\. _|:[a-z][\w-]*:`[^`\n]|``[^`\n]+``/m.test(text);
}
