/** The sentences of a document, found once for all questions. */
import { sentenceSpans } from '../text/sentences.ts';
import type { AnalysisCache, AnalysisKind } from './analysis-cache.ts';
import type { Document, Span } from './document.ts';

const SENTENCE_SPANS: AnalysisKind<readonly Span[]> = {
  name: 'sentence spans',
  bytes: spans => 40 * spans.length,
};

/** Returns the spans of a document's sentences, in UTF-16 offsets; they ascend. */
export const sentenceSpansOf = ({ id, text }: Document, analysis: AnalysisCache): readonly Span[] =>
  analysis.of(SENTENCE_SPANS, id, () => sentenceSpans(text));
