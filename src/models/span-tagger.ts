/** Recognises entities by a tagger that finds them in single sentences, such as a local model. */

import type { Call } from '../core/trace/call.ts';
import type { EntityRecogniser } from './entity-recogniser.ts';
import { invalidOutput } from './invalid-output.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

/** UTF-16 offsets of an entity in its sentence. */
export interface TaggedSpan {
  readonly start: number;
  readonly end: number;
}

export interface SpanTagger {
  /** Names the model and every setting that changes what it finds. */
  readonly id: string;
  /** Returns the entities of each text, in their order; they depend on that text alone. */
  tag(texts: readonly string[], call: Call): Promise<readonly (readonly TaggedSpan[])[]>;
}

/** Documents in one call: a local model reads some tens of sentences a second. */
const BATCH = 8;

export const spanRecogniser = (tagger: SpanTagger): EntityRecogniser => ({
  id: tagger.id,
  batch: BATCH,
  async recognise(documents, call) {
    const texts = documents.flatMap(({ sentences }) => sentences);
    const tagged = await tagger.tag(texts, call);
    const names = tagged.map((spans, at) =>
      spans.map(({ start, end }) => texts[at]!.slice(start, end)),
    );
    let from = 0;
    return documents.map(({ sentences }) => ({
      sentences: names.slice(from, (from += sentences.length)),
    }));
  },
});

/** Throws `PortError` unless each text has a list of spans in it, in order and apart. */
export function checkTagged(
  { id }: SpanTagger,
  texts: readonly string[],
  tagged: readonly (readonly TaggedSpan[])[],
): void {
  const fail = invalidOutput('entity-recogniser', `The tagger "${id}" returned invalid spans`);
  if (tagged.length !== texts.length)
    throw fail('wrong-count', `spans of ${texts.length} texts`, String(tagged.length));
  for (const [at, spans] of tagged.entries())
    if (!areSpans(spans, texts[at]!.length))
      throw fail('malformed', 'spans in their text, in order', JSON.stringify(spans));
}

function areSpans(spans: readonly TaggedSpan[], length: number): boolean {
  let last = 0;
  return spans.every(({ start, end }) => {
    const fits = Number.isInteger(start) && Number.isInteger(end) && last <= start && start < end;
    last = end;
    return fits && end <= length;
  });
}

/** Offsets are stored as 32-bit floats, which hold integers up to here. */
const MOST_CHARACTERS = 2 ** 24;
/** Texts that are tagged at once: a killed process loses at most these. */
const TEXTS = 64;

/**
 * Returns a tagger that looks spans up before it asks, by its id and the content hash of the text.
 * Throws `PortError` for spans that fail validation, and does not store them.
 */
export function cachedTagger(
  tagger: SpanTagger,
  cache: VectorCache,
  hash: ContentHash,
): SpanTagger {
  const space = `${tagger.id}\nentities`;
  return {
    id: tagger.id,
    async tag(texts, call) {
      const keys = texts.map(text => hash(text));
      const cached = await cache.get(space, keys);
      const known = new Map<string, readonly TaggedSpan[]>();
      const missing = new Map<string, string>();
      for (const [at, key] of keys.entries()) {
        const spans = cached[at] && unpacked(cached[at], texts[at]!.length);
        if (spans) known.set(key, spans);
        else missing.set(key, texts[at]!);
      }
      const uncached = [...missing];
      for (let from = 0; from < uncached.length; from += TEXTS) {
        call.signal.throwIfAborted();
        const some = uncached.slice(from, from + TEXTS);
        const read = some.map(([, text]) => text);
        const tagged = await tagger.tag(read, call);
        checkTagged(tagger, read, tagged);
        const short = some.flatMap(([key, text], at) =>
          text.length <= MOST_CHARACTERS ? [[key, packed(tagged[at]!)] as const] : [],
        );
        await cache.put(space, short);
        for (const [at, [key]] of some.entries()) known.set(key, tagged[at]!);
      }
      return keys.map(key => known.get(key)!);
    },
  };
}

/** The number of spans comes first, so that a text without any has a vector. */
const packed = (spans: readonly TaggedSpan[]): Float32Array =>
  Float32Array.of(spans.length, ...spans.flatMap(({ start, end }) => [start, end]));

/** Returns undefined for numbers that a damaged file or another release left. */
function unpacked(numbers: Float32Array, length: number): readonly TaggedSpan[] | undefined {
  const count = numbers[0];
  if (count === undefined || numbers.length !== 1 + 2 * count) return undefined;
  const spans = Array.from({ length: count }, (_, at) => ({
    start: numbers[1 + 2 * at]!,
    end: numbers[2 + 2 * at]!,
  }));
  return areSpans(spans, length) ? spans : undefined;
}
