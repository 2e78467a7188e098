/**
 * The chunker `sentences(per=1)`: cuts passages of a fixed number of sentences, without overlap.
 */
import { type Member, member } from '../naming/family.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { type Chunker, passagesAt } from './chunker.ts';
import type { Span } from './document.ts';

export const sentences: Member<Chunker> = member({
  name: 'sentences',
  summary: 'Passages of a fixed number of sentences, without overlap',
  parameters: [
    {
      name: 'per',
      type: 'integer',
      default: 1,
      min: 1,
      max: 10_000,
      summary: 'sentences per passage',
    },
  ],
  create: (settings, name) => ({
    name,
    chunk: document => passagesAt(document, grouped(sentenceSpans(document.text), settings.per)),
  }),
});

/** Joins every `per` adjacent spans. */
function grouped(spans: readonly Span[], per: number): Span[] {
  const groups: Span[] = [];
  for (let first = 0; first < spans.length; first += per) {
    const last = Math.min(first + per, spans.length) - 1;
    groups.push([spans[first]![0], spans[last]![1]]);
  }
  return groups;
}
