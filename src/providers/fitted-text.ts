/**
 * Cuts a text that a server refuses alone, by the numbers in the server's words, until it takes
 * the beginning.
 */
import type { Call } from '../core/trace/call.ts';
import { RefusedError } from './fault.ts';
import { refusalWords, refusesAmount } from './refused-parameter.ts';

/** The result of the beginning of a text, and its length. */
export interface Fitted<R> {
  readonly result: R;
  readonly kept: number;
}

/** Fewer characters say nothing of a text. */
const SHORTEST = 16;
/** UTF-8 bytes that a token has at most in most texts: an overestimate costs one more request. */
const BYTES_PER_TOKEN = 4;
/** Special tokens and rounding: a text that is cut to the limit itself may be refused again. */
const BELOW_LIMIT = 0.97;

/**
 * Returns the result of the longest beginning that `request` is tried with and takes; undefined if
 * it takes none, or refuses the text for something else than its length.
 */
export async function fitted<R>(
  text: string,
  refusal: RefusedError,
  call: Call,
  request: (some: readonly string[]) => Promise<ArrayLike<R>>,
): Promise<Fitted<R> | undefined> {
  let error = refusal;
  let kept = text.length;
  while (refusesAmount(error)) {
    kept = shorterLength(text.slice(0, kept), error.body);
    if (kept < SHORTEST) return undefined;
    try {
      const [result] = Array.from(await request([text.slice(0, kept).toWellFormed()]));
      return { result: result!, kept };
    } catch (again) {
      if (!(again instanceof RefusedError) || call.signal.aborted) throw again;
      error = again;
    }
  }
  return undefined;
}

/**
 * Returns a smaller length by a refusal: in proportion if it states what it takes and what it got,
 * by an estimate if it states one number, else half.
 */
function shorterLength(text: string, refusal: string): number {
  const words = refusalWords(refusal);
  const numbers = (words.match(/(?<![\w.])\d[\d,_]*(?![\w.]*\d)/g) ?? [])
    .map(number => Number(number.replace(/[,_]/g, '')))
    .filter(number => number >= SHORTEST);
  const got = Math.max(0, ...numbers);
  const most = Math.max(0, ...numbers.filter(number => number < got));
  const estimate = Buffer.byteLength(text) / BYTES_PER_TOKEN;
  const part = most > 0 ? most / got : got > 0 && got < estimate ? got / estimate : 0.5;
  return Math.floor(text.length * Math.min(part * BELOW_LIMIT, 0.9));
}
