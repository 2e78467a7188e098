/**
 * Parts of a page that may be no content, measured while they are read: what a page calls a menu or
 * an aside is left out for what it holds, not for its name alone.
 */

/**
 * Says what an element claims to be: `main` and `article` mark content, `furniture` is said to be
 * none, `aside` stands beside it by a name that content has too, `header` may begin the page or an
 * article, `hidden` shows when it is asked for, `form` may ask for something or wrap a page,
 * `notes` belong to the text above them.
 */
export type Standing =
  | 'main'
  | 'article'
  | 'furniture'
  | 'aside'
  | 'header'
  | 'hidden'
  | 'form'
  | 'notes';

/** Measures a block for the parts that it stands in. */
export interface Measures {
  /** Characters without white space, and those in links. */
  readonly characters: number;
  readonly linked: number;
  /** Sentences outside links; two stand for any number from two. */
  readonly sentences: number;
  /** Rows of tables and code outside links. */
  readonly data: number;
  /** Characters of the blocks that hold those. */
  readonly prose: number;
  /** Headings outside links. */
  readonly headings: number;
}

export const NOTHING: Measures = {
  characters: 0,
  linked: 0,
  sentences: 0,
  data: 0,
  prose: 0,
  headings: 0,
};

/** Counts sentences until there are two, since to find them takes most of the time. */
export const sum = (a: Measures, b: Measures): Measures => ({
  characters: a.characters + b.characters,
  linked: a.linked + b.linked,
  sentences: a.sentences < 2 && b.prose > 0 ? a.sentences + b.sentences : a.sentences,
  data: a.data + b.data,
  prose: a.prose + b.prose,
  headings: a.headings + b.headings,
});

/** Prose: two sentences, or a table. */
export const holdsProse = ({ sentences, data }: Measures): boolean => sentences >= 2 || data > 0;

export class Region {
  readonly standing: Standing;
  readonly parent: Region | undefined;
  /** Depth of its element. */
  readonly depth: number;
  /** It is shown on demand, as a panel of tabs. */
  readonly isPanel: boolean;
  /** Content stands before it on the page. */
  readonly isBelow: boolean;
  readonly element: string;
  /** The element that marks content around it. */
  readonly mark: 'main' | 'article' | undefined;
  /** It stands in an aside of the page, and not in one of an article. */
  readonly isBeside: boolean;
  readonly inArticle: boolean;
  readonly isNotes: boolean;
  measures: Measures = NOTHING;
  /** Readers write into a field of it. */
  hasField = false;
  /** The part, or one around it, is left out. */
  isOut = false;

  constructor(
    standing: Standing,
    parent: Region | undefined,
    facts: Pick<Region, 'depth' | 'isPanel' | 'isBelow' | 'element'>,
  ) {
    this.standing = standing;
    this.parent = parent;
    this.depth = facts.depth;
    this.isPanel = facts.isPanel;
    this.isBelow = facts.isBelow;
    this.element = facts.element;
    const isMark = standing === 'main' || standing === 'article';
    this.inArticle = standing === 'article' || (parent?.inArticle ?? false);
    this.isNotes = standing === 'notes' || (parent?.isNotes ?? false);
    this.isBeside = parent?.isBeside || (standing === 'aside' && !this.inArticle);
    this.mark = parent?.mark === 'main' ? 'main' : isMark ? standing : parent?.mark;
  }

  count(measures: Measures): void {
    this.measures = sum(this.measures, measures);
  }

  /** Decides on the whole part; what stays counts for the part around it. */
  close(): void {
    this.isOut = !this.staysFor(this.measures);
    const { characters } = this.measures;
    if (!this.isOut) this.parent?.count(this.measures);
    // A part that holds furniture is more likely to be furniture.
    else if (this.standing !== 'hidden')
      this.parent?.count({ ...NOTHING, characters, linked: characters });
  }

  /**
   * Leaves out what stands in a part that is left out, and keeps a part that holds more prose than
   * stays on all of the page: `kept`. Called for the part around it before.
   */
  settle(kept: Measures): void {
    if (this.parent?.isOut) this.isOut = true;
    else if (this.isOut && (this.standing !== 'hidden' || !holdsProse(kept)))
      this.isOut = this.measures.prose <= kept.prose;
  }

  private staysFor(measures: Measures): boolean {
    const { characters, linked, sentences, headings, data } = measures;
    const isOfLinks = linked * 2 >= characters;
    switch (this.standing) {
      case 'furniture':
        // An article or the content of a page has a footer of its own.
        return this.mark !== undefined && holdsProse(measures) && !isOfLinks;
      case 'form':
        // A form to write into says how to; one that wraps content has a heading, or all the prose.
        return !this.hasField || data > 0 || headings > 0;
      case 'aside':
        return linked === 0 || (sentences + data > 0 && !isOfLinks);
      case 'header':
        return this.isBelow || headings > 0 || (holdsProse(measures) && !isOfLinks);
      case 'hidden':
        return this.isPanel && !isOfLinks;
      default:
        return true;
    }
  }
}
