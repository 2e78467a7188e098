/** The readable blocks of an HTML page, its title and what its head says about it. */
import type { Metadata } from '../../../core/corpus/document.ts';
import { pausesFor } from '../../../platform/clock.ts';
import { HtmlBlocks } from './blocks.ts';
import type { HtmlBlock } from './html-block.ts';
import { mainPart, pieceContent } from './main-part.ts';
import { PageHead } from './page-head.ts';

export interface ReadablePage {
  readonly title: string;
  readonly metadata: Metadata;
  /** The blocks of its content. */
  readonly blocks: readonly HtmlBlock[];
  /** All text that it shows, in which nothing was left out yet. */
  readonly visibleText: string;
  /** No rule found its main part. */
  readonly isWhole: boolean;
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
  /** The HTML is a piece of a text or a chapter of a book, which has no furniture. */
  readonly isPiece?: boolean;
}

/** Reads a page or a piece of it. Throws `TooDeep` beyond 2,000 open elements. */
export async function readHtml(
  html: string,
  { xml = false, statesLines = false, isPiece = false }: HtmlOptions = {},
): Promise<ReadablePage> {
  const { Parser } = await import('htmlparser2');
  const blocks = new HtmlBlocks(!isPiece);
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
        if (!head.isOpen && name !== 'head') blocks.close(name, lines.at(parser.startIndex));
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
  const main = isPiece ? pieceContent(all) : mainPart(all, head.title());
  return {
    title: head.title(),
    metadata: head.metadata(),
    ...main,
    visibleText: blocks.visible,
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
