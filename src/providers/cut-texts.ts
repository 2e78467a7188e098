/** Counts and names the texts of which an embedder reads a part, or nothing. */
import type { PortError } from '../core/errors.ts';
import type { OnNote } from './request-parameters.ts';

/** Texts that are named; further ones are counted. */
const NAMED = 20;

export class CutTexts {
  /** Number of texts that were cut. */
  texts = 0;
  private named = 0;
  private readonly label: string;
  private readonly onNote: OnNote;

  constructor(label: string, onNote: OnNote) {
    this.label = label;
    this.onNote = onNote;
  }

  /** `kept` is the number of characters that were embedded; undefined if none were. */
  add(
    text: string,
    { document, kept, error }: { document?: string; kept?: number; error: PortError },
  ): void {
    if (kept !== undefined) this.texts++;
    if (++this.named > NAMED) return;
    const what = textOf(text, document);
    this.onNote(
      kept === undefined
        ? `${error.message}. It has no vector of its words: ${what}`
        : `${this.label} takes no text as long as ${what}: its first ${kept} of ${text.length} characters are embedded`,
    );
    if (this.named === NAMED) this.onNote(`${this.label} refuses more texts, which are not named`);
  }
}

/** Names a text by its document, or else by its beginning. */
export const textOf = (text: string, document: string | undefined): string =>
  document === undefined
    ? `the text that begins ${JSON.stringify(text.slice(0, 80).toWellFormed())}`
    : `that of the document ${JSON.stringify(document)} that begins ${JSON.stringify(text.slice(0, 40).toWellFormed())}`;
