/** The texts of what hops kept: each item once, by its spans, or by the hit that found it. */
import type { Span } from '../corpus/document.ts';
import type { EvidenceItem, Hop } from '../trace/trace.ts';
import type { Records } from './example.ts';

function spansOf(item: EvidenceItem, hop: Hop): readonly Span[] {
  if (item.spans) return item.spans;
  const hit = hop.searches[item.search]?.hits.find(candidate => candidate.id === item.id);
  return hit ? [[hit.start, hit.end]] : [];
}

/** One text an item id, in the order of first keeping; several spans are joined by a space. */
export function keptTexts(hops: readonly Hop[], records: Records): string[] {
  const texts = new Map<string, string>();
  for (const hop of hops) {
    for (const item of hop.kept) {
      if (texts.has(item.id)) continue;
      const whole = records.text(item.documentId);
      texts.set(
        item.id,
        spansOf(item, hop)
          .map(([start, end]) => whole.slice(start, end))
          .join(' '),
      );
    }
  }
  return [...texts.values()];
}
