/** Splits texts into requests of bounded size, and halves those that a server refuses. */
import type { Call } from '../core/trace/call.ts';
import { RefusedError } from './fault.ts';
import { refusesAmount } from './refused-parameter.ts';
import { type OnNote, warnProcess } from './request-parameters.ts';

export interface BatchLimits {
  readonly texts: number;
  readonly bytes: number;
  /** Tells which texts are alone in their request. */
  readonly alone?: (text: string) => boolean;
}

/** Returns ranges of `texts`, in order. A text longer than the limit is alone in its range. */
export function requestBatches(
  texts: readonly string[],
  limits: BatchLimits,
): (readonly [start: number, end: number])[] {
  const batches: (readonly [number, number])[] = [];
  let start = 0;
  let bytes = 0;
  let wasAlone = false;
  for (let i = 0; i < texts.length; i++) {
    const more = Buffer.byteLength(texts[i]!);
    const isAlone = limits.alone?.(texts[i]!) ?? false;
    const isFull = i - start >= limits.texts || bytes + more > limits.bytes;
    if (i > start && (isFull || isAlone || wasAlone)) {
      batches.push([start, i]);
      start = i;
      bytes = 0;
    }
    bytes += more;
    wasAlone = isAlone;
  }
  if (texts.length > start) batches.push([start, texts.length]);
  return batches;
}

/** Sends texts that a model may refuse: fewer at once, and one that is refused alone cut. */
export class RequestSize {
  private most: number;
  private readonly label: string;
  private readonly onNote: OnNote;
  /** Length of the shortest text that was refused alone. */
  private refused = Number.POSITIVE_INFINITY;

  constructor(most: number, label: string, onNote: OnNote = warnProcess) {
    this.most = most;
    this.label = label;
    this.onNote = onNote;
  }

  get texts(): number {
    return this.most;
  }

  /** Tells if a text is as long as one that was refused: beside others it would cost them more. */
  readonly isLong = (text: string): boolean => text.length >= this.refused;

  /**
   * Returns the results of all texts, requested in halves as long as the server refuses more. A
   * size is remembered if the server took all texts by it. `alone` has the result of a text that
   * is refused alone.
   */
  async halved<R>(texts: readonly string[], call: Call, requests: Requests<R>): Promise<R[]> {
    const results: R[] = [];
    let size = texts.length;
    let taken: number | undefined = size;
    for (let at = 0; at < texts.length; at = results.length) {
      const some = texts.slice(at, at + Math.min(size, this.most));
      try {
        results.push(...Array.from(await requests.request(some)));
      } catch (error) {
        if (!(error instanceof RefusedError) || call.signal.aborted) throw error;
        const isAmount = refusesAmount(error);
        if (!isAmount && !(await requests.mayRefuseOne?.(error))) throw error;
        if (some.length === 1) {
          if (isAmount) this.refused = Math.min(this.refused, some[0]!.length);
          results.push(await requests.alone(some[0]!, error));
          // The text was the reason, and not the number of texts.
          size = texts.length;
          taken = undefined;
        } else {
          size = Math.floor(some.length / 2);
          taken = isAmount && taken !== undefined ? size : undefined;
        }
      }
    }
    if (taken !== undefined && taken < texts.length) this.learn(taken);
    return results;
  }

  private learn(size: number): void {
    if (size >= this.most) return;
    this.most = size;
    const texts = size === 1 ? 'one text' : `${size} texts`;
    this.onNote(`${this.label} refuses larger requests: they hold ${texts} from now on`);
  }
}

export interface Requests<R> {
  request(some: readonly string[]): Promise<ArrayLike<R>>;
  alone(text: string, error: RefusedError): Promise<R>;
  /** Tells if a refusal that names no amount may concern one text of several. */
  mayRefuseOne?(error: RefusedError): Promise<boolean>;
}
