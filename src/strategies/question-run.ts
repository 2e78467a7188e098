/** The state of a strategy that runs on one question, for all parts of the strategy. */
import { Selection } from '../context/selection.ts';
import type { Call } from '../core/trace/call.ts';
import type { Question } from '../core/trace/trace.ts';
import type { Kit } from './strategy.ts';

export abstract class QuestionRun<S> {
  protected readonly question: Question;
  protected readonly kit: Kit;
  protected readonly call: Call;
  protected readonly settings: S;
  /** The evidence so far. */
  protected readonly selection: Selection;

  constructor(question: Question, kit: Kit, call: Call, settings: S) {
    [this.question, this.kit, this.call, this.settings] = [question, kit, call, settings];
    this.selection = new Selection(kit.context, call);
  }
}
