/** AsciiDoc: the file is one document; attributes of its header are metadata. */
import { AsciidocBlocks } from './asciidoc-blocks.ts';
import { readDocumentText } from './decode.ts';
import { type DetectedFormat, type Format, fileDocument } from './format.ts';
import { frontMatter, frontMetadata, frontTitle } from './front-matter.ts';
import type { Source } from './source.ts';

/** Tells whether a plain text is AsciiDoc: a title, and blocks or macros of its own. */
export function looksLikeAsciidoc(text: string): boolean {
  const title = /^\n*(?:= \S|[^\n]{3,}\n={3,}\n)/.test(text);
  return title && MARKUP.test(text);
}

const MARKUP =
  /^\[(?:verse|source|listing|NOTE|quote|\[|cols)[^\n]*\]$|\blinkgit:|^(?:include|ifdef)::\S*\[/m;

export const asciidoc: Format = {
  name: 'asciidoc',
  extensions: ['adoc', 'asciidoc', 'asc'],
  summary: 'AsciiDoc; title from its header, description, author and date as metadata',
  async *read(source, limits) {
    const given = await readDocumentText(source, limits);
    if (typeof given !== 'string') return yield { type: 'skipped', reason: given.skipped };
    yield asciidocDocument(source, given);
  },
};

/** Reads a text of AsciiDoc. */
export function asciidocDocument(source: Source, given: string): DetectedFormat {
  const { fields, rest, lines } = frontMatter(given.replace(/\r\n?/g, '\n'));
  const blocks = new AsciidocBlocks('\n'.repeat(lines) + rest, source.id);
  const writer = blocks.read();
  const stated = ['description', 'keywords', 'author', 'date', 'revdate']
    .map(name => [name === 'revdate' ? 'date' : name, blocks.defined.get(name)] as const)
    .filter(([, value]) => value);
  const metadata = frontMetadata({ ...Object.fromEntries(stated), ...fields });
  return fileDocument(source, writer.finish([frontTitle(fields)]), metadata);
}
