/**
 * Declares the parts of AI SDK models that multihop uses, and calls them; the SDK itself is never
 * loaded.
 */

import { InputError } from '../core/errors.ts';
import type { Call } from '../core/trace/call.ts';
import { abortWith } from '../core/trace/linked-signal.ts';
import { sha256 } from '../platform/sha256.ts';
import { type AiProvider, aiFault } from './ai-faults.ts';
import { type Fault, timeoutFault } from './fault.ts';
import { RetryLoop, type RetryOptions } from './retry-loop.ts';

type Eventually<T> = T | PromiseLike<T>;
/** Options by the provider's name. */
// biome-ignore lint/suspicious/noExplicitAny: JSON, of a type that differs between versions
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
 * Returns the suffix of a model's id for its options, which may change its answers: empty without
 * options, else a short hash.
 */
export function optionsMark(options: object | undefined): string {
  return options === undefined ? '' : `-${sha256(JSON.stringify(options)).slice(0, 8)}`;
}

/** Throws `InputError('bad-model')` unless `model` is an AI SDK model of a supported version. */
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
  throw new InputError('bad-model', 'Not a model of the AI SDK', {
    expected: `an object with ${method} and the specification ${versions.join(', ')}`,
    received:
      typeof work === 'function'
        ? `the specification ${String(version).slice(0, 20)}`
        : typeof model === 'string'
          ? 'a name'
          : `no ${method}`,
  });
}

/** One for all: a `DOMException` is made with its stack. */
const ENDED = new DOMException('The call has ended', 'AbortError');

export interface AiCall extends AiProvider {
  readonly loop: RetryLoop;
  readonly totalMs: number;
}

/** Returns the way to call a model: by its label in errors, through a retry loop of its own. */
export const aiCallOf = (
  provider: AiProvider,
  {
    totalMs = 90_000,
    retries,
  }: { readonly totalMs?: number | undefined; readonly retries?: RetryOptions | undefined },
): AiCall => ({
  ...provider,
  loop: new RetryLoop(provider.port, provider.label, retries),
  totalMs,
});

/**
 * Calls an AI SDK model through the retry loop, under a time limit that holds even if the model
 * ignores its signal. `work` may end the attempt early by `expire`. Whatever is open at the end,
 * such as the rest of a stream, is aborted.
 */
export function callAiModel<T>(
  ai: AiCall,
  call: Call,
  work: (signal: AbortSignal, expire: (fault: Fault) => void) => PromiseLike<T>,
): Promise<T> {
  const { port, label, loop, totalMs } = ai;
  return loop.run(call, async leftMs => {
    const ms = Math.max(1, Math.min(totalMs, leftMs));
    const limit = new AbortController();
    const { signal } = limit;
    const unlink = abortWith(limit, call.signal);
    const ended = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => limit.abort(timeoutFault(port, label, 'the whole answer', ms)),
      ms,
    );
    const stop = (): void => ended.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      call.signal.throwIfAborted();
      return await Promise.race([ended.promise, work(signal, fault => limit.abort(fault))]);
    } catch (error) {
      signal.throwIfAborted();
      throw aiFault(error, ai);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      unlink();
      limit.abort(ENDED);
    }
  });
}
