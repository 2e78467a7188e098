/** Turns tokens into text as they come: a letter may be spread over several tokens. */
import type { LlamaModel, Token } from './llama-library.ts';

/** Bytes of the longest letter in UTF-8, each of which may be a token. */
const LONGEST = 4;

export class TokenText {
  private readonly model: LlamaModel;
  private before: readonly Token[] = [];
  private held: Token[] = [];

  constructor(model: LlamaModel) {
    this.model = model;
  }

  /** Returns the text that is complete with this token. */
  push(token: Token): string {
    this.held.push(token);
    const text = this.text();
    if (text.endsWith('\ufffd') && this.held.length < LONGEST) return '';
    this.take();
    return text;
  }

  /** Returns what is left. */
  end(): string {
    const text = this.held.length > 0 ? this.text() : '';
    this.take();
    return text;
  }

  private text(): string {
    return this.model.detokenize(this.held, true, this.before);
  }

  private take(): void {
    this.before = [...this.before, ...this.held].slice(-LONGEST);
    this.held = [];
  }
}
