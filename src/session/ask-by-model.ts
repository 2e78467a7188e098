/** Asks over an engine in memory with any language model. */
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import type { AskOptions } from '../run/ask.ts';
import { type GivenModel, languageModelOf } from './given-model.ts';
import { reportedAsk } from './otel/reported-ask.ts';

/** The options of `ask`, with a model of this package or of the AI SDK. */
export interface AskByModel extends Omit<AskOptions, 'model'> {
  readonly model?: GivenModel | undefined;
}

export async function* askByModel(
  question: string,
  { model, ...options }: AskByModel,
): AsyncGenerator<TraceEvent, Trace, void> {
  const opened = model && (await languageModelOf(model));
  return yield* reportedAsk(question, { ...options, model: opened });
}
