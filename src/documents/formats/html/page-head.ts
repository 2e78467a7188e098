/** Reads what the head of an HTML page says about it. */
import type { Metadata } from '../../../core/corpus/document.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements that a head holds; any other ends it, closed or not. */
const OF_HEAD: ReadonlySet<string> = new Set(
  'head title meta link script style base noscript template object'.split(' '),
);

/** Elements of the head whose text is read by this class instead of as blocks. */
export class PageHead {
  private readonly facts = new Map<string, string>();
  private titles = '';
  private inHead = false;
  private inTitle = false;
  private hasTitle = false;
  /** Open graphics, of which the titles are no titles of the page. */
  private graphics = 0;

  /** True inside `head` or `title`, which have no blocks. */
  get isOpen(): boolean {
    return this.inHead || this.inTitle;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'meta' || name === 'link' || name === 'time' || name === 'html')
      this.fact(name, attributes);
    if (name === 'svg') this.graphics++;
    if (name === 'head') this.inHead = true;
    else if (this.inHead && !OF_HEAD.has(name)) this.inHead = false;
    if (name === 'title' && this.graphics === 0) this.inTitle = true;
  }

  close(name: string): void {
    if (name === 'svg' && this.graphics > 0) this.graphics--;
    if (name === 'head') this.inHead = false;
    if (name !== 'title' || !this.inTitle) return;
    this.inTitle = false;
    this.hasTitle ||= this.titles.trim() !== '';
  }

  text(text: string): void {
    if (this.inTitle && !this.hasTitle) this.titles += text;
  }

  private fact(name: string, attributes: Attributes): void {
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
