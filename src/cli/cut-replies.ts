/** Counts the replies of models that were cut over all runs of an evaluation. */
import type { CutReply, Trace } from '../core/trace/trace.ts';
import { wordsOfCut } from '../models/cut-words.ts';
import { roomWords } from './run-text.ts';
import { printable } from './wrap.ts';

export class CutReplies {
  private readonly cut: (CutReply & { readonly question: string })[] = [];

  note({ question, cut = [] }: Trace): void {
    this.cut.push(...cut.map(reply => ({ ...reply, question: question.id })));
  }

  /** Returns what to say of them; undefined if there is none. */
  words(): string | undefined {
    const [first] = this.cut;
    if (first === undefined) return undefined;
    const { length } = this.cut;
    const count = length === 1 ? '1 reply of the model was' : `${length} replies of the model were`;
    return `${count} cut, the first to ${first.role} of question ${printable(first.question)} ${wordsOfCut(first)}; ${roomWords(this.cut)}`;
  }
}
