/** Reads a JSON body within a number of bytes and a depth. */
import { InputError } from '../../errors.ts';
import { parseJson } from '../../text/bounded-json.ts';
import { Refusal } from './problem.ts';

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

/** Counts the bytes that come: a length in the header may be missing, or wrong. */
async function readText(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get('content-length')) > most) throw tooLarge(most);
  if (!request.body) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of received(request.body)) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(most);
    text += decoded(decoder, chunk);
  }
  return text + decoded(decoder);
}

/** A client that is gone, or took too long, is no bug of the server. */
async function* received(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    throw new Refusal(400, 'unfinished-body', 'The body did not come to its end', {
      Connection: 'close',
    });
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new InputError('bad-json', 'The body is no UTF-8', { cause: error });
  }
}

const tooLarge = (most: number): Refusal =>
  new Refusal(413, 'body-too-large', `The body: expected at most ${most} bytes`, {
    // The rest of the body is not read.
    Connection: 'close',
  });
