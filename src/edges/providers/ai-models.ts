/**
 * The shapes of AI SDK models that are used here, and the one way of calling them; the SDK itself
 * is never loaded.
 */
import { InputError } from '../../errors.ts';
import type { Call } from '../../trace/call.ts';
import { sha256 } from '../sha256.ts';
import { type AiParty, aiFault } from './ai-faults.ts';
import { type Fault, timeoutFault } from './fault.ts';
import type { RetryLoop } from './retry-loop.ts';

type Eventually<T> = T | PromiseLike<T>;
/** Options of a provider, by the provider's name. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own type is JSON, which its versions name differently
export type ProviderOptions = Record<string, Record<string, any>>;

/** `EmbeddingModelV2`, `V3` or `V4` of `@ai-sdk/provider`. */
export interface AiEmbeddingModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: Eventually<number | undefined>;
  readonly supportsParallelCalls: Eventually<boolean>;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
    providerOptions?: ProviderOptions;
  }): PromiseLike<{
    embeddings: number[][];
    usage?: { tokens: number } | undefined;
  }>;
}

/** `RerankingModelV3` or `V4` of `@ai-sdk/provider`. */
export interface AiRerankingModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doRerank(options: {
    documents: { type: 'text'; values: string[] };
    query: string;
    topN?: number;
    abortSignal?: AbortSignal;
    providerOptions?: ProviderOptions;
  }): PromiseLike<{ ranking: { index: number; relevanceScore: number }[] }>;
}

/**
 * What the id of a model gets for its options, which may change its answers: nothing without any,
 * or some digits of their hash.
 */
export function optionsMark(options: object | undefined): string {
  return options === undefined ? '' : `-${sha256(JSON.stringify(options)).slice(0, 8)}`;
}

/** Throws `InputError` for what is no model of a version that is known. */
export function checkAiModel(
  model: unknown,
  method: 'doEmbed' | 'doRerank' | 'doGenerate',
  versions: readonly string[],
): void {
  const { specificationVersion: version, [method]: work } = (model ?? {}) as Record<
    string,
    unknown
  >;
  if (typeof work === 'function' && versions.includes(String(version))) return;
  throw new InputError('bad-model', 'A model of the AI SDK', {
    expected: `an object with ${method} and the specification ${versions.join(', ')}`,
    received:
      typeof work === 'function'
        ? `the specification ${String(version).slice(0, 20)}`
        : typeof model === 'string'
          ? 'a name'
          : `no ${method}`,
  });
}

export interface AiCall extends AiParty {
  readonly loop: RetryLoop;
  readonly totalMs: number;
}

/**
 * One call of the SDK's model through the retry loop, under a time limit that holds even when the
 * model does not listen to its signal. `work` may end it earlier by `expire`. Whatever is still
 * open when it ends, such as the rest of a stream, is aborted.
 */
export function callAiModel<T>(
  ai: AiCall,
  call: Call,
  work: (signal: AbortSignal, expire: (fault: Fault) => void) => PromiseLike<T>,
): Promise<T> {
  const { port, who, loop, totalMs } = ai;
  return loop.run(call, async leftMs => {
    const ms = Math.max(1, Math.min(totalMs, leftMs));
    const limit = new AbortController();
    const signal = AbortSignal.any([call.signal, limit.signal]);
    const ended = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => limit.abort(timeoutFault(port, who, 'the whole answer', ms)),
      ms,
    );
    const stop = (): void => ended.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      call.signal.throwIfAborted();
      return await Promise.race([ended.promise, work(signal, fault => limit.abort(fault))]);
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      call.signal.throwIfAborted();
      throw aiFault(error, ai);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      limit.abort();
    }
  });
}
