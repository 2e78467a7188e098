/** Splits texts into requests of bounded size, and runs work with bounded concurrency. */

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
