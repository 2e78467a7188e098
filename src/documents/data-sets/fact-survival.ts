/** Counts the gold facts that a chunker leaves whole. */
import type { Chunker } from '../../core/corpus/chunk.ts';
import type { DataSet } from '../../evaluation/example.ts';

export interface FactSurvival {
  readonly chunker: string;
  /** Gold facts with a place in their document, repeats counted. */
  readonly facts: number;
  /** Those that stand whole inside one passage. */
  readonly whole: number;
  /** whole / facts; 0 when there are no facts. */
  readonly share: number;
  readonly passages: number;
}

/**
 * The share of gold facts that stand whole inside one passage. `onChunked` is called after each
 * document.
 */
export function factSurvival(
  dataSet: DataSet,
  chunker: Chunker,
  onChunked: () => void = () => {},
): FactSurvival {
  const passages = new Map(
    dataSet.documents.map(document => {
      const passages = chunker.chunk(document);
      onChunked();
      return [document.id, passages];
    }),
  );
  const spans = dataSet.examples.flatMap(example =>
    example.gold.flatMap(({ documentId, span }) => (span ? [{ documentId, span }] : [])),
  );
  const whole = spans.filter(({ documentId, span: [start, end] }) =>
    passages.get(documentId)?.some(passage => passage.start <= start && passage.end >= end),
  ).length;
  const count = [...passages.values()].reduce((sum, list) => sum + list.length, 0);
  return {
    chunker: chunker.name,
    facts: spans.length,
    whole,
    share: spans.length === 0 ? 0 : whole / spans.length,
    passages: count,
  };
}
