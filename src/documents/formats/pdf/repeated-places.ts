/** Counts what stands at equal places of pages, and tells what runs through them. */
import { numberings } from './page-numbers.ts';

/** Text at the edge of a page, with keys of its place. */
export interface Piece {
  readonly text: string;
  /** Keys of its left end, its right end and its middle, each with its height and font. */
  readonly places: readonly string[];
  /** True if its font is larger than that of the body. */
  readonly isLarge: boolean;
}

/** Fewest pages that tell what is repeated from what two of them happen to say. */
const FEWEST_PAGES = 3;

/** The pages on which each text of a place stands, in order. */
type Place = Map<string, number[]>;

export class RepeatedPlaces {
  private readonly most: number;
  private readonly texts = new Map<string, Place>();
  private readonly numbers = new Map<string, Place>();
  private readonly decided = new Map<string, boolean>();

  constructor(pages: number) {
    this.most = Math.max(FEWEST_PAGES, pages / 3);
  }

  /** Counts a piece; pages come in order. */
  add({ text, places }: Piece, page: number): void {
    for (const place of places) {
      note(this.texts, place, text, page);
      for (const numbering of numberings(text, page)) note(this.numbers, place, numbering, page);
    }
  }

  /** Tells whether a piece runs through pages. The first page keeps text: it may be the title. */
  kindOf({ text, places, isLarge }: Piece, page: number): 'text' | 'number' | undefined {
    if (page > 0 && places.some(place => this.runs(place, text))) return 'text';
    // A large number may be that of a chapter.
    if (!isLarge && places.some(place => this.counts(place, text, page))) return 'number';
    return undefined;
  }

  private runs(place: string, text: string): boolean {
    const key = `${place}\n${text}`;
    const known = this.decided.get(key);
    if (known !== undefined) return known;
    const texts = this.texts.get(place)!;
    const pages = texts.get(text)!;
    const runs = pages.length >= this.most && isAloneBetween(texts, text, pages);
    this.decided.set(key, runs);
    return runs;
  }

  /** Tells whether text counts the pages where it stands, and most pages are counted there. */
  private counts(place: string, text: string, page: number): boolean {
    const found = this.numbers.get(place);
    if (!found) return false;
    const isCounted = (pages: readonly number[] = []): boolean => pages.length >= FEWEST_PAGES;
    let counted = 0;
    for (const pages of found.values()) if (isCounted(pages)) counted += pages.length;
    return (
      counted >= this.most && [...numberings(text, page)].some(each => isCounted(found.get(each)))
    );
  }
}

function note(places: Map<string, Place>, place: string, text: string, page: number): void {
  let texts = places.get(place);
  if (!texts) places.set(place, (texts = new Map()));
  const pages = texts.get(text);
  if (!pages) texts.set(text, [page]);
  else if (pages.at(-1) !== page) pages.push(page);
}

/**
 * Tells whether no other text takes the place of one between its first and last page: values that
 * change back and forth are content. Left and right pages may differ.
 */
function isAloneBetween(texts: Place, text: string, pages: readonly number[]): boolean {
  const first = pages[0]!;
  const last = pages.at(-1)!;
  const step = pages.every(page => (page - first) % 2 === 0) ? 2 : 1;
  const own = new Set(pages);
  for (const [other, where] of texts)
    if (other !== text)
      for (const page of where)
        if (page > first && page < last && (page - first) % step === 0 && !own.has(page))
          return false;
  return true;
}
