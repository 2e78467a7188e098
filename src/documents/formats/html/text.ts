/** The readable blocks of an HTML page, its title and what its head says about it. */
import type { Metadata } from '../../../core/corpus/document.ts';
import { pausesFor } from '../../../platform/clock.ts';
import { type HtmlBlock, HtmlBlocks } from './blocks.ts';

export interface ReadablePage {
  readonly title: string;
  readonly metadata: Metadata;
  /** The blocks of its content. */
  readonly blocks: readonly HtmlBlock[];
  /** The page says which part is its content. */
  readonly marked: boolean;
}

/** Characters that are read in a few milliseconds. */
const PIECE = 1 << 15;

/** Says the line of what follows, in HTML that is made of another file. */
export const LINE_ATTRIBUTE = 'data-line';

interface HtmlOptions {
  /** The page is XHTML, in which `<title/>` ends at once. */
  readonly xml?: boolean;
  /** Lines are those that elements state, not those of the HTML. */
  readonly statesLines?: boolean;
}

/** Reads a page or a piece of it. Throws `TooDeep` beyond 2,000 open elements. */
export async function readHtml(
  html: string,
  { xml = false, statesLines = false }: HtmlOptions = {},
): Promise<ReadablePage> {
  const { Parser } = await import('htmlparser2');
  const blocks = new HtmlBlocks();
  const head = new PageHead();
  const lines = statesLines ? new StatedLines() : new Lines(html);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        head.open(name, attributes);
        lines.meet(attributes);
        if (!head.isOpen) blocks.open(name, attributes, lines.at(parser.startIndex));
      },
      onclosetag(name) {
        if (!head.isOpen) blocks.close(name, lines.at(parser.startIndex));
        head.close(name);
      },
      ontext(text) {
        if (head.isOpen) head.text(text);
        else blocks.add(text);
      },
    },
    { recognizeSelfClosing: xml },
  );
  const pause = pausesFor();
  for (let at = 0; at < html.length; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    await pause();
  }
  parser.end();
  const all = blocks.finish();
  const marked = all.some(({ content }) => content);
  const content = marked ? all.filter(block => block.content) : all;
  return {
    title: head.title(),
    metadata: head.metadata(),
    blocks: withoutLinkRuns(content, marked),
    marked,
  };
}

/** Numbers of the lines that the last element stated. */
class StatedLines {
  private line = 1;

  meet(attributes: Readonly<Record<string, string>>): void {
    const line = Number(attributes[LINE_ATTRIBUTE]);
    if (Number.isSafeInteger(line) && line > 0) this.line = line;
  }

  at(): number {
    return this.line;
  }
}

/** Numbers of lines of offsets that only grow, in one pass. */
class Lines {
  private readonly text: string;
  private next: number;
  private line = 1;

  constructor(text: string) {
    this.text = text;
    this.next = text.indexOf('\n');
  }

  meet(): void {}

  at(offset: number): number {
    while (this.next >= 0 && this.next < offset) {
      this.line++;
      this.next = this.text.indexOf('\n', this.next + 1);
    }
    return this.line;
  }
}

/** Fewest blocks of links in a row that are taken for navigation. */
const LINK_RUN = 3;

/**
 * Leaves out tables of contents (runs of links into this very page), and on a page that does not
 * mark its content any run of links; a page of links alone keeps them.
 */
function withoutLinkRuns(blocks: readonly HtmlBlock[], marked: boolean): readonly HtmlBlock[] {
  const dropped = new Set<HtmlBlock>();
  let run: HtmlBlock[] = [];
  const end = (): void => {
    if (run.length >= LINK_RUN) for (const block of run) dropped.add(block);
    run = [];
  };
  for (const block of blocks) {
    const inPage = block.links.length > 0 && block.links.every(link => link.startsWith('#'));
    if (block.linked && (inPage || !marked)) run.push(block);
    else end();
  }
  end();
  const kept = blocks.filter(block => !dropped.has(block));
  return kept.some(({ kind }) => kind !== 'heading') ? kept : blocks;
}

/** Elements of the head whose text is read by this class instead of as blocks. */
class PageHead {
  private readonly facts = new Map<string, string>();
  private titles = '';
  private depth = 0;
  private inTitle = 0;

  /** True inside `head` or `title`, which have no blocks. */
  get isOpen(): boolean {
    return this.depth > 0;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'meta' || name === 'link' || name === 'time' || name === 'html')
      this.fact(name, attributes);
    if (name === 'title') this.inTitle++;
    if (name === 'title' || name === 'head') this.depth++;
  }

  close(name: string): void {
    if (name === 'title') this.inTitle--;
    if (name === 'title' || name === 'head') this.depth--;
  }

  text(text: string): void {
    if (this.inTitle > 0) this.titles += text;
  }

  private fact(name: string, attributes: Readonly<Record<string, string>>): void {
    const set = (field: string, value: string | undefined): void => {
      if (value?.trim() && !this.facts.has(field)) this.facts.set(field, value.trim());
    };
    if (name === 'link') {
      if (attributes['rel'] === 'canonical') set('url', attributes['href']);
    } else if (name === 'time') set('time', attributes['datetime']);
    else if (name === 'html') set('lang', attributes['lang'] ?? attributes['xml:lang']);
    else
      set(
        (
          attributes['property'] ??
          attributes['name'] ??
          attributes['itemprop'] ??
          attributes['http-equiv'] ??
          ''
        ).toLowerCase(),
        attributes['content'],
      );
  }

  title(): string {
    return (this.titles.trim() || (this.facts.get('og:title') ?? ''))
      .replace(/\s+/g, ' ')
      .toWellFormed();
  }

  metadata(): Metadata {
    const metadata: Record<string, string> = {};
    for (const [field, names] of Object.entries(FACTS)) {
      const value = names.map(name => this.facts.get(name)).find(each => each !== undefined);
      if (value !== undefined) metadata[field] = value.toWellFormed();
    }
    return metadata;
  }
}

/** Metadata fields and the names under which pages state them, best first. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  author: ['author', 'article:author', 'og:article:author', 'dc.creator'],
  published_at: [
    'article:published_time',
    'og:article:published_time',
    'datepublished',
    'date',
    'dc.date',
    'time',
  ],
  changed_at: ['article:modified_time', 'og:updated_time', 'datemodified', 'last-modified'],
  language: ['lang', 'content-language', 'dc.language'],
  source: ['og:site_name'],
  category: ['article:section'],
  url: ['url', 'og:url'],
  description: ['description', 'og:description'],
};
