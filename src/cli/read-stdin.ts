/** Reads a text from stdin, for `-`. */
import { InputError } from '../core/errors.ts';

const MOST_BYTES = 1 << 20;

/**
 * Throws `InputError` for more than a megabyte or invalid UTF-8, and the signal's reason if it
 * aborts first.
 */
export async function readStdin(
  stdin: AsyncIterable<Uint8Array | string>,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([collect(stdin), aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

async function collect(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stdin) {
    parts.push(typeof part === 'string' ? Buffer.from(part) : part);
    size += part.length;
    if (size > MOST_BYTES)
      throw new InputError('too-long', 'The text on stdin is too long', {
        expected: `at most ${MOST_BYTES} bytes`,
      });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)).trim();
  } catch (error) {
    throw new InputError('bad-text', 'Stdin holds no UTF-8 text', {
      expected: 'UTF-8',
      cause: error,
    });
  }
}
