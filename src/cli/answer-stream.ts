/** Shows an answer on a terminal while a language model writes it. */
import { INSUFFICIENT } from '../readers/reader.ts';
import type { Output } from './output.ts';
import { WrappedWriter } from './wrapped-writer.ts';

export class AnswerStream {
  private readonly writer: WrappedWriter;
  /** Text that may still turn out to be a refusal, which is no answer. */
  private held = '';
  private begun = false;
  private all = '';

  constructor(output: Output) {
    this.writer = new WrappedWriter(output.width, text => output.part(text));
  }

  push(piece: string): void {
    const text = this.held + piece;
    const isRefusal = INSUFFICIENT.toLowerCase().startsWith(text.trim().toLowerCase());
    if (!this.begun && isRefusal) this.held = text;
    else {
      this.held = '';
      this.begun = true;
      this.all += text;
      this.writer.push(text);
    }
  }

  /** Ends the last line; returns the text that was shown. */
  end(): string {
    if (this.begun) this.writer.end();
    return this.all;
  }
}
