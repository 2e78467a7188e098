/**
 * One file with documents and their finished indexes, for pages and workers that have no disk: its
 * reader builds nothing. It is gzip of the length of a header, the header, and the arrays of the
 * indexes one after another, each at a multiple of 8 bytes.
 */
import type { Document } from 'multihop';
import { EmbeddedEngine, type EmbeddedOptions } from 'multihop/retrieval';

type Segment = NonNullable<EmbeddedOptions['segments']> extends Iterable<infer S> ? S : never;
type Key = Parameters<NonNullable<Segment['indexes']>['get']>[0];
type Packed = NonNullable<ReturnType<NonNullable<Segment['indexes']>['get']>>;

interface Header {
  readonly documents: readonly Document[];
  readonly indexes: readonly {
    readonly key: Key;
    readonly header: Packed['header'];
    readonly arrays: readonly {
      readonly name: string;
      readonly at: number;
      readonly length: number;
    }[];
  }[];
}

/** The indexes that the default strategy and `lexical` search. */
const KEYS: readonly Key[] = ['document.plain', 'passage.plain', 'sentence.plain'];
const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array };

const padded = (length: number): number => Math.ceil(length / 8) * 8;

/** Indexes documents; returns the bytes of the file. */
export async function packDocuments(documents: readonly Document[]): Promise<Uint8Array> {
  const { corpus } = new EmbeddedEngine({ documents }).current;
  const arrays: Uint8Array<ArrayBuffer>[] = [];
  let end = 0;
  const indexes = KEYS.map(key => {
    const [unit, analysis] = key.split('.') as ['document', 'plain'];
    const steps = corpus.packedIndex(unit, analysis);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { header, arrays: own } = step.value;
    const places = Object.entries(own).map(([name, array]) => {
      const place = { name, at: end, length: array.length };
      arrays.push(new Uint8Array(padded(array.byteLength)));
      arrays.at(-1)!.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      end += padded(array.byteLength);
      return place;
    });
    return { key, header, arrays: places };
  });
  const header = new TextEncoder().encode(
    JSON.stringify({ documents: corpus.documents, indexes } satisfies Header),
  );
  const start = new Uint8Array(padded(8 + header.length));
  new DataView(start.buffer).setUint32(0, header.length, true);
  start.set(header, 8);
  const whole = new Blob([start, ...arrays]).stream();
  return bytesOf(whole.pipeThrough(new CompressionStream('gzip')));
}

/** Opens the bytes of a file as an engine. Throws a `TypeError` for bytes that are no such file. */
export async function openPacked(
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
): Promise<EmbeddedEngine> {
  const packed = new Blob([bytes]).stream();
  const { buffer } = await bytesOf(packed.pipeThrough(new DecompressionStream('gzip')));
  const length = new DataView(buffer).getUint32(0, true);
  const start = padded(8 + length);
  const header: Header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const indexes = new Map<Key, Packed>();
  for (const { key, header: own, arrays } of header.indexes) {
    const views = arrays.map(({ name, at, length }) => {
      const Type = TYPES[own.types[name]!];
      return [name, new Type(buffer, start + at, length)] as const;
    });
    indexes.set(key, { header: own, arrays: Object.fromEntries(views) });
  }
  return new EmbeddedEngine({ segments: [{ documents: header.documents, indexes }] });
}

async function bytesOf(stream: ReadableStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
