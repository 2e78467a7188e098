/** Markdown: the file is one document; its blocks are those of the lexer, without their marks. */
import type { TokenizerExtension, Tokens } from 'marked';
import type { Format } from './format.ts';
import { frontMatter, frontMetadata, frontTitle } from './front-matter.ts';
import { writeMarkdown } from './markdown-blocks.ts';
import { definitionsAt } from './markdown-definitions.ts';
import { boundedBlocks, piecewise } from './markdown-lexer.ts';
import { boundedLookahead } from './markdown-lookahead.ts';
import { textFormat } from './whole-file.ts';

/** Reads definition lists, which the lexer does not know. */
const DEFINITIONS: TokenizerExtension = {
  name: 'definitions',
  level: 'block',
  tokenizer(text) {
    return definitionsAt(this.lexer, text) as Tokens.Generic | undefined;
  },
};

export const markdown: Format = textFormat({
  name: 'markdown',
  extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
  summary:
    'Markdown; title from the front matter or the first heading, other front matter as metadata',
  async write(text, { writer }) {
    const { fields, rest, lines } = frontMatter(text);
    const { Lexer, Marked, Tokenizer } = await import('marked');
    const tokenizer = {
      ...boundedLookahead(Tokenizer.prototype),
      ...boundedBlocks(Tokenizer.prototype),
    };
    const marked = new Marked({ extensions: [DEFINITIONS], tokenizer });
    const lexer = new (piecewise(Lexer))(marked.defaults);
    await writeMarkdown(lexer.lex(rest), writer, lines + 1);
    const stated = frontTitle(fields);
    if (writer.size === 0 && stated !== undefined) writer.block(stated);
    return { titles: [stated], metadata: frontMetadata(fields) };
  },
});
