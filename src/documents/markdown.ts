/** Markdown: the file is one document; its blocks are those of the lexer, without their marks. */
import type { TokenizerExtension, Tokens } from 'marked';
import { readDocumentText } from './decode.ts';
import { type Format, fileDocument } from './format.ts';
import { frontMatter, frontMetadata, frontTitle } from './front-matter.ts';
import { readMarkdown } from './markdown-blocks.ts';
import { definitionsAt } from './markdown-definitions.ts';
import { boundedBlocks, piecewise } from './markdown-lexer.ts';
import { boundedLookahead } from './markdown-lookahead.ts';

/** Reads definition lists, which the lexer does not know. */
const DEFINITIONS: TokenizerExtension = {
  name: 'definitions',
  level: 'block',
  tokenizer(text) {
    return definitionsAt(this.lexer, text) as Tokens.Generic | undefined;
  },
};

export const markdown: Format = {
  name: 'markdown',
  extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
  summary:
    'Markdown; title from the front matter or the first heading, other front matter as metadata',
  async *read(source, limits) {
    const given = await readDocumentText(source, limits);
    if (typeof given !== 'string') return yield { type: 'skipped', reason: given.skipped };
    const { fields, rest, lines } = frontMatter(given.replace(/\r\n?/g, '\n'));
    const { Lexer, Marked, Tokenizer } = await import('marked');
    const tokenizer = {
      ...boundedLookahead(Tokenizer.prototype),
      ...boundedBlocks(Tokenizer.prototype),
    };
    const marked = new Marked({ extensions: [DEFINITIONS], tokenizer });
    const lexer = new (piecewise(Lexer))(marked.defaults);
    const writer = await readMarkdown(lexer.lex(rest), source.id, lines + 1);
    const stated = frontTitle(fields);
    if (writer.size === 0 && stated !== undefined) writer.block(stated);
    yield fileDocument(source, writer.finish([stated]), frontMetadata(fields));
  },
};
