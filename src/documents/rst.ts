/** ReStructuredText: the file is one document; fields before everything else are metadata. */
import { readDocumentText } from './decode.ts';
import { type DetectedFormat, type Format, fileDocument } from './format.ts';
import { frontMetadata } from './front-matter.ts';
import { RstBlocks } from './rst-blocks.ts';
import type { Source } from './source.ts';

export const rst: Format = {
  name: 'rst',
  extensions: ['rst', 'rest'],
  summary: 'reStructuredText; title from the first heading, leading fields as metadata',
  async *read(source, limits) {
    const text = await readDocumentText(source, limits);
    if (typeof text === 'string') yield rstDocument(source, text);
    else yield { type: 'skipped', reason: text.skipped };
  },
};

/** Fields that steer the generator of a site and say nothing about the text. */
const STEERING: ReadonlySet<string> = new Set(['orphan', 'nosearch', 'tocdepth', 'nocomments']);

/** Reads a text of reStructuredText. */
export function rstDocument(source: Source, text: string): DetectedFormat {
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
  return fileDocument(
    source,
    new RstBlocks(rest, source.id).read().finish(),
    frontMetadata(fields),
  );
}

/** Tells whether a plain text is reStructuredText: an underlined title, and markup of its own. */
export function looksLikeRst(text: string): boolean {
  const title = /^(?:[^\n]*\n){0,40}?(\S[^\n]{2,})\n([=\-~#*^])\2{2,}[ \t]*(?:\n|$)/.test(text);
  return title && /^[ \t]*\.\. [\w-]+::|^\.\. _|:[a-z][\w-]*:`[^`\n]|``[^`\n]+``/m.test(text);
}
