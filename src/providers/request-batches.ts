/**
 * Splits texts into requests of bounded size, halves those that a server refuses, and runs work
 * with bounded concurrency.
 */
import type { Call } from '../core/trace/call.ts';
import { RefusedError } from './fault.ts';
import { refusesAmount } from './refused-parameter.ts';
import { type OnNote, warnProcess } from './request-parameters.ts';

export interface BatchLimits {
  readonly texts: number;
  readonly bytes: number;
}

/** Returns ranges of `texts`, in order. A text longer than the limit is alone in its range. */
export function requestBatches(
  texts: readonly string[],
  limits: BatchLimits,
): (readonly [start: number, end: number])[] {
  const batches: (readonly [number, number])[] = [];
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < texts.length; i++) {
    const more = Buffer.byteLength(texts[i]!);
    if (i > start && (i - start >= limits.texts || bytes + more > limits.bytes)) {
      batches.push([start, i]);
      start = i;
      bytes = 0;
    }
    bytes += more;
  }
  if (texts.length > start) batches.push([start, texts.length]);
  return batches;
}

/** The most texts that a model takes in a request, as its refusals teach. */
export class RequestSize {
  private most: number;
  private readonly label: string;
  private readonly onNote: OnNote;

  constructor(most: number, label: string, onNote: OnNote = warnProcess) {
    this.most = most;
    this.label = label;
    this.onNote = onNote;
  }

  get texts(): number {
    return this.most;
  }

  /**
   * Returns the results of all texts, requested in halves as long as the server refuses more. A
   * size is remembered if the server took all texts by it. A text that is refused alone ends the
   * work, by an error that names it.
   */
  async halved<R>(
    texts: readonly string[],
    call: Call,
    request: (some: readonly string[]) => Promise<ArrayLike<R>>,
  ): Promise<R[]> {
    const results: R[] = [];
    let size = texts.length;
    for (let at = 0; at < texts.length; at = results.length) {
      const some = texts.slice(at, at + Math.min(size, this.most));
      try {
        results.push(...Array.from(await request(some)));
      } catch (error) {
        if (!(error instanceof RefusedError) || call.signal.aborted || !refusesAmount(error))
          throw error;
        if (some.length === 1) throw error.ofText(some[0]!);
        size = Math.floor(some.length / 2);
      }
    }
    if (size < texts.length) this.learn(size);
    return results;
  }

  private learn(size: number): void {
    if (size >= this.most) return;
    this.most = size;
    const texts = size === 1 ? 'one text' : `${size} texts`;
    this.onNote(`${this.label} refuses larger requests: they hold ${texts} from now on`);
  }
}

/**
 * Returns the results in order, with at most `atOnce` items under way. After the first failure no
 * item starts; throws it once the items under way have ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failed: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const at = next++;
      try {
        results[at] = await work(items[at]!);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, worker));
  if (failed) throw failed.error;
  return results;
}
