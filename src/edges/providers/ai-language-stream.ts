/**
 * A stream of the AI SDK read to its end: its pieces passed on as they come, and a stream that was
 * cut is never a whole text.
 */
import { PortError } from '../../errors.ts';
import { MAX_COMPLETION } from '../../models/checked-completion.ts';
import type { Completion, Prompt } from '../../models/language-model.ts';
import { type AiParty, aiFault } from './ai-faults.ts';
import {
  type AiLanguageCall,
  type AiLanguageModel,
  type AiStreamPart,
  completionOf,
  finishOf,
} from './ai-language-shapes.ts';
import { answerError, Fault, finalFault, timeoutFault } from './fault.ts';
import type { GenerationLimits } from './generation-limits.ts';

export interface StreamRequest {
  readonly model: AiLanguageModel;
  readonly asked: AiLanguageCall;
  readonly prompt: Prompt;
  readonly party: AiParty;
  readonly limits: GenerationLimits;
  readonly onText: (piece: string) => void;
  /** Ends the attempt by a fault. */
  readonly expire: (fault: Fault) => void;
}

/**
 * Throws `PortError`, or `Fault` for what may be tried again; never once a piece of the text was
 * passed on, for it would come twice.
 */
export async function readStream(request: StreamRequest): Promise<Completion> {
  const { model, asked, prompt, party, limits, onText, expire } = request;
  let timer: NodeJS.Timeout | undefined;
  const phase = (name: string, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => expire(timeoutFault(party.port, party.who, name, ms)), ms);
  };
  let text = '';
  let reader: ReadableStreamDefaultReader<AiStreamPart | null> | undefined;
  try {
    phase('the first piece', limits.firstMs);
    reader = (await model.doStream(asked)).stream.getReader();
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) throw incomplete(party);
      // A model that ignores its signal may go on: nobody listens any more.
      asked.abortSignal.throwIfAborted();
      if (part?.type === 'error') throw endsEarly(part.error) ? incomplete(party) : part.error;
      if (part?.type === 'finish') return ended(text, part, prompt, party);
      // What the server says of itself before the first piece is none.
      if (part?.type !== 'stream-start' && part?.type !== 'response-metadata')
        phase('the next piece', limits.pieceMs);
      if (part?.type !== 'text-delta' || typeof part.delta !== 'string') continue;
      if (text.length + part.delta.length > MAX_COMPLETION)
        return cutOff(text, part.delta, request);
      text += part.delta;
      if (part.delta !== '') onText(part.delta);
    }
  } catch (error) {
    asked.abortSignal.throwIfAborted();
    throw text === '' ? error : finalFault(aiFault(error, party));
  } finally {
    clearTimeout(timer);
    // Not waited for: what is left of it may never come.
    reader?.cancel().catch(() => {});
  }
}

function ended(text: string, part: AiStreamPart, prompt: Prompt, party: AiParty): Completion {
  const finish = finishOf(part.finishReason);
  if (finish === undefined) throw incomplete(party);
  return completionOf(text, part, prompt, finish);
}

function cutOff(text: string, delta: string, { prompt, onText }: StreamRequest): Completion {
  const piece = delta.slice(0, MAX_COMPLETION - text.length).toWellFormed();
  if (piece !== '') onText(piece);
  return completionOf(text + piece, {}, prompt, 'length');
}

/**
 * How `@ai-sdk/openai-compatible` says that a stream had no end: there is no chunk that it could
 * show.
 */
function endsEarly(error: unknown): boolean {
  const { name, data } = (error ?? {}) as { name?: unknown; data?: unknown };
  return name === 'AI_InvalidResponseDataError' && data === undefined;
}

function incomplete({ port, who }: AiParty): Fault {
  const { message } = answerError(port, 'incomplete', who, 'a text with an end', 'a part of one');
  return new Fault(new PortError(port, 'incomplete', message, { retryable: true }), {
    again: true,
  });
}
