/**
 * Chooses the blocks of a page that are its content. Each rule is judged by what it would lose:
 * content that a page marks is taken alone only if it holds more prose than the rest.
 */
import type { HtmlBlock } from './html-block.ts';
import { isImage } from './line-text.ts';
import { holdsProse, type Measures, NOTHING, type Region, sum } from './regions.ts';

export interface MainPart {
  readonly blocks: readonly HtmlBlock[];
  /** The rules would have left no prose. */
  readonly isWhole: boolean;
}

/** Returns the content of a piece of a text, which has no menus: all but lists of its headings. */
export const pieceContent = (all: readonly HtmlBlock[]): MainPart => ({
  blocks: withoutRepeats(
    withoutLinkRuns(
      all.filter(({ region }) => !region?.isOut),
      () => false,
    ),
  ),
  isWhole: false,
});

/** Returns the content of a page; all of it where the rules leave no prose. */
export function mainPart(all: readonly HtmlBlock[], title: string): MainPart {
  const shown = all.filter(({ region }) => !region?.isOut);
  const { blocks: content, isMarked } = contentOf(shown, title);
  const counts = countsOf(content, ({ linked }) => linked);
  const deepest = isMarked ? 7 : deepestAbove(content);
  const isMenu = ({ text, introduction }: HtmlBlock): boolean =>
    (!isMarked && introduction > deepest) || counts.get(said(text))! >= LINK_RUN;
  const kept = withoutRepeats(withoutLinkRuns(content, isMenu));
  if (kept.length === all.length || holdsProse(measured(kept)))
    return { blocks: kept, isWhole: false };
  const isKept = new Set(kept);
  const lost = all.filter(block => !isKept.has(block));
  const { sentences, data } = measured(lost);
  const isList = kept.every(({ kind }) => kind === 'heading') && lost.length >= LINK_RUN;
  if (!isList && sentences + data === 0) return { blocks: kept, isWhole: false };
  return { blocks: all, isWhole: true };
}

const measured = (blocks: readonly HtmlBlock[]): Measures =>
  blocks.reduce((total, { measures }) => sum(total, measures), NOTHING);

interface Content {
  readonly blocks: readonly HtmlBlock[];
  readonly isMarked: boolean;
}

/** Returns what the page marks as its content with its notes, which may stand below the mark. */
function contentOf(blocks: readonly HtmlBlock[], title: string): Content {
  const notes = blocks.filter(({ region }) => region?.isNotes);
  if (notes.length === 0) return markedContent(blocks, title);
  const others = blocks.filter(({ region }) => !region?.isNotes);
  const { blocks: content, isMarked } = markedContent(others, title);
  return { blocks: [...content, ...notes].sort((a, b) => a.at - b.at), isMarked };
}

/** Returns what the page marks as its content, unless the rest is more of a content. */
function markedContent(blocks: readonly HtmlBlock[], title: string): Content {
  for (const mark of ['main', 'article'] as const) {
    const inside = blocks.filter(({ region }) => region?.mark === mark);
    if (inside.length === 0) continue;
    const outside = blocks.filter(({ region }) => region?.mark !== mark);
    const [kept, lost] = [measured(inside), measured(outside)];
    if (!holdsProse(kept) && lost.prose > 0) continue;
    const isTitled = outermost(inside) <= outermost(outside);
    if (mark === 'main' && (isTitled || lost.prose <= kept.prose))
      return { blocks: withoutAsides(inside), isMarked: true };
    if (mark === 'main') continue;
    const isNamed = longestIn(title, inside) >= Math.max(1, longestIn(title, outside));
    if (!isNamed && lost.prose > kept.prose) continue;
    if (isTitled || isNamed) return { blocks: inside, isMarked: true };
    return withTitledPart(inside, outside);
  }
  return { blocks, isMarked: false };
}

/** Leaves out asides of a page beside an article, unless they hold the heading of the page. */
function withoutAsides(main: readonly HtmlBlock[]): readonly HtmlBlock[] {
  const kept = main.filter(({ region }) => !region!.isBeside);
  const article = kept.filter(({ region }) => region!.inArticle);
  const isTitled = outermost(kept) <= outermost(main);
  return isTitled && holdsProse(measured(article)) ? kept : main;
}

/** Returns the level of the outermost heading outside links, 7 if there is none. */
const outermost = (blocks: readonly HtmlBlock[]): number =>
  blocks.reduce((level, block) => Math.min(level, levelOf(block)), 7);
const levelOf = ({ level, measures }: HtmlBlock): number => (measures.headings > 0 ? level : 7);

/** Returns the length of the longest heading that the title of the page says. */
function longestIn(title: string, blocks: readonly HtmlBlock[]): number {
  const said = letters(title);
  return blocks.reduce((longest, { level, text }) => {
    const heading = level > 0 ? letters(text) : '';
    return said.includes(heading) ? Math.max(longest, heading.length) : longest;
  }, 0);
}

/**
 * Returns articles with the part that begins at the outermost heading before them: a post, below
 * which stand comments that are marked as articles.
 */
function withTitledPart(inside: readonly HtmlBlock[], outside: readonly HtmlBlock[]): Content {
  const level = outermost(outside);
  const heading = outside.find(block => levelOf(block) === level)!;
  const end = Math.max(inside[0]!.at, heading.container?.end ?? 0);
  const part = outside.filter(({ at }) => heading.at <= at && at < end);
  if (measured(part).prose === 0) return { blocks: inside, isMarked: true };
  return { blocks: [...inside, ...part].sort((a, b) => a.at - b.at), isMarked: true };
}

/** Fewest blocks of links in a row, or equal ones on a page, that are taken for navigation. */
const LINK_RUN = 3;

/**
 * Leaves out runs of links: tables of contents, which lead into this very page and repeat its
 * headings, and menus: on a page those that it repeats, and if it does not mark its content those
 * that nothing introduces.
 */
function withoutLinkRuns(
  blocks: readonly HtmlBlock[],
  isMenu: (block: HtmlBlock) => boolean,
): readonly HtmlBlock[] {
  const isContents = contentsOf(blocks);
  const dropped = new Set<HtmlBlock>();
  let run: HtmlBlock[] = [];
  const end = (): void => {
    if (run.length >= LINK_RUN) for (const block of run) dropped.add(block);
    run = [];
  };
  for (const block of blocks) {
    if (block.linked && (isContents(block) || isMenu(block))) run.push(block);
    else end();
  }
  end();
  return blocks.filter(block => !dropped.has(block));
}

/** Tells whether a block is an entry of a table of contents of blocks. */
function contentsOf(blocks: readonly HtmlBlock[]): (block: HtmlBlock) => boolean {
  let headings: ReadonlySet<string> | undefined;
  return ({ links, text }) => {
    if (links.length === 0 || !links.every(link => link.startsWith('#'))) return false;
    headings ??= new Set(blocks.filter(({ level }) => level > 0).map(each => letters(each.text)));
    return headings.has(letters(text));
  };
}

/** Levels of headings that may stand above lists of links: title, section and subsection. */
const LIST_LEVELS = 3;

/**
 * Returns the level of the deepest heading below which a list of links is content. Boxes of links
 * beside a text have headings deeper than its subsections; a page that is mostly lists has none.
 */
function deepestAbove(blocks: readonly HtmlBlock[]): number {
  const levels = new Set(blocks.map(levelOf).filter(level => level < 7));
  const deepest = [...levels].sort((a, b) => a - b)[LIST_LEVELS - 1] ?? 6;
  const size = (some: readonly HtmlBlock[]): number =>
    some.reduce((total, { measures }) => total + measures.characters, 0);
  const [links, others] = [true, false].map(is =>
    size(blocks.filter(({ linked }) => linked === is)),
  );
  return links! > others! ? 6 : deepest;
}

/** Counts the blocks that say the same as one that is asked for. */
function countsOf(
  blocks: readonly HtmlBlock[],
  isAsked: (block: HtmlBlock) => boolean,
): ReadonlyMap<string, number> {
  const asked = blocks.filter(isAsked).map(({ text }) => said(text));
  const counts = new Map(asked.map(text => [text, 0]));
  if (asked.length === 0) return counts;
  // Longer texts are not looked up, which takes as long as to read them.
  const longest = asked.reduce((length, text) => Math.max(length, text.length), 0);
  for (const { text } of blocks) {
    const key = said(text);
    const count = key.length <= longest ? counts.get(key) : undefined;
    if (count !== undefined) counts.set(key, count + 1);
  }
  return counts;
}

/** Returns the text of a block without the mark of an item. */
const said = (text: string): string => text.replace(/^(?:-|\d+\.) /, '').trim();

/** Returns the letters of a heading or of a link to it, which may number it. */
const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[^\p{L}]+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Leaves out controls, icons that mark a text, and what the page says elsewhere: alternatives of
 * images, and what stands again in parts that are opened or stand beside. A control is a button of
 * one or two words, such as "Copy", one above no prose, or one that the page has more than once.
 */
function withoutRepeats(blocks: readonly HtmlBlock[]): readonly HtmlBlock[] {
  if (blocks.every(({ only, region }) => only === undefined && !isApart(region))) return blocks;
  const counts = countsOf(blocks, ({ only }) => only !== undefined);
  const seen = new Set<string>();
  return blocks.filter((block, index) => {
    const { text, level, only, region, measures } = block;
    const key = said(text);
    const isRepeated = only !== undefined && counts.get(key)! > 1;
    const isAgain = seen.has(key);
    seen.add(key);
    if (level > 0 || only === 'panel') return true;
    if (isImage(only))
      return (
        !isSign(blocks, index) &&
        !isRepeated &&
        !isBadge(block) &&
        !saysNear(blocks, index, letters(text))
      );
    if (only === 'button') return !isRepeated && isQuestion(blocks, index);
    return !(isAgain && isApart(region) && measures.prose === 0);
  });
}

const isApart = (region: Region | undefined): boolean =>
  region?.standing === 'aside' || region?.standing === 'hidden';

/** Tells whether an icon stands alone above a text, which it marks as a note or a tip. */
const isSign = (blocks: readonly HtmlBlock[], index: number): boolean =>
  blocks[index]!.only === 'icon' &&
  index + 1 < blocks.length &&
  blocks[index + 1]!.only === undefined;

/** Tells whether an image leads to another page, as badges and teasers do, and to no picture. */
const isBadge = ({ linked, links }: HtmlBlock): boolean =>
  linked &&
  links.length > 0 &&
  links.every(link => !/^#|\.(?:png|jpe?g|gif|svg|webp)$/i.test(link));

/** Tells whether a button of several words stands above prose, as a question above its answer. */
const isQuestion = (blocks: readonly HtmlBlock[], index: number): boolean =>
  /\S\s+\S+\s+\S/.test(blocks[index]!.text.trim()) && (blocks[index + 1]?.measures.prose ?? 0) > 0;

/** Tells whether a block beside an image says its alternative, as a caption does. */
const saysNear = (blocks: readonly HtmlBlock[], index: number, alternative: string): boolean =>
  [index - 1, index + 1].some(at => letters(blocks[at]?.text ?? '').includes(alternative));
