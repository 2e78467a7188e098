/** Which share of a lane's words a candidate holds, by itself and together with the header of its document. */
import { contentStems } from '../../text/stems.ts';
import type { Candidate, QuestionView } from './question-view.ts';

export interface Overlap {
  /** By lane, by candidate: from 0 to 1. */
  readonly sentence: readonly Float64Array[];
  readonly withHeader: readonly Float64Array[];
}

/** An engine that keeps its texts gives the same objects again; what is read of them is read once. */
const stemsOfTexts = new WeakMap<object, ReadonlySet<string>>();

function stemsOf(key: object, text: string): ReadonlySet<string> {
  let stems = stemsOfTexts.get(key);
  if (!stems) stemsOfTexts.set(key, (stems = contentStems(text)));
  return stems;
}

/** Candidates whose words may be kept: `text` and `header` are objects that live as long as the engine's. */
export interface KeyedCandidate extends Candidate {
  readonly textKey?: object;
  readonly headerKey?: object;
}

/** A word weighs ln(1 + n / (1 + df)) over the n candidates, as in `sentenceSupport`. */
export function overlapOf({ lanes, candidates }: QuestionView): Overlap {
  const texts = candidates.map((candidate: KeyedCandidate) => stemsOf(candidate.textKey ?? candidate, candidate.text));
  const headers = headersOf(candidates);
  const wanted = lanes.map(lane => [...contentStems(lane)]);
  const weights = weightsOf(new Set(wanted.flat()), texts);
  const sentence: Float64Array[] = [];
  const withHeader: Float64Array[] = [];
  for (const stems of wanted) {
    const total = stems.reduce((sum, stem) => sum + weights.get(stem)!, 0) || 1;
    const [alone, both] = [new Float64Array(candidates.length), new Float64Array(candidates.length)];
    for (const [at, text] of texts.entries())
      for (const stem of stems) {
        const weight = weights.get(stem)! / total;
        if (text.has(stem)) alone[at]! += weight;
        if (text.has(stem) || headers[at]!.has(stem)) both[at]! += weight;
      }
    sentence.push(alone);
    withHeader.push(both);
  }
  return { sentence, withHeader };
}

function headersOf(candidates: readonly Candidate[]): ReadonlySet<string>[] {
  const byDocument = new Map<string, ReadonlySet<string>>();
  return candidates.map(({ documentId, header, headerKey }: KeyedCandidate) => {
    let stems = byDocument.get(documentId);
    if (!stems) byDocument.set(documentId, (stems = headerKey ? stemsOf(headerKey, header) : contentStems(header)));
    return stems;
  });
}

function weightsOf(stems: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const stem of stems) {
    const holding = texts.reduce((count, text) => count + (text.has(stem) ? 1 : 0), 0);
    weights.set(stem, Math.log(1 + texts.length / (1 + holding)));
  }
  return weights;
}
