/** The readable text of an HTML page, its title and what its head says about it. */
import type { Metadata } from '../../corpus/document.ts';

export interface ReadablePage {
  readonly title: string;
  readonly text: string;
  readonly metadata: Metadata;
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
/** Nothing in these is read. */
const SILENT: ReadonlySet<string> = list(
  'script style noscript template svg math canvas iframe object nav aside footer form button select option textarea dialog menu audio video map',
);
/** Begin and end a paragraph. */
const BLOCKS: ReadonlySet<string> = list(`
  p div section article main header h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl dt dd table caption tr figure figcaption address details summary hr body title`);
/** Elements by which a page marks its own content; if there are any, only they are read. */
const CONTENT: ReadonlySet<string> = list('main article');
const MAX_DEPTH = 2000;

/** Thrown for pages nested beyond any reading. */
export class TooDeep extends Error {}

/** Reads a page (or a piece of one). Throws `TooDeep` beyond 2,000 open elements. */
export async function readHtml(html: string): Promise<ReadablePage> {
  const { Parser } = await import('htmlparser2');
  const page = new PageReader();
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    onclosetag: name => page.close(name),
    ontext: text => page.text(text),
  });
  parser.write(html);
  parser.end();
  return page.finish();
}

/**
 * Text that grows by small pieces; joined now and then, because millions of pieces cost far more
 * memory than their text.
 */
class Growing {
  private readonly joined: string[] = [];
  private readonly parts: string[] = [];
  private last = '\n\n';

  add(text: string): void {
    // One blank line between blocks is enough.
    if (text === '' || (text === '\n\n' && this.last.endsWith('\n\n'))) return;
    this.parts.push(text);
    this.last = text;
    if (this.parts.length >= 4096) this.joined.push(this.parts.splice(0).join(''));
  }

  atLineStart(): boolean {
    return this.last.endsWith('\n');
  }

  text(): string {
    return [...this.joined, ...this.parts].join('');
  }
}

class PageReader {
  private readonly all = new Growing();
  private readonly content = new Growing();
  private readonly titles = new Growing();
  private readonly heading = new Growing();
  private readonly facts = new Map<string, string>();
  private depth = 0;
  /** Depth of the element that silenced us; 0 while we read. */
  private silentFrom = 0;
  private inContent = 0;
  private inHead = 0;
  private inPre = 0;
  private inTitle = 0;
  private inHeading = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.depth > MAX_DEPTH) throw new TooDeep(`nested deeper than ${MAX_DEPTH} elements`);
    if (name === 'meta' || name === 'link' || name === 'time') this.fact(name, attributes);
    if (this.silentFrom > 0) return;
    if (
      SILENT.has(name) ||
      'hidden' in attributes ||
      attributes['aria-hidden'] === 'true' ||
      (name === 'header' && this.inContent === 0)
    ) {
      this.silentFrom = this.depth;
      return;
    }
    this.count(name, 1);
    if (BLOCKS.has(name)) this.write('\n\n');
    else if (name === 'li') this.write('\n\n- ');
    else if (name === 'br') this.write('\n');
    else if ((name === 'td' || name === 'th') && !this.all.atLineStart()) this.write(' | ');
  }

  close(name: string): void {
    if (this.silentFrom === 0) {
      if (BLOCKS.has(name) || name === 'li') this.write('\n\n');
      this.count(name, -1);
    } else if (this.silentFrom === this.depth) this.silentFrom = 0;
    this.depth--;
  }

  private count(name: string, by: 1 | -1): void {
    if (CONTENT.has(name)) this.inContent += by;
    else if (name === 'head') this.inHead += by;
    else if (name === 'pre') this.inPre += by;
    else if (name === 'title') this.inTitle += by;
    else if (name === 'h1') this.inHeading += by;
  }

  text(text: string): void {
    if (this.silentFrom > 0) return;
    const spaced = this.inPre > 0 ? text : text.replace(/\s+/g, ' ');
    const plain = this.inPre === 0 && this.all.atLineStart() ? spaced.trimStart() : spaced;
    if (this.inTitle > 0) this.titles.add(spaced);
    else if (this.inHead === 0) this.write(plain);
    if (this.inHeading > 0) this.heading.add(spaced);
  }

  private write(text: string): void {
    if (this.inHead > 0 || this.inTitle > 0) return;
    this.all.add(text);
    if (this.inContent > 0) this.content.add(text);
  }

  private fact(name: string, attributes: Readonly<Record<string, string>>): void {
    const set = (field: string, value: string | undefined): void => {
      if (value?.trim() && !this.facts.has(field)) this.facts.set(field, value.trim());
    };
    if (name === 'link') {
      if (attributes['rel'] === 'canonical') set('url', attributes['href']);
    } else if (name === 'time') set('time', attributes['datetime']);
    else
      set(
        (
          attributes['property'] ??
          attributes['name'] ??
          attributes['itemprop'] ??
          ''
        ).toLowerCase(),
        attributes['content'],
      );
  }

  finish(): ReadablePage {
    const own = tidy(this.content.text());
    const first = (...fields: readonly string[]): string | undefined =>
      fields.map(field => this.facts.get(field)).find(value => value !== undefined);
    const metadata: Record<string, string> = {};
    const set = (field: string, value: string | undefined): void => {
      if (value !== undefined) metadata[field] = value.toWellFormed();
    };
    set('author', first('author', 'article:author', 'og:article:author', 'dc.creator'));
    set(
      'published_at',
      first(
        'article:published_time',
        'og:article:published_time',
        'datepublished',
        'date',
        'dc.date',
        'time',
      ),
    );
    set('source', first('og:site_name'));
    set('category', first('article:section'));
    set('url', first('url', 'og:url'));
    set('description', first('description', 'og:description'));
    const title = line(this.titles.text()) || line(this.heading.text()) || first('og:title') || '';
    return {
      title: title.toWellFormed(),
      text: (own || tidy(this.all.text())).toWellFormed(),
      metadata,
    };
  }
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines without spaces at their ends, and one blank line at most between two. */
export function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(part => part.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
