/** A chat over an opened session: answers questions in turn, and remembers the last run. */

import { AuditChain } from '../../core/trace/audit-chain.ts';
import type { Trace } from '../../core/trace/trace.ts';
import type { Budget } from '../../core/trace/usage.ts';
import type { Turn } from '../../language/follow-ups/turn.ts';
import { sha256 } from '../../platform/sha256.ts';
import { readers } from '../../readers/readers.ts';
import { usualReader } from '../../run/ask.ts';
import type { StoreAskOptions } from '../../session/document-store.ts';
import { runResult } from '../../session/run-result.ts';
import type { Session } from '../../session/session.ts';
import { AnswerStream } from '../answer-stream.ts';
import { exitCodeOfStop } from '../ask-exit.ts';
import { withModel } from '../model-cost.ts';
import type { Output } from '../output.ts';
import { stoppedWords } from '../run-text.ts';
import { chatAnswerLines } from './chat-answer.ts';
import { type FinishedRun, runQuestion } from './chat-run.ts';
import { RunView } from './run-view.ts';

const turnOf = ({ question, answer }: Trace): Turn => ({
  question: question.text,
  answer: answer.kind === 'answered' ? answer.text : undefined,
});

/** Settings of every question; commands of the chat change the first two. */
export interface ChatSettings extends Omit<StoreAskOptions, 'signal' | 'strategy' | 'reader'> {
  readonly strategy: string;
  readonly budget: Budget;
  readonly reader?: string | undefined;
}

export class Chat {
  settings: ChatSettings;
  /** The last run that ended, whole or interrupted. */
  last: FinishedRun | undefined;
  /** The questions asked so far, as they were asked in full, with their answers. */
  earlier: readonly Turn[] = [];
  readonly output: Output;
  private readonly session: Session;
  /** True if a question may refer to those before it. */
  private readonly isConversation: boolean;

  constructor(session: Session, settings: ChatSettings, output: Output, isConversation: boolean) {
    this.session = session;
    this.settings = settings;
    this.output = output;
    this.isConversation = isConversation;
  }

  /**
   * Runs a question, prints its hops as they come and then its answer, and returns the exit code
   * that `multihop ask` would have. Throws `InputError` and `PortError`.
   */
  async ask(question: string, signal: AbortSignal): Promise<number> {
    const { settings } = this;
    const view = new RunView(this.output, settings.budget, this.stream());
    try {
      const options = { ...settings, earlier: this.earlier, signal, onText: view.onText };
      const run = await runQuestion(this.session, question, options, view);
      this.last = run;
      if (this.isConversation) this.earlier = [...this.earlier, turnOf(run.trace)];
      this.print(run, view.end());
      return exitCodeOfStop(run.trace.stopped);
    } finally {
      view.end();
    }
  }

  /** Begins a new conversation. */
  forget(): void {
    this.earlier = [];
  }

  private print(run: FinishedRun, streamed: string): void {
    const { output } = this;
    if (output.json) {
      const chain = new AuditChain(sha256);
      for (const event of run.events) chain.line(event);
      chain.seal();
      const result = runResult(run.trace, run.documents, chain.now(), undefined, run.paths);
      output.record(withModel(result, run.model));
      return;
    }
    const { stopped } = run.trace;
    if (stopped) output.line(output.style.yellow(stoppedWords(stopped)));
    const fold = output.shown ? '/sources' : undefined;
    for (const line of chatAnswerLines(run, output, { streamed, fold })) output.line(line);
  }

  /** Shows sentences on a terminal as they are written; a short form, which has repairs, whole. */
  private stream(): AnswerStream | undefined {
    const { reader = usualReader(this.session.hasModel) } = this.settings;
    const isShort = readers.canonical(reader).includes('form=short');
    return this.output.shown && !this.output.json && !isShort
      ? new AnswerStream(this.output)
      : undefined;
  }
}
