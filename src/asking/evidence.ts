/**
 * What was kept over all hops, as evidence: in the order of keeping, or in the last order that a
 * hop gave it.
 */
import type { Document, Span } from '../corpus/document.ts';
import type { SearchEngine } from '../retrieval/engine.ts';
import type { Call } from '../trace/call.ts';
import type { Evidence, EvidenceItem, Hop } from '../trace/trace.ts';

/** All kept items of a run, each once, in their final order. */
export function keptInOrder(hops: readonly Hop[]): EvidenceItem[] {
  let kept: EvidenceItem[] = [];
  const seen = new Set<string>();
  for (const hop of hops) {
    for (const item of hop.kept) {
      if (!seen.has(item.id)) kept.push(item);
      seen.add(item.id);
    }
    if (hop.order) kept = reordered(kept, hop.order);
  }
  return kept;
}

/** Items in the given order; those that the order does not name stay behind it as they were. */
function reordered(kept: readonly EvidenceItem[], order: readonly string[]): EvidenceItem[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const at = (item: EvidenceItem): number => rank.get(item.id) ?? order.length;
  return [...kept].sort((a, b) => at(a) - at(b));
}

/**
 * The passages that kept sentences stand in, by the ids of the sentences: the first that holds the
 * sentence whole, else the one that it begins in. The engine is asked only where a search of
 * sentences found what was kept.
 */
export async function passagesOfSentences(
  hops: readonly Hop[],
  engine: SearchEngine,
  call: Call,
): Promise<Map<string, string>> {
  const sentences = hops.flatMap(hop =>
    hop.kept.filter(item => item.spans?.length && hop.searches[item.search]?.unit === 'sentence'),
  );
  const ids = [...new Set(sentences.map(({ documentId }) => documentId))];
  if (ids.length === 0) return new Map();
  const lists = await engine.parts('passage', ids, call);
  return new Map(
    sentences.flatMap(({ id, documentId, spans = [] }): [string, string][] => {
      const [start, end] = [spans[0]![0], spans.at(-1)![1]];
      const around = lists[ids.indexOf(documentId)]!.filter(
        passage => passage.start <= start && start < passage.end,
      );
      const passage = around.find(each => end <= each.end) ?? around[0];
      return passage ? [[id, passage.id]] : [];
    }),
  );
}

/**
 * Kept items with title, metadata and spans of their documents. A document that could not be read
 * is named by its id alone.
 */
export function evidenceOf(
  kept: readonly EvidenceItem[],
  documents: ReadonlyMap<string, Document>,
  passages: ReadonlyMap<string, string> = new Map(),
): Evidence[] {
  return kept.map(item => {
    const document = documents.get(item.documentId) ?? { title: '', metadata: {}, text: '' };
    const spans: readonly Span[] = item.spans ?? [[0, document.text.length]];
    const { title, metadata } = document;
    const passage = passages.get(item.id);
    return {
      ...{ id: item.id, documentId: item.documentId, title, metadata, score: item.score, spans },
      ...(passage ? { passage } : {}),
    };
  });
}
