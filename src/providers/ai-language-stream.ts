/**
 * Reads a stream of the AI SDK to its end and passes its pieces on as they arrive; a stream that
 * was cut is an error, never a complete text.
 */
import { PortError } from '../core/errors.ts';
import { MAX_COMPLETION } from '../models/checked-completion.ts';
import type { Completion } from '../models/language-model.ts';
import { type AiProvider, aiFault } from './ai-faults.ts';
import {
  type AiLanguageCall,
  type AiLanguageModel,
  type AiStreamPart,
  type Asked,
  completionOf,
  finishOf,
  type Written,
} from './ai-language-shapes.ts';
import { answerError, Fault, finalFault, timeoutFault } from './fault.ts';
import type { GenerationLimits } from './generation-limits.ts';

/** Names the wait between two pieces, in the error of one that took too long. */
export const NEXT_PIECE = 'the next piece';

export interface StreamRequest {
  readonly model: AiLanguageModel;
  readonly languageCall: AiLanguageCall;
  readonly prompt: Asked;
  readonly provider: AiProvider;
  readonly limits: GenerationLimits;
  readonly onText: (piece: string) => void;
  /** Ends the attempt with a fault. */
  readonly expire: (fault: Fault) => void;
}

/**
 * Returns the completion of a stream. Throws `PortError`, or `Fault` if the call can be repeated;
 * never repeats once a piece was passed on, because the text would arrive twice.
 */
export async function readStream(request: StreamRequest): Promise<Completion> {
  const { model, languageCall, prompt, provider, limits, onText, expire } = request;
  let timer: NodeJS.Timeout | undefined;
  const phase = (name: string, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => expire(timeoutFault(provider.port, provider.label, name, ms)), ms);
  };
  let [text, thoughts] = ['', ''];
  let reader: ReadableStreamDefaultReader<AiStreamPart | null> | undefined;
  try {
    phase('the first piece', limits.firstMs);
    reader = (await model.doStream(languageCall)).stream.getReader();
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) throw incomplete(provider);
      // A model that ignores its signal may continue after the abort.
      languageCall.abortSignal.throwIfAborted();
      if (part?.type === 'error') throw endsEarly(part.error) ? incomplete(provider) : part.error;
      if (part?.type === 'finish') return ended({ text, thoughts }, part, prompt, provider);
      // Metadata before the first piece does not count as a piece.
      if (part?.type !== 'stream-start' && part?.type !== 'response-metadata')
        phase(NEXT_PIECE, limits.pieceMs);
      if (typeof part?.delta !== 'string') continue;
      if (part.type === 'reasoning-delta') thoughts += part.delta;
      if (part.type !== 'text-delta') continue;
      if (text.length + part.delta.length > MAX_COMPLETION)
        return cutOff({ text, thoughts }, part.delta, request);
      text += part.delta;
      if (part.delta !== '') onText(part.delta);
    }
  } catch (error) {
    languageCall.abortSignal.throwIfAborted();
    throw text === '' ? error : finalFault(aiFault(error, provider));
  } finally {
    clearTimeout(timer);
    // Not awaited: the rest of the stream may never arrive.
    reader?.cancel().catch(() => {});
  }
}

function ended(
  written: Written,
  part: AiStreamPart,
  prompt: Asked,
  provider: AiProvider,
): Completion {
  const finish = finishOf(part.finishReason);
  if (finish === undefined) throw incomplete(provider);
  return completionOf(written, part, prompt, finish);
}

function cutOff(
  { text, thoughts }: Written,
  delta: string,
  { prompt, onText }: StreamRequest,
): Completion {
  const piece = delta.slice(0, MAX_COMPLETION - text.length).toWellFormed();
  if (piece !== '') onText(piece);
  return completionOf({ text: text + piece, thoughts }, {}, prompt, 'length');
}

/**
 * Returns whether the error is how `@ai-sdk/openai-compatible` reports a stream without an end: it
 * carries no chunk.
 */
function endsEarly(error: unknown): boolean {
  const { name, data } = (error ?? {}) as { name?: unknown; data?: unknown };
  return name === 'AI_InvalidResponseDataError' && data === undefined;
}

function incomplete({ port, label }: AiProvider): Fault {
  const { message } = answerError(port, 'incomplete', label, 'a complete text', 'a part of one');
  return new Fault(new PortError(port, 'incomplete', message, { retryable: true }), {
    retry: true,
  });
}
