/**
 * The text of the block that is open: what links hold of it, and texts of which the rest of the
 * block decides whether they are said, which are labels of buttons and alternatives of images.
 */
import { withLowered, withRaised } from '../../blocks/raised.ts';

/** Noncharacters, which no text has, around a label of a button and the alternative of an image. */
const BUTTON = ['\ufdd0', '\ufdd1'] as const;
const IMAGE = ['\ufdd2', '\ufdd3'] as const;
const MARKS = /[\ufdd0-\ufdd3]/g;
const LABELS = /\ufdd0[^\ufdd0\ufdd1]*\ufdd1/g;
const ALTERNATIVES = /\ufdd2([^\ufdd2\ufdd3]*)\ufdd3/g;

/** A link, superscript or subscript that is open. */
interface OpenMark {
  readonly name: 'a' | 'sup' | 'sub';
  readonly start: number;
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
  /** All of it is the alternative of images, or the labels of buttons. */
  readonly only: 'image' | 'button' | undefined;
}

export class LineText {
  language = '';
  private text = '';
  private links: string[] = [];
  private linked = 0;
  private linkedLetters = 0;
  private inLink = 0;
  private open: OpenMark[] = [];
  /** A raised or lowered digit ended just now. */
  private isAfterMark = false;

  get isEmpty(): boolean {
    return this.text === '';
  }

  /** Adds text outside tags. `asIs`: white space counts. */
  add(text: string, asIs: boolean): void {
    if (text === '') return;
    const shown = asIs ? text : text.replace(/\s+/g, ' ');
    this.countLinked(shown);
    if (this.isAfterMark && /^\p{N}/u.test(shown)) this.text += ' ';
    this.isAfterMark = false;
    this.text += this.text === '' && !asIs ? shown.trimStart() : shown;
  }

  private countLinked(text: string): void {
    if (this.inLink === 0) return;
    this.linked += lengthOf(text);
    this.linkedLetters += lettersIn(text);
  }

  /** Parts words. */
  space(): void {
    if (/\S$/.test(this.text)) this.text += ' ';
  }

  lineEnd(): void {
    if (!this.text.endsWith('\n')) this.text += '\n';
  }

  lineBreak(): void {
    this.text += '\n';
  }

  image(alternative: string): void {
    const shown = alternative.replace(MARKS, '').replace(/\s+/g, ' ').trim();
    this.countLinked(shown);
    this.text += `${IMAGE[0]}${shown}${IMAGE[1]}`;
  }

  openButton(): void {
    this.text += BUTTON[0];
  }

  closeButton(): void {
    this.text += BUTTON[1];
  }

  openLink(href: string, isNote: boolean): void {
    this.inLink++;
    this.links.push(href);
    const isLinked = href.startsWith('#');
    this.open.push({ name: 'a', start: this.text.length, isNote, isLinked });
    // A superscript that holds a link leads to a note.
    this.open = this.open.map(each => (each.name === 'sup' ? { ...each, isNote: true } : each));
  }

  openRaised(name: 'sup' | 'sub', isNote: boolean): void {
    const link = this.open.findLast(each => each.name === 'a');
    const isLinked = link?.start === this.text.length;
    this.open.push({ name, start: this.text.length, isNote, isLinked });
  }

  /** Ends the innermost open mark of a name. */
  close(name: OpenMark['name']): void {
    const at = this.open.findLastIndex(each => each.name === name);
    const mark = this.open[at];
    if (name === 'a' && this.inLink > 0) this.inLink--;
    if (mark === undefined) return;
    this.open.length = at;
    const before = this.text.slice(0, mark.start);
    const said = this.text.slice(mark.start);
    const isNote = isNoteMark(before, said, mark);
    // The text of a link stands for an image in it.
    if (name === 'a' && !mark.isLinked && ALTERNATIVE.test(said) && isText(said))
      this.text = before + said.replace(ALTERNATIVES, ' ');
    if (name === 'sub') this.text = withLowered(before, said);
    else if (name === 'sup' || isNote)
      this.text = withRaised(before, said, { isNote, language: this.language });
    else return;
    this.isAfterMark = /\p{N}$/u.test(this.text);
  }

  /** Returns the text so far, and begins another. A heading is not said to show an image. */
  take(isHeading = false): BlockText {
    const { links, linked, linkedLetters } = this;
    const text = spoken(this.text, isHeading);
    this.text = '';
    this.links = [];
    this.linked = 0;
    this.linkedLetters = 0;
    this.open = [];
    this.isAfterMark = false;
    const isLink = linked > 0 && linkedLetters >= lettersIn(text.text);
    return { ...text, links, characters: lengthOf(text.text), linked, isLink };
  }
}

const lengthOf = (text: string): number => text.replace(/[\s\ufdd0-\ufdd3]+/g, '').length;

const ALTERNATIVE = /\ufdd2/;
const isText = (text: string): boolean => text.replace(ALTERNATIVES, '').trim() !== '';

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** Tells whether a mark leads to a note: it says so, or is a linked number right behind a word. */
function isNoteMark(before: string, said: string, { isNote, isLinked }: OpenMark): boolean {
  if (!/[\p{L}\p{N}\p{P}]$/u.test(before)) return false;
  return isNote || (isLinked && /^(?:\p{N}{1,3}|\p{L})$/u.test(said.trim()));
}

/**
 * Decides what is said of the labels and alternatives in a text. A label within a sentence names
 * what a reader presses; at its ends it is a control. An alternative is left out where the text
 * says it already.
 */
function spoken(text: string, isHeading: boolean): Pick<BlockText, 'text' | 'only'> {
  if (text.search(MARKS) < 0) return { text, only: undefined };
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
