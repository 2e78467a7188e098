/** The parts of a page that are open while it is read, and what was met in them. */
import { CONTAINERS, Names, NO_ATTRIBUTES, standingOf } from './elements.ts';
import { type Measures, NOTHING, Region, type Standing, sum } from './regions.ts';

type Attributes = Readonly<Record<string, string>>;

/** Matches names that a panel of tabs or of an accordion has. */
const PANEL = /(?:^|[\s_-])(?:tab-?)?(?:pane|panel|content|collapse|accordion)(?![a-z])/i;

export class PageParts {
  /** All parts, each after the one around it. */
  private readonly all: Region[] = [];
  private readonly isPage: boolean;
  private readonly opened: Region[] = [];
  /** Measures of all that stays. */
  private page: Measures = NOTHING;
  /** Open elements that give blocks a place, and whether one of theirs is no link. */
  private readonly containers: Container[] = [];
  /** Ids of elements that links and buttons show. */
  private readonly shown = new Set<string>();
  private readonly names: Names = new Names();
  /** Name and class of the last element at each depth. */
  private readonly siblings: Element[] = [];
  /** Number of blocks so far. */
  private count = 0;
  /** A block of content was written that is no link. */
  private hasBegun = false;

  constructor(isPage: boolean) {
    this.isPage = isPage;
  }

  standingOf(name: string, attributes: Attributes): Standing | undefined {
    // A piece of a text and a chapter of a book are content, but for lists of links.
    if (!this.isPage && name !== 'nav' && name !== 'noscript') return undefined;
    // The footer of a quotation says whose it is.
    if (name === 'footer' && this.container?.name === 'blockquote') return undefined;
    const standing = standingOf(name, attributes, this.names);
    return standing;
  }

  open(standing: Standing, name: string, attributes: Attributes, depth: number): void {
    const region = new Region(standing, this.region, {
      depth,
      isPanel:
        standing === 'hidden' && name !== 'noscript' && this.isPanel(name, attributes, depth),
      isBelow: this.hasBegun,
      element: name,
    });
    this.all.push(region);
    this.opened.push(region);
  }

  /** Tells whether a hidden element is one that readers open: a panel of tabs, or an answer. */
  private isPanel(name: string, attributes: Attributes, depth: number): boolean {
    const { role, id = '', hidden } = attributes;
    const before = this.siblings[depth];
    return (
      role === 'tabpanel' ||
      PANEL.test(`${attributes['class'] ?? ''} ${id}`) ||
      hidden === 'until-found' ||
      'aria-labelledby' in attributes ||
      name === 'dd' ||
      this.shown.has(id) ||
      this.containers.at(-1)?.name === 'details' ||
      HEADS.has(before?.name ?? '') ||
      // A paragraph below a heading is more often a message that a program shows.
      (name !== 'p' && /^h[1-6]$/.test(before?.name ?? '')) ||
      // One of several alike, of which another is shown.
      (before?.name === name && isAlike(before.classes, attributes['class']))
    );
  }

  /** Prose introduces a list right below it also where an element stands around the list alone. */
  private introduceList(depth: number): void {
    const [outer, around] = this.containers.slice(-2);
    const isBelow = outer?.introduction === 0 && outer.introducedAt === this.count;
    if (isBelow && around?.depth === depth - 1) around.introduction = 0;
  }

  /** Notes an element that opens. */
  meet(name: string, attributes: Attributes, depth: number): void {
    if (CONTAINERS.has(name)) {
      const end = Number.POSITIVE_INFINITY;
      this.containers.push({ name, depth, introduction: NONE, introducedAt: this.count, end });
    } else if (name === 'ul' || name === 'ol') this.introduceList(depth);
    if (this.siblings.length > depth + 1) this.siblings.length = depth + 1;
    this.siblings[depth] = { name, classes: attributes['class'] };
    // A heading that holds a button is one for what follows it.
    const around = this.siblings[depth - 1];
    if (name === 'button' && /^h[1-6]$/.test(around?.name ?? ''))
      this.siblings[depth - 1] = { name, classes: undefined };
    if (attributes === NO_ATTRIBUTES && name !== 'textarea' && name !== 'input') return;
    for (const attribute of SHOWING) {
      const target = attributes[attribute];
      if (target !== undefined) this.shown.add(target.replace(/^#/, ''));
    }
    if (isField(name, attributes)) {
      const form = this.opened.findLast(({ standing }) => standing === 'form');
      if (form) form.hasField = true;
    }
    if (name === 'a' && attributes['href']?.startsWith('#'))
      this.shown.add(attributes['href'].slice(1));
  }

  get container(): Container | undefined {
    return this.containers.at(-1);
  }

  get region(): Region | undefined {
    return this.opened.at(-1);
  }

  /** Tells whether only browsers without scripts show what is read now. */
  get isWithoutScripts(): boolean {
    return this.region?.element === 'noscript';
  }

  get introduction(): number {
    return this.containers.at(-1)?.introduction ?? NONE;
  }

  /** Counts a block for the part that it stands in. */
  add({ measures, linked, level, text }: WrittenBlock, count: number): void {
    this.count = count;
    if (this.region) this.region.count(measures);
    else this.page = sum(this.page, measures);
    if (linked) return;
    const container = this.containers.at(-1);
    const isProse = (measures.prose > 0 && measures.data === 0) || /[:：]\s*$/.test(text);
    if (container) {
      container.introduction = isProse ? 0 : measures.headings > 0 ? level : NONE;
      container.introducedAt = count;
    }
    if (!this.opened.some(({ standing }) => standing === 'furniture')) this.hasBegun = true;
  }

  /** Tells whether a part ends with the element of this depth. */
  isOpenAt(depth: number): boolean {
    return this.region?.depth === depth;
  }

  close(depth: number): void {
    if (this.containers.at(-1)?.depth === depth) this.containers.pop()!.end = this.count;
    if (this.isOpenAt(depth)) this.end();
  }

  private end(): void {
    const region = this.opened.pop()!;
    region.close();
    if (!region.parent && !region.isOut) this.page = sum(this.page, region.measures);
  }

  /** Settles which parts stay. */
  finish(): void {
    while (this.opened.length > 0) this.end();
    for (const region of this.all) region.settle(this.page);
  }
}

/** A block as far as parts of a page depend on it. */
interface WrittenBlock {
  readonly measures: Measures;
  readonly linked: boolean;
  readonly level: number;
  readonly text: string;
}

/** No level of a heading. */
export const NONE = 7;

/** An open element that gives blocks a place. */
export interface Container {
  readonly name: string;
  readonly depth: number;
  /** Level of its last block that is no link, if it is a heading; 0 if it is prose. */
  introduction: number;
  /** Number of blocks up to that one. */
  introducedAt: number;
  /** Number of blocks at its end. */
  end: number;
}

/** Elements above what they show. */
const HEADS: ReadonlySet<string> = new Set(['button', 'summary', 'dt']);

interface Element {
  readonly name: string;
  readonly classes: string | undefined;
}

/** Tells whether readers write into an element. */
const isField = (name: string, { type = 'text' }: Attributes): boolean =>
  name === 'textarea' ||
  (name === 'input' && /^(?:text|email|search|tel|url|password)$/i.test(type));

/** Tells whether two elements have the same first class, which their states do not change. */
function isAlike(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [one, other].map(classes => classes?.trim().split(/\s+/, 1)[0]);
  return first !== undefined && first !== '' && first === second;
}

/** Attributes by which links and buttons name what they show. */
const SHOWING = ['aria-controls', 'data-target', 'data-bs-target'] as const;
