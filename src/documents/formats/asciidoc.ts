/**
 * AsciiDoc: the file is one document, with metadata of its header; read by the optional package
 * `@asciidoctor/core`, which makes HTML in which elements say the line of the file they come from.
 */

import { frontMatter, frontMetadata, frontTitle } from '../blocks/front-matter.ts';
import type { Format } from '../format.ts';
import { packageAddress, textFormat } from '../whole-file.ts';
import { writeBlocks } from './html/html-block.ts';
import { LINE_ATTRIBUTE, readHtml } from './html/text.ts';

const PACKAGE = '@asciidoctor/core';

/** Tells whether a text is AsciiDoc that can be read: a title, and its blocks or macros. */
export function looksLikeAsciidoc(text: string): boolean {
  const title = /^\n*(?:= \S|[^\n]{3,}\n={3,}\n)/.test(text);
  return title && MARKUP.test(text) && packageAddress(PACKAGE) !== undefined;
}

const MARKUP =
  /^\[(?:verse|source|listing|NOTE|quote|\[|cols)[^\n]*\]$|\blinkgit:|^(?:include|ifdef)::\S*\[/m;

export const asciidoc: Format = textFormat({
  name: 'asciidoc',
  extensions: ['adoc', 'asciidoc', 'asc'],
  isIsolated: true,
  needs: { package: PACKAGE, as: 'AsciiDoc' },
  summary:
    'AsciiDoc; needs the package @asciidoctor/core; title, description, author and date from its header; includes are not followed',
  async write(text, { writer, library }) {
    const { fields, rest, lines, unread } = await frontMatter(text);
    if (unread) writer.block(unread.text, { line: 2 });
    const read = await load(library as Asciidoctor, '\n'.repeat(lines) + rest);
    const { blocks } = await readHtml(plainMarks(await read.convert()), {
      statesLines: true,
      isPiece: true,
    });
    writeBlocks(writer, blocks, { line: 1, under: [] });
    const stated = Object.entries(FACTS)
      .map(([attribute, field]) => [field, read.getAttribute(attribute)] as const)
      .filter(([, value]) => value)
      .map(([field, value]) => [field, typeof value === 'string' ? decoded(value) : value]);
    const metadata = frontMetadata({ ...Object.fromEntries(stated), ...fields });
    return { titles: [frontTitle(fields)], metadata, notes: unread && [unread.note] };
  },
});

/** Signs of a box that is ticked, and of one that is not. */
const BOXES: Readonly<Record<string, string>> = { '&#10003;': '[x]', '&#10063;': '[ ]' };

/** Writes boxes of tasks as they are typed, and leaves out the marks around formulas. */
function plainMarks(html: string): string {
  return html
    .replaceAll('&#8203;', '')
    .replace(/(?<=<p>)&#(?:10003|10063);(?= )/g, sign => BOXES[sign]!)
    .replace(/\\([$([])([^<\\]*(?:\\(?![$)\]])[^<\\]*)*)\\[$)\]]/g, '$2');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** Returns an attribute as it is typed: the library escapes it for HTML. */
const decoded = (value: string): string =>
  value
    .replace(/&(?:(lt|gt|amp|quot)|#(\d{1,7}));/g, (_, name, code) =>
      name === undefined ? String.fromCodePoint(Math.min(Number(code), 0x10ffff)) : ENTITIES[name]!,
    )
    .toWellFormed();

/** Attributes of a header, and the fields of metadata that hold them. */
const FACTS: Readonly<Record<string, string>> = {
  description: 'description',
  keywords: 'keywords',
  author: 'author',
  date: 'date',
  revdate: 'date',
};

/** Numbers and words that the file does not hold. */
const UNSET = ['toc', 'icons', 'sectnums', 'table-caption', 'example-caption', 'figure-caption'];

function load(library: Asciidoctor, text: string): Promise<Node> {
  return library.load(text, {
    safe: 'secure',
    sourcemap: true,
    logger: null,
    attributes: {
      showtitle: '',
      nofootnotes: '',
      // Links to other files keep their ending.
      relfilesuffix: '.adoc',
      ...Object.fromEntries(UNSET.map(name => [name, null])),
    },
    converter: converterOf(library, text.split('\n')),
  });
}

/** Begins and ends code that a file delimits. */
const FENCE = /^(?:-{4,}|\.{4,}|```)/;

/** Returns a converter to HTML that says the line of each block, item and row. */
function converterOf({ Html5Converter }: Asciidoctor, rows: readonly string[]): unknown {
  return class extends Html5Converter {
    override async convert(node: Node, transform?: string, options?: object): Promise<string> {
      const { context, lineno: line, title } = node;
      const items = /^[uocd]list$/.test(context) ? node.getItems().flat(2) : [];
      for (const item of items) if (item !== null) stateLine(item);
      let made = await super.convert(node, transform, options);
      if (line == null) return made;
      if (context === 'table') made = withRowLines(node, made);
      if (title)
        made = made.replace(/<div class="title">(.*)<\/div>/, '<figcaption>$1</figcaption>');
      return atLine(FENCE.test(rows[line - 1] ?? '') ? line + 1 : line) + made;
    }

    async convert_admonition(node: Node): Promise<string> {
      const name = String(node.getAttribute('textlabel'));
      const content = await node.content();
      const text = node.blocks.length > 0 ? content : `<p>${content}</p>`;
      const title = node.title ? `<div class="title">${node.title}</div>` : '';
      return (
        title + (text.includes('<p>') ? text : `<p></p>${text}`).replace('<p>', `<p>${name}: `)
      );
    }

    async convert_image(node: Node): Promise<string> {
      const text = [node.title, statedAlt(node)].filter(Boolean).join('. ');
      return `<figcaption>${text}</figcaption>`;
    }

    async convert_inline_image(node: Node): Promise<string> {
      return statedAlt(node);
    }

    async convert_inline_footnote(node: Node): Promise<string> {
      return node.text ? ` (${node.text})` : '';
    }
  };
}

const atLine = (line: number): string => `<span ${LINE_ATTRIBUTE}="${line}"></span>`;

/** Makes an item or a term begin with its line. */
function stateLine(item: Node): void {
  const getText = item.getText.bind(item);
  item.getText = () => (item.lineno == null ? '' : atLine(item.lineno)) + getText();
}

/** Returns HTML whose rows say their lines; those of tables inside say theirs already. */
function withRowLines(table: Node, made: string): string {
  const lines = table.rows.bySection().flatMap(([, rows]) => rows.map(([cell]) => cell?.lineno));
  let row = 0;
  return made.replace(/<tr>/g, () => `<tr ${LINE_ATTRIBUTE}="${lines[row++]}">`);
}

/** Returns the text for an image that its author wrote; the library makes others of its name. */
function statedAlt(image: Node): string {
  const [alt, made] = ['alt', 'default-alt'].map(name => String(image.getAttribute(name)));
  return alt === made ? '' : alt!;
}

/** The part of `@asciidoctor/core` that is used. */
interface Asciidoctor {
  load(text: string, options: object): Promise<Node>;
  readonly Html5Converter: new (...options: never[]) => Converter;
}

interface Converter {
  convert(node: Node, transform?: string, options?: object): Promise<string>;
}

interface Node {
  readonly context: string;
  /** Number of its first line; inline nodes have none. */
  readonly lineno?: number | null;
  readonly title?: string | null;
  readonly text: string;
  readonly blocks: readonly unknown[];
  /** Sections of a table, their rows, and the cells of these. */
  readonly rows: { bySection(): readonly (readonly [string, readonly (readonly Node[])[]])[] };
  getAttribute(name: string): unknown;
  /** Items, or terms and their description. */
  getItems(): readonly (Node | readonly (readonly Node[] | Node | null)[])[];
  getText: () => string;
  content(): Promise<string>;
  convert(): Promise<string>;
}
