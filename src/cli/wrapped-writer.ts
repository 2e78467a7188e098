/**
 * Wraps text that arrives in pieces into lines of a number of columns, word by word; fenced code
 * keeps its lines.
 */
import { printablePart } from './wrap.ts';

export class WrappedWriter {
  private readonly width: number;
  private readonly write: (text: string) => void;
  /** Input after the last word that was written. */
  private rest = '';
  private column = 0;
  /** Blanks before the next word, which a line end replaces. */
  private blank = '';
  /** True inside a fenced block. */
  private verbatim = false;

  /** `write` takes text without control characters but line ends. */
  constructor(width: number, write: (text: string) => void) {
    this.width = width;
    this.write = write;
  }

  /** Writes every word of the text so far that has ended. */
  push(piece: string): void {
    const text = this.rest + piece;
    // A word may go on in the next piece.
    const end = /\S*$/.exec(text.slice(-MOST_HELD))?.[0].length ?? 0;
    const held = end === MOST_HELD ? 0 : end;
    this.rest = text.slice(text.length - held);
    this.words(text.slice(0, text.length - held));
  }

  /** Writes the rest, and ends the last line if it holds anything. */
  end(): void {
    this.words(this.rest);
    this.rest = '';
    if (this.column > 0) this.write('\n');
    this.column = 0;
  }

  private words(text: string): void {
    const out: string[] = [];
    for (const [part] of text.matchAll(/\n|[^\S\n]+|\S+/g)) out.push(this.laidOut(part));
    if (out.length > 0) this.write(out.join(''));
  }

  private laidOut(part: string): string {
    if (part === '\n') return this.lineEnd();
    const word = printablePart(part);
    if (word.trim() === '') {
      this.blank += word;
      return '';
    }
    if (this.column === 0 && word.startsWith('```')) this.verbatim = !this.verbatim;
    const next = this.column + this.blank.length + word.length;
    const wraps = !this.verbatim && this.column > 0 && next > this.width;
    const shown = wraps ? `\n${word}` : this.blank + word;
    this.column = wraps ? word.length : next;
    this.blank = '';
    return shown;
  }

  private lineEnd(): string {
    this.column = 0;
    this.blank = '';
    return '\n';
  }
}

/** Longest word that waits for its end. */
const MOST_HELD = 200;
