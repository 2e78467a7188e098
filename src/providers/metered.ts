/** Reserves the cost of a model call before it is made, and settles it afterwards. */
import type { Call } from '../core/trace/call.ts';
import type { ModelPort } from './fault.ts';

export interface MeteredResult<T> {
  readonly value: T;
  /** Tokens as the provider counted them; undefined if it reports none. */
  readonly tokens: number | undefined;
}

/**
 * Makes one model call with a reservation of `atMost` tokens. A failed call counts as a call. A
 * missing or invalid count is estimated as one token per four bytes sent.
 */
export async function metered<T>(
  call: Call,
  port: ModelPort,
  role: string,
  atMost: number,
  bytes: number,
  work: () => Promise<MeteredResult<T>>,
): Promise<T> {
  const settle = call.begin(port, role, { modelCalls: 1, modelTokens: atMost });
  let tokens = 0;
  try {
    const answer = await work();
    tokens = Math.min(atMost, isCount(answer.tokens) ? answer.tokens : Math.ceil(bytes / 4));
    return answer.value;
  } finally {
    settle({ modelCalls: 1, modelTokens: tokens });
  }
}

function isCount(tokens: number | undefined): tokens is number {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0;
}

/** Returns the UTF-8 bytes of the texts, an upper bound on their tokens without special tokens. */
export function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export const SPECIAL_TOKENS_PER_TEXT = 8;
