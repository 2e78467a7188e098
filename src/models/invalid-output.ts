/** Makes the errors of resources whose results are not what their port promises. */
import { PortError } from '../core/errors.ts';

type Fail = (code: string, expected: string, received: string) => PortError;

/** Returns what makes an error of a result, by what is wrong with it. */
export const invalidOutput =
  (port: string, message: string): Fail =>
  (code, expected, received) =>
    new PortError(port, code, message, { expected, received });

/** Checks that there are `count` vectors of these dimensions, of finite numbers. Throws. */
export function checkNumbers(
  vectors: readonly Float32Array[],
  count: number,
  dimensions: number,
  fail: Fail,
): void {
  if (vectors.length !== count)
    throw fail('wrong-count', `${count} vectors`, String(vectors.length));
  for (const vector of vectors) {
    if (vector.length !== dimensions)
      throw fail('wrong-dimensions', `${dimensions} dimensions`, `${vector.length} dimensions`);
    const bad = vector.find(value => !Number.isFinite(value));
    if (bad !== undefined) throw fail('not-finite', 'finite numbers', String(bad));
  }
}
