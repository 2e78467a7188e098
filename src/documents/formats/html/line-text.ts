/**
 * The text of the block that is open: what links hold of it, and texts of which the rest of the
 * block decides whether they are said, which are labels of buttons and alternatives of images.
 */
import { FRACTION, lowered, raised } from '../../blocks/raised.ts';

/** Noncharacters, which no text has, around a label of a button and the alternative of an image. */
const BUTTON = ['\ufdd0', '\ufdd1'] as const;
const IMAGE = ['\ufdd2', '\ufdd3'] as const;
const MARKS = /[\ufdd0-\ufdd3]/g;
const LABELS = /\ufdd0[^\ufdd0\ufdd1]*\ufdd1/g;
const ALTERNATIVES = /\ufdd2([^\ufdd2\ufdd3]*)\ufdd3/g;

/** A link, superscript or subscript that is open. */
interface OpenMark {
  readonly name: 'a' | 'sup' | 'sub';
  /** The text before it, and the end of that. */
  readonly before: string;
  readonly end: string;
  /** It says that it leads to a note. */
  readonly isNote: boolean;
  /** Leads into its own page, or begins a link. */
  readonly isLinked: boolean;
}

/** The text of a block. */
export interface BlockText {
  readonly text: string;
  readonly links: readonly string[];
  /** Characters of it without white space, and those in links. */
  readonly characters: number;
  readonly linked: number;
  /** All letters of it are in links. */
  readonly isLink: boolean;
  /** All of it is the alternative of images, all of them icons, or the labels of buttons. */
  readonly only: 'image' | 'icon' | 'button' | undefined;
}

/** Tells whether all of a block is alternatives of images. */
export const isImage = (only: BlockText['only'] | 'panel'): boolean =>
  only === 'image' || only === 'icon';

/** Characters at the end of a text that tell what follows it. */
const END = 24;
/** Longer raised text is no exponent, ordinal or mark of a note. */
const RAISED_CHARACTERS = 100;

/**
 * Texts are only joined here, and looked at by their ends: to read one character of a text that was
 * joined takes as long as copying it.
 */
export class LineText {
  language = '';
  private text = '';
  /** The end of the text, of at least `END` characters if there are so many. */
  private tail = '';
  private links: string[] = [];
  private linked = 0;
  /** A letter stands outside links. */
  private isOwn = false;
  private inLink = 0;
  private open: OpenMark[] = [];
  private hasLower = false;
  /** An image that is no icon. */
  private hasPicture = false;
  private isTouched = false;
  /** A raised or lowered digit ended just now. */
  private isAfterMark = false;

  /** Nothing was added since `take`, not even an empty link. */
  get isUntouched(): boolean {
    return !this.isTouched;
  }

  get isEmpty(): boolean {
    return this.tail === '';
  }

  /** The last `END` characters of the text. */
  private get end(): string {
    if (this.tail.length > END) this.tail = this.tail.slice(-END);
    return this.tail;
  }

  /** Adds text outside tags. `asIs`: white space counts. */
  add(text: string, asIs: boolean): void {
    if (text === '') return;
    // White space between blocks.
    if (!this.isTouched && !asIs && text.trimStart() === '') return;
    const shown = asIs || !SPACES.test(text) ? text : text.replace(/\s+/g, ' ');
    this.countLinked(shown);
    if (this.isAfterMark && /^\p{N}/u.test(shown)) this.join(' ');
    this.isAfterMark = false;
    this.join(this.isEmpty && !asIs ? shown.trimStart() : shown);
  }

  private join(text: string): void {
    this.isTouched = true;
    this.text += text;
    this.tail = text.length < END ? this.tail + text : text;
  }

  private countLinked(text: string): void {
    if (this.inLink > 0) this.linked += lengthOf(text);
    else if (!this.isOwn) this.isOwn = LETTER.test(text);
  }

  /** Parts words. */
  space(): void {
    if (/\S$/.test(this.end)) this.join(' ');
  }

  lineEnd(): void {
    if (!this.end.endsWith('\n')) this.join('\n');
  }

  lineBreak(): void {
    this.join('\n');
  }

  image(alternative: string, isIcon: boolean): void {
    this.hasPicture ||= !isIcon;
    const shown = alternative.replace(MARKS, '').replace(/\s+/g, ' ').trim();
    this.countLinked(shown);
    this.join(`${IMAGE[0]}${shown}${IMAGE[1]}`);
  }

  openButton(): void {
    this.join(BUTTON[0]);
  }

  closeButton(): void {
    this.join(BUTTON[1]);
  }

  openLink(href: string, isNote: boolean): void {
    this.inLink++;
    this.links.push(href);
    // A superscript that holds a link leads to a note.
    const raised = this.open.at(-1);
    if (raised?.name === 'sup') this.open[this.open.length - 1] = { ...raised, isNote: true };
    this.begin('a', isNote, href.startsWith('#'));
  }

  openRaised(name: 'sup' | 'sub', isNote: boolean): void {
    const isLinked = this.open.at(-1)?.name === 'a' && this.text === '';
    this.begin(name, isNote, isLinked);
  }

  private begin(name: OpenMark['name'], isNote: boolean, isLinked: boolean): void {
    this.isTouched = true;
    this.open.push({ name, isNote, isLinked, before: this.text, end: this.end });
    this.text = '';
  }

  /** Ends the innermost open mark of a name. */
  close(name: OpenMark['name']): void {
    if (name === 'a' && this.inLink > 0) this.inLink--;
    const at = this.open.findLastIndex(each => each.name === name);
    if (at < 0) return;
    this.joinOpen(at + 1);
    const mark = this.open.pop()!;
    const said = this.text;
    this.text = mark.before;
    if (said.length > RAISED_CHARACTERS || (said === '' && name !== 'a')) {
      this.text += said;
      return;
    }
    this.tail = mark.end;
    this.join(this.shown(said, mark));
    this.isAfterMark = name !== 'a' && /\p{N}$/u.test(this.end);
  }

  /** Joins the texts of open marks from an index on. */
  private joinOpen(from: number): void {
    if (this.open.length === from) return;
    for (const { before } of this.open.splice(from).reverse()) this.text = before + this.text;
  }

  /** Returns what a mark adds to the text before it. */
  private shown(said: string, mark: OpenMark): string {
    const isNote = isNoteMark(mark.end, said, mark);
    if (mark.name === 'sub') this.hasLower = true;
    if (mark.name === 'sub') return lowered(mark.end, said);
    if (mark.name === 'sup' || isNote)
      return raised(mark.end, said, { isNote, language: this.language });
    // The text of a link stands for an image in it.
    if (mark.isLinked || !said.includes(IMAGE[0]) || !isText(said)) return said;
    return said.replace(ALTERNATIVES, ' ');
  }

  /** Returns the text so far, and begins another. A heading is not said to show an image. */
  take(isHeading = false): BlockText {
    this.joinOpen(0);
    const { links, linked, hasPicture } = this;
    const isLink = linked > 0 && !this.isOwn;
    const whole = this.hasLower ? this.text.replace(FRACTION, ' $1/$2') : this.text;
    const { text, only } = spoken(whole, isHeading);
    this.isTouched = false;
    this.text = '';
    this.tail = '';
    this.links = [];
    this.linked = 0;
    this.isOwn = false;
    this.hasLower = false;
    this.hasPicture = false;
    this.isAfterMark = false;
    return {
      text,
      only: only === 'image' && !hasPicture ? 'icon' : only,
      links,
      characters: lengthOf(text),
      linked,
      isLink,
    };
  }
}

/** White space that `add` changes. */
const SPACES = /\s\s|[^\S ]/;

/** Returns how many characters a text has without white space and `MARKS`. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32 && (code < 128 || !BLANK.test(text[at]!))) length++;
    else if (code < 32 && (code < 9 || code > 13)) length++;
  }
  return length;
}

const BLANK = /[\s\ufdd0-\ufdd3]/;

const isText = (text: string): boolean => text.replace(ALTERNATIVES, '').trim() !== '';

const LETTER = /\p{L}/u;

/** Tells whether a mark leads to a note: it says so, or is a linked number right behind a word. */
function isNoteMark(end: string, said: string, { isNote, isLinked }: OpenMark): boolean {
  const leads = isNote || (isLinked && /^(?:\p{N}{1,3}|\p{L})$/u.test(said.trim()));
  return leads && /[\p{L}\p{N}\p{P}]$/u.test(end);
}

/**
 * Decides what is said of the labels and alternatives in a text. A label within a sentence names
 * what a reader presses; at its ends it is a control. An alternative is left out where the text
 * says it already.
 */
function spoken(
  text: string,
  isHeading: boolean,
): { readonly text: string; readonly only: 'image' | 'button' | undefined } {
  if (text === '' || text.search(MARKS) < 0) return { text, only: undefined };
  const outside = text.replace(LABELS, label => ' '.repeat(label.length)).replace(MARKS, ' ');
  const isButton = outside.trim() === '' && text.includes(BUTTON[0]);
  const from = outside.search(/\S/);
  const to = outside.trimEnd().length;
  const shown = text.replace(LABELS, (label, at: number) =>
    isButton || (from < at && at < to) ? ` ${label} ` : '',
  );
  const rest = shown.replace(ALTERNATIVES, ' ').replace(MARKS, '').toLowerCase();
  const only = isButton ? 'button' : rest.trim() === '' ? 'image' : undefined;
  const said = shown.replace(ALTERNATIVES, (_, alternative: string) =>
    (isHeading && only !== 'image') || rest.includes(alternative.toLowerCase())
      ? ''
      : ` ${alternative} `,
  );
  return { text: said.replace(MARKS, ''), only };
}
