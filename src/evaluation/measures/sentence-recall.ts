/**
 * SentenceRecall: the share of gold sentences that the context shows whole (supporting facts of
 * HotpotQA and 2WikiMultiHopQA).
 */
import type { Span } from '../../core/corpus/document.ts';
import type { Records } from '../example.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { share } from '../proportions.ts';

/** A span without the white space at its ends, which the data sets keep inside their sentences. */
function trimmed([start, end]: Span, text: string): Span {
  const slice = text.slice(start, end);
  return [
    start + slice.length - slice.trimStart().length,
    end - (slice.length - slice.trimEnd().length),
  ];
}

/**
 * Tells whether the shown spans, which may touch or overlap, cover the wanted one; white space
 * between them is no gap.
 */
function covered(span: Span, shown: readonly Span[], text: string): boolean {
  let [at] = span;
  for (const [start, end] of [...shown].sort((a, b) => a[0] - b[0])) {
    if (at >= span[1]) break;
    if (start > at && text.slice(at, start).trim() !== '') return false;
    at = Math.max(at, end);
  }
  return at >= span[1];
}

function shownSpans(
  parts: readonly { readonly documentId: string; readonly spans: readonly Span[] }[],
): Map<string, Span[]> {
  const shown = new Map<string, Span[]>();
  for (const { documentId, spans } of parts)
    shown.set(documentId, [...(shown.get(documentId) ?? []), ...spans]);
  return shown;
}

const isShown = (
  span: Span,
  documentId: string,
  shown: Map<string, Span[]>,
  records: Records,
): boolean => {
  const text = records.text(documentId);
  return covered(trimmed(span, text), shown.get(documentId) ?? [], text);
};

export const sentenceRecall: MeasureMember = measureMember({
  name: 'SentenceRecall',
  summary:
    'Share of gold sentences (gold evidence with a span) that the context shows whole; a sentence listed twice counts once',
  paper: 'HotpotQA',
  score(example, trace, records) {
    const sentences = example.gold.filter(gold => gold.span);
    const distinct = new Map(sentences.map(gold => [`${gold.documentId} ${gold.span}`, gold]));
    const shown = shownSpans(trace.context.parts);
    const found = [...distinct.values()].filter(gold =>
      isShown(gold.span!, gold.documentId, shown, records),
    );
    return share(found.length, distinct.size);
  },
});
