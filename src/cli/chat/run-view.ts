/** Shows a run of a chat while it goes on: its hops, the answer as it is written, the waiting. */
import type { Document } from '../../core/corpus/document.ts';
import type { Budget, Usage } from '../../core/trace/usage.ts';
import type { AnswerStream } from '../answer-stream.ts';
import type { Output } from '../output.ts';
import { Waiting } from '../waiting.ts';
import type { HopEvent, QuestionEvent, WatchedRun } from './chat-run.ts';
import { followUpLines } from './follow-up-lines.ts';
import { added, hopLine } from './hop-line.ts';

/** Columns of a hop where no terminal limits them. */
const WIDE = 200;

export class RunView implements WatchedRun {
  readonly output: Output;
  private readonly budget: Budget;
  /** The question that is asked. */
  private question = '';
  private readonly stream: AnswerStream | undefined;
  private readonly waiting: Waiting;
  private before: Usage = {};

  constructor(output: Output, budget: Budget, stream: AnswerStream | undefined) {
    this.output = output;
    this.budget = budget;
    this.stream = stream;
    this.waiting = new Waiting(output);
    this.waiting.begin('searching');
  }

  /** The option of that name of a run, if the answer is shown while it is written. */
  get onText(): ((piece: string) => void) | undefined {
    const { stream } = this;
    return (
      stream &&
      (piece => {
        this.waiting.end();
        stream.push(piece);
      })
    );
  }

  onQuestion({ question, followUp }: QuestionEvent): void {
    const { output } = this;
    this.question = question.text;
    if (followUp === undefined || output.json) return;
    this.waiting.end();
    for (const line of followUpLines(question.text, followUp, output)) output.line(line);
    this.waiting.begin('searching');
  }

  onHop(event: HopEvent, documents: ReadonlyMap<string, Document>): void {
    const { output, before } = this;
    this.waiting.end();
    const page = { style: output.noteStyle, width: output.watched ? output.width : WIDE };
    const { question, budget } = this;
    if (!output.json) output.note(hopLine(event, { question, budget, before, documents }, page));
    this.before = added(before, event.hop.spent);
    this.waiting.begin('searching');
  }

  onContext(): void {
    this.waiting.begin('answering');
  }

  /** Clears what is waited for; returns the text that was shown while a model wrote it. */
  end(): string {
    this.waiting.end();
    return this.stream?.end() ?? '';
  }
}
