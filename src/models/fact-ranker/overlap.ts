/** Which share of a lane's words a candidate holds, by itself and together with the header of its document. */
import { contentStems } from '../../text/stems.ts';
import type { Candidate, QuestionView } from './question-view.ts';

export interface Overlap {
  /** By lane, by candidate: from 0 to 1. */
  readonly sentence: readonly Float64Array[];
  readonly withHeader: readonly Float64Array[];
}

/** A word weighs ln(1 + n / (1 + df)) over the n candidates, as in `sentenceSupport`. */
export function overlapOf({ lanes, candidates }: QuestionView): Overlap {
  const wanted = lanes.map(lane => [...contentStems(lane)]);
  const stems = [...new Set(wanted.flat())];
  const place = new Map(stems.map((stem, index) => [stem, index]));
  const texts = candidates.map(({ text }) => held(stems, text.stems));
  const headers = heldByHeaders(stems, candidates);
  const weights = stems.map((_, index) => Math.log(1 + texts.length / (1 + texts.reduce((count, has) => count + has[index]!, 0))));
  const sentence: Float64Array[] = [];
  const withHeader: Float64Array[] = [];
  for (const own of wanted) {
    const places = own.map(stem => place.get(stem)!);
    const total = places.reduce((sum, index) => sum + weights[index]!, 0) || 1;
    const [alone, both] = [new Float64Array(candidates.length), new Float64Array(candidates.length)];
    for (const [at, text] of texts.entries())
      for (const index of places) {
        if (text[index]) alone[at]! += weights[index]! / total;
        if (text[index] || headers[at]![index]) both[at]! += weights[index]! / total;
      }
    sentence.push(alone);
    withHeader.push(both);
  }
  return { sentence, withHeader };
}

/** 1 for each stem that is among the others. */
const held = (stems: readonly string[], among: ReadonlySet<string>): Uint8Array => Uint8Array.from(stems, stem => Number(among.has(stem)));

function heldByHeaders(stems: readonly string[], candidates: readonly Candidate[]): Uint8Array[] {
  const byDocument = new Map<string, Uint8Array>();
  return candidates.map(({ documentId, header }) => {
    const known = byDocument.get(documentId) ?? held(stems, header.stems);
    byDocument.set(documentId, known);
    return known;
  });
}
