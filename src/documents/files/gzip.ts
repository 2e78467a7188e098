/** Files compressed with gzip, read as what they hold. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Limits, printBytes, type Source } from './source.ts';
import { Unreadable } from './unreadable.ts';
import { FREE_BYTES, MOST_INFLATION } from './zip.ts';

/** Thrown while a compressed file is read that is damaged or too large; the message says which. */
export class BadGzip extends Unreadable {}

/** Returns a path without the extension of gzip. */
export function uncompressedPath(path: string): string {
  return path.replace(/\.gz$/i, '');
}

/** Returns a source of what a compressed file holds; its stream throws `BadGzip`. */
export function gunzipped(source: Source, limits: Limits): Source {
  const most = Math.max(limits.jsonBytes, limits.documentBytes);
  return {
    ...source,
    async *stream() {
      const gunzip = createGunzip();
      // An error of the file itself arrives as an error of the last stream.
      let packed = 0;
      const count = (chunk: Uint8Array): Uint8Array => {
        packed += chunk.length;
        return chunk;
      };
      pipeline(Readable.from(source.stream()).map(count), gunzip, () => {});
      let size = 0;
      try {
        for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
          size += chunk.length;
          if (size > most) throw new BadGzip(`holds more than ${printBytes(most)}`);
          if (size > FREE_BYTES && size > MOST_INFLATION * packed)
            throw new BadGzip(`inflates to more than ${MOST_INFLATION} times its bytes`);
          yield chunk;
        }
      } catch (error) {
        const code = (error as { readonly code?: unknown }).code;
        if (typeof code === 'string' && /^Z_|^ERR_STREAM_PREMATURE/.test(code))
          throw new BadGzip('not valid gzip', { cause: error });
        throw error;
      }
    },
  };
}
