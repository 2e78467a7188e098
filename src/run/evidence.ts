/** Builds the evidence of a trace: title, metadata, spans, and the passages of sentences. */
import { duplicateOf } from '../context/selection.ts';
import type { Document, Span } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import type { Call } from '../core/trace/call.ts';
import type { Evidence, EvidenceItem, Hop } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';

/**
 * Returns the passage of each kept sentence, by the sentence's id: the first that contains it
 * whole, else the one that it begins in. Calls the engine only if a search for sentences found
 * evidence.
 */
export async function passagesOfSentences(
  hops: readonly Hop[],
  engine: SearchEngine,
  call: Call,
): Promise<Map<string, string>> {
  const sentences = hops.flatMap(hop =>
    hop.kept.filter(
      ({ spans, search: at }) =>
        spans?.length && hops[at.hop]?.searches[at.search]?.unit === 'sentence',
    ),
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

/** The run that kept items, and the passages of its sentences. */
export interface EvidenceSource {
  readonly hops: readonly Hop[];
  readonly passages?: ReadonlyMap<string, string>;
}

/**
 * Adds title, metadata and spans of their documents to kept items, and the number of places of
 * their texts. A document that could not be read has its id only.
 */
export function evidenceOf(
  kept: readonly EvidenceItem[],
  documents: ReadonlyMap<string, Document>,
  { hops, passages = new Map() }: EvidenceSource,
): Evidence[] {
  const duplicates = new Map<string, Set<string>>();
  for (const { id, why, detail = '' } of hops.flatMap(({ rejected }) => rejected))
    if (why === 'duplicate') duplicates.set(detail, (duplicates.get(detail) ?? new Set()).add(id));
  return kept.map(item => {
    const document = documents.get(item.documentId) ?? { title: '', metadata: {}, text: '' };
    const spans: readonly Span[] = item.spans ?? [[0, document.text.length]];
    const { title, metadata } = document;
    const passage = passages.get(item.id);
    const others = duplicates.get(duplicateOf(item.id).detail);
    return defined({
      id: item.id,
      documentId: item.documentId,
      title,
      metadata,
      score: item.score,
      spans,
      passage: passage || undefined,
      places: others ? 1 + others.size : undefined,
    });
  });
}
