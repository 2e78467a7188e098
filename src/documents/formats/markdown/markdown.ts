/// <reference path="markdown-it-deflist.d.ts" />
/** Markdown: the file is one document; its blocks are those of the library, without their marks. */
import type { MarkdownIt, StateBlock } from 'markdown-it';
import { frontMatter, frontMetadata, frontTitle } from '../../blocks/front-matter.ts';
import type { Format } from '../../format.ts';
import { textFormat } from '../../whole-file.ts';
import { MarkdownBlocks } from './blocks.ts';
import { keepWideRows } from './wide-rows.ts';

export const markdown: Format = textFormat({
  name: 'markdown',
  extensions: ['md', 'markdown', 'mdown', 'mkd', 'mdx'],
  summary:
    'Markdown; title from the front matter or the first heading, other front matter as metadata',
  async write(text, { writer }) {
    const { fields, rest, lines, unread } = await frontMatter(text);
    if (unread) writer.block(unread.text, { line: 2 });
    const parser = await markdownParser();
    const blocks = new MarkdownBlocks(writer, lines + 1, parser);
    await blocks.write(parser.parse(rest, {}));
    const stated = frontTitle(fields);
    if (writer.size === 0 && stated !== undefined) writer.block(stated);
    const readable = writer.finish([stated]);
    const { title, text: kept } = readable;
    const { leftOut } = blocks;
    return {
      readable,
      metadata: frontMetadata(fields),
      visibleText: leftOut.length === 0 ? undefined : [title, kept, ...leftOut].join('\n'),
      notes: unread && [unread.note],
    };
  },
});

/** Quotes, lists and items inside each other; deeper ones are text. */
const DEEPEST = 64;

async function markdownParser(): Promise<MarkdownIt> {
  const [{ default: markdownIt }, { default: definitions }] = await Promise.all([
    import('markdown-it'),
    import('markdown-it-deflist'),
  ]);
  const parser = markdownIt({ html: true, linkify: true }).use(definitions);
  // Links are kept as they stand, whatever they lead to.
  const asItStands = (link: string): string => link;
  Object.assign(parser, { normalizeLink: asItStands, validateLink: () => true });
  parser.linkify.set({ fuzzyLink: false }).add('//', null);
  keepWideRows(parser);
  parser.block.ruler.before('table', 'deep', deepText, { alt: ['paragraph'] });
  parser.block.ruler.before('reference', 'footnote', footnote);
  parser.block.ruler.before('paragraph', 'terms', beginsDefinition, { alt: ['paragraph'] });
  return parser;
}

/** Reads what is nested too deep as one paragraph: the library would leave it out. */
function deepText(state: StateBlock, from: number, to: number, isTest: boolean): boolean {
  if (state.level < DEEPEST || isTest) return false;
  state.push('paragraph_open', 'p', 1).map = [from, to];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(from, to, state.blkIndent, false).trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = to;
  return true;
}

/** Ends a paragraph before the last of several terms that share a definition. */
function beginsDefinition(state: StateBlock, from: number, to: number, isTest: boolean): boolean {
  const next = from + 1 < to && state.isEmpty(from + 1) ? from + 2 : from + 1;
  if (!isTest || next >= to || state.sCount[from]! < state.blkIndent) return false;
  return /^[:~][ \t]/.test(state.getLines(next, next + 1, state.blkIndent, false));
}

const FOOTNOTE = /^\[\^[^\]\s]+\]:/;

/** Reads a footnote, which the library takes for a link where it is one word, with its blocks. */
function footnote(state: StateBlock, from: number, to: number, isTest: boolean): boolean {
  const lineOf = (at: number): string => state.getLines(at, at + 1, state.blkIndent, false);
  if (isTest || !FOOTNOTE.test(lineOf(from))) return false;
  let end = from + 1;
  const goesOn = (at: number): boolean =>
    at < to &&
    !FOOTNOTE.test(lineOf(at)) &&
    (!state.isEmpty(at - 1) || /^(?: {4}|\t)/.test(lineOf(at)));
  while (end < to && (state.isEmpty(end) ? goesOn(end + 1) : goesOn(end))) end++;
  const rest = Array.from({ length: end - from - 1 }, (_, at) =>
    lineOf(from + 1 + at).replace(/^(?: {4}|\t)/, ''),
  );
  const first = state.tokens.length;
  state.md.block.parse(
    [`\\${lineOf(from)}`, ...rest].join('\n'),
    state.md,
    state.env,
    state.tokens,
  );
  for (const token of state.tokens.slice(first))
    token.map &&= [token.map[0] + from, token.map[1] + from];
  state.line = end;
  return true;
}
