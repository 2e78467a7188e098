/** Passes on a streamed reply without the thoughts that reasoning models begin with. */
import { CLOSING, closingIn, OPENING, withoutThinking } from './thoughts.ts';

const NUMBERS = '\\d{1,3}(?:\\s?[,;&–-]\\s?\\d{1,3}){0,9}';
const NOUN = '\\p{L}{2,12}\\s';
const MARK = `(?:\\\\?[\\[(（【［]\\s?(?:\\^|#|${NOUN})?${NUMBERS}\\s?\\\\?[\\])】］]|<{1,2}${NOUN}${NUMBERS}>{1,2}|<sup>\\[?${NUMBERS}\\]?</sup>)`;
/** Matches a sentence that cites, as those of answers do; thoughts name passages inside of one. */
const CITED = new RegExp(
  `${MARK}[*_]{0,3}(?:[.!?。！？]|\\s*\\n)|[.!?。！？]\\s?${MARK}(?!\\()`,
  'u',
);
/** Matches how thoughts begin that speak to nobody. */
const MUSING =
  /^(?:(?:ok(?:ay)?|al+ ?right|hm+|so|well|wait|now|first(?:ly)?|let me|let['’]?s|let us|we|i|i['’]m|i['’]ll|the (?:user|question)|user|to (?:answer|find|determine)|looking|also gut|gut|zuerst|der nutzer|bon|d['’]accord|bien|vale)(?![\p{L}\p{N}])|嗯|好|首先|用户|我|让我)/iu;

/**
 * Receives a reply in pieces, cut anywhere, and returns what may be shown of it, in pieces.
 * `startsInThought` says if the reply begins inside a thought, of which it holds the end alone. If
 * that is not known, what stands before the first sentence that cites is held back, and all that
 * begins as thoughts do.
 */
export class ReplyPieces {
  private state: 'start' | 'thinking' | 'after-thought' | 'reply' = 'start';
  /** Undecided input: the beginning of the reply, or the end of a thought. */
  private rest = '';
  private readonly startsInThought: boolean | undefined;

  constructor(startsInThought?: boolean) {
    this.startsInThought = startsInThought;
  }

  push(piece: string): string {
    if (this.state === 'reply') return piece;
    const text = this.rest + piece;
    if (this.state === 'thinking') return this.afterThought(text);
    const begun = text.trimStart();
    if (begun.startsWith(OPENING)) {
      this.state = 'thinking';
      return this.afterThought(begun.slice(OPENING.length));
    }
    if (this.state === 'start' && closingIn(begun, true) >= 0)
      return this.afterThought(begun.slice(closingIn(begun, true)));
    this.rest = text;
    const mayOpen = OPENING.startsWith(begun);
    const isUndecided = mayOpen || (this.state === 'start' && this.mayBeThought(begun));
    return isUndecided ? '' : this.shown(begun);
  }

  /** Returns what is left at the end of the reply. */
  end(): string {
    if (this.state === 'reply' || this.state === 'thinking') return '';
    return this.shown(withoutThinking(this.rest).trimStart());
  }

  private mayBeThought(begun: string): boolean {
    if (this.startsInThought !== undefined) return this.startsInThought;
    return MUSING.test(begun) || !CITED.test(begun);
  }

  private shown(text: string): string {
    this.state = 'reply';
    this.rest = '';
    return text;
  }

  private afterThought(text: string): string {
    const end = text.indexOf(CLOSING);
    this.rest = text.slice(-CLOSING.length);
    if (end < 0) return '';
    // White space follows a thought, and another thought may.
    this.state = 'after-thought';
    this.rest = '';
    return this.push(text.slice(end + CLOSING.length));
  }
}
