/**
 * The texts of the evidence after some hops: by its spans, or by the hit that found it; the whole
 * document if the trace left that hit out.
 */
import type { Span } from '../core/corpus/document.ts';
import { keptInOrder } from '../core/trace/evidence-order.ts';
import type { EvidenceItem, Hop } from '../core/trace/trace.ts';
import type { Records } from './example.ts';

function spansOf(item: EvidenceItem, hops: readonly Hop[], whole: string): readonly Span[] {
  if (item.spans) return item.spans;
  const { hop, search } = item.search;
  const found = hops[hop]?.searches[search];
  const hit = found?.hits.find(({ id }) => id === item.id);
  if (hit) return [[hit.start, hit.end]];
  return found?.found === undefined ? [] : [[0, whole.length]];
}

/** Returns one text for each item of the evidence after `hops`; a space joins several spans. */
export function keptTexts(hops: readonly Hop[], records: Records): string[] {
  return keptInOrder(hops).map(item => {
    const whole = records.text(item.documentId);
    return spansOf(item, hops, whole)
      .map(([start, end]) => whole.slice(start, end))
      .join(' ');
  });
}
