/** Chooses the evidence of `longrag-dual`: kept chunks, whole documents, extracted sentences. */
import type { Span } from '../../core/corpus/document.ts';
import type { Paragraph } from '../../planning/paragraphs.ts';

/** A range of a document. */
export interface Place {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
}

/** A chunk and the spans of its document that stand for it; none if it is dropped. */
export interface View {
  readonly chunk: Paragraph;
  readonly spans: readonly Span[];
}

/**
 * Returns each chunk with its spans: its own if it is kept, and the extracted sentences of its
 * document that stand in no kept chunk. These belong to the document's first kept chunk, or to its
 * first.
 */
export function viewsOf(
  chunks: readonly Paragraph[],
  kept: readonly boolean[],
  extracted: readonly Place[],
): View[] {
  const holders = new Map<string, number>();
  for (const isKept of [true, false])
    for (const [at, { documentId }] of chunks.entries())
      if (kept[at] === isKept && !holders.has(documentId)) holders.set(documentId, at);
  return chunks.map((chunk, at) => {
    const { documentId, start, end } = chunk;
    const chunkSpans: Span[] = kept[at] ? [[start, end]] : [];
    const sentences: Span[] =
      holders.get(documentId) === at
        ? extracted
            .filter(place => place.documentId === documentId)
            .filter(place => !chunks.some((each, index) => kept[index] && isInside(place, each)))
            .map((place): Span => [place.start, place.end])
        : [];
    return { chunk, spans: merged([...chunkSpans, ...sentences]) };
  });
}

const isInside = (place: Place, chunk: Place): boolean =>
  place.documentId === chunk.documentId && chunk.start <= place.start && place.end <= chunk.end;

/** Returns the whole documents, each at its first chunk; chunks whose document is missing stay. */
export function documentViews(
  chunks: readonly Paragraph[],
  whole: ReadonlyMap<string, Paragraph>,
): View[] {
  const seen = new Set<string>();
  return chunks.map(chunk => {
    const document = whole.get(chunk.documentId);
    if (!document) return { chunk, spans: [[chunk.start, chunk.end]] };
    const first = !seen.has(chunk.documentId);
    seen.add(chunk.documentId);
    return { chunk, spans: first ? [[document.start, document.end]] : [] };
  });
}

/** Returns spans in order, those that overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const list: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = list.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else list.push([start, end]);
  }
  return list;
}
