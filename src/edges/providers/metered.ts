/** What a call of a model costs: reserved before it is made, settled after it. */
import type { Call } from '../../trace/call.ts';
import type { ModelPort } from './fault.ts';

export interface Answered<T> {
  readonly value: T;
  /** As the provider counted them; undefined: it did not say. */
  readonly tokens: number | undefined;
}

/**
 * One model call. Its tokens are reserved at `atMost`; a call that failed is one all the same. A
 * provider that does not count, or counts what cannot be, is charged a token for every four bytes
 * of what it was sent.
 */
export async function metered<T>(
  call: Call,
  port: ModelPort,
  role: string,
  atMost: number,
  bytes: number,
  work: () => Promise<Answered<T>>,
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

/**
 * UTF-8 bytes of texts. No tokeniser makes more tokens than bytes, but for the few marks around a
 * text.
 */
export function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export const MARKS_PER_TEXT = 8;
