/** Caches the spans of a question answerer by its id and the content hash of question and text. */

import type { AnswerSpans, QuestionAnswerer } from './question-answerer.ts';
import { checkSpans } from './question-answerer.ts';
import type { ContentHash, VectorCache } from './vector-cache.ts';

/** Numbers of one span: start, end and score. */
const FIELDS = 3;
/** Offsets are stored as 32-bit floats, which hold integers up to here. */
const MOST_CHARACTERS = 2 ** 24;

/**
 * Returns a question answerer that looks spans up in the cache before it asks the model. Scores are
 * rounded to 32-bit floats, cached or not. Throws `PortError` for spans that fail validation, and
 * does not store them.
 */
export function cachedQuestionAnswerer(
  answerer: QuestionAnswerer,
  cache: VectorCache,
  hash: ContentHash,
): QuestionAnswerer {
  return {
    id: answerer.id,
    async answer(question, text, call) {
      call.signal.throwIfAborted();
      if (text.length > MOST_CHARACTERS) return answerer.answer(question, text, call);
      const space = `${answerer.id}\nspans`;
      const key = hash(JSON.stringify([question, text]));
      const [known] = await cache.get(space, [key]);
      const cached = known && unpacked(known, text.length);
      if (cached) return cached;
      const made = await answerer.answer(question, text, call);
      checkSpans(answerer, made, text);
      const packed = Float32Array.of(
        made.none,
        ...made.spans.flatMap(({ start, end, score }) => [start, end, score]),
      );
      await cache.put(space, [[key, packed]]);
      return unpacked(packed, text.length)!;
    },
  };
}

/** Returns undefined for numbers that a damaged file or another release left. */
function unpacked(numbers: Float32Array, length: number): AnswerSpans | undefined {
  if (numbers.length % FIELDS !== 1) return undefined;
  const spans = Array.from({ length: (numbers.length - 1) / FIELDS }, (_, at) => {
    const [start, end, score] = numbers.subarray(1 + at * FIELDS, 1 + (at + 1) * FIELDS);
    return { start: start!, end: end!, score: score! };
  });
  return spans.every(({ end }) => end <= length) ? { spans, none: numbers[0]! } : undefined;
}
