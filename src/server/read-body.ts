/** Reads a JSON body within a number of bytes and a depth. */
import { InputError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import { Refusal } from '../session/requests/problem.ts';

/** Throws `Refusal` (413), or `InputError('bad-json')`. */
export async function readJson(request: Request, most: number): Promise<unknown> {
  const text = await readText(request, most);
  try {
    return parseJson(text);
  } catch (error) {
    throw new InputError('bad-json', 'The body is no JSON', {
      received: (error as Error).message.slice(0, 120),
      cause: error,
    });
  }
}

/**
 * A length in the header holds over HTTP: the body is then read whole, for a part of what a stream
 * costs. Without it, the bytes that come are counted.
 */
async function readText(request: Request, most: number): Promise<string> {
  const length = request.headers.get('content-length');
  if (Number(length) > most) throw tooLarge(most);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  if (length !== null) {
    const bytes = await whole(request);
    if (bytes.byteLength > most) throw tooLarge(most);
    return decoded(decoder, bytes);
  }
  if (!request.body) return '';
  let text = '';
  let bytes = 0;
  for await (const chunk of received(request.body)) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most);
    text += decoded(decoder, chunk, { stream: true });
  }
  return text + decoded(decoder);
}

async function whole(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch {
    throw unfinished();
  }
}

async function* received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw unfinished();
  }
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  bytes?: Uint8Array | ArrayBuffer,
  options?: { readonly stream: boolean },
): string {
  try {
    return decoder.decode(bytes, options);
  } catch (error) {
    throw new InputError('bad-json', 'The body is no UTF-8', { cause: error });
  }
}

/** A client that is gone, or took too long, is no bug of the server. */
const unfinished = (): Refusal =>
  new Refusal(400, 'unfinished-body', 'The body did not come to its end', { Connection: 'close' });

const tooLarge = (most: number): Refusal =>
  new Refusal(413, 'body-too-large', `The body: expected at most ${most} bytes`, {
    // The rest of the body is not read.
    Connection: 'close',
  });
