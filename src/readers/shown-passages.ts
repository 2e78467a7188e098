/**
 * Splits a context into numbered passages for a prompt, each with the sentences that it shows and
 * that an answer may cite.
 */

import type { Call } from '../core/trace/call.ts';
import type { Citation, ContextPart, ContextText, Evidence } from '../core/trace/trace.ts';
import type { SearchEngine } from '../search/engine.ts';
import { type ShownSentence, shownSentences } from './shown-sentences.ts';

/** The part of one document; `head` and `body` together are the words of the context's part. */
export interface ShownPassage {
  /** Title, source and date, as the context renders them. */
  readonly head: string;
  readonly body: string;
  /** The sentences of `body`, ascending, each with the offset of its end. */
  readonly sentences: readonly PlacedSentence[];
  /** Number under which a prompt shows it, if it is not its place in the list. */
  readonly number?: number;
}

export interface PlacedSentence extends ShownSentence {
  readonly endsAt: number;
}

/** Returns one passage per part, in the order of the context. */
export async function shownPassages(
  context: ContextText,
  engine: SearchEngine,
  call: Call,
): Promise<ShownPassage[]> {
  const sentences = await shownSentences(context, engine, call);
  return context.parts.map((part, index) =>
    passageOf(
      context.text.slice(part.start, part.end),
      part,
      sentences.filter(sentence => sentence.part === index),
    ),
  );
}

/**
 * Splits a part into head and body. The spans of the document are the last lines of a part; in a
 * context of another form the part is one body, and all its sentences end at its end.
 */
function passageOf(
  text: string,
  { spans }: ContextPart,
  sentences: readonly ShownSentence[],
): ShownPassage {
  if (spans.length === 0) return { head: text, body: '', sentences: [] };
  const lengths = spans.map(([start, end]) => end - start);
  const from = text.length - lengths.reduce((sum, length) => sum + length + 1, -1);
  const placed = sentences.map(sentence => {
    const span = spans.findIndex(([start, end]) => start <= sentence.start && sentence.end <= end);
    const before = lengths.slice(0, span).reduce((sum, length) => sum + length + 1, 0);
    return { ...sentence, endsAt: before + sentence.end - spans[span]![0] };
  });
  const body = text.slice(Math.max(0, from));
  const isThere = ({ text: words, endsAt }: PlacedSentence): boolean =>
    body.slice(endsAt - words.length, endsAt) === words;
  if (from >= 0 && placed.every(isThere))
    return { head: text.slice(0, from).trim(), body, sentences: placed };
  return {
    head: '',
    body: text,
    sentences: sentences.map(sentence => ({ ...sentence, endsAt: text.length })),
  };
}

/** Cuts a passage after its sentence at `index`. */
export function cutAfter(passage: ShownPassage, index: number): ShownPassage {
  const { body, sentences } = passage;
  return {
    ...passage,
    body: body.slice(0, sentences[index]!.endsAt),
    sentences: sentences.slice(0, index + 1),
  };
}

/**
 * Cites a sentence by the evidence item whose spans contain most of it, restricted to that part;
 * returns undefined if there is none.
 */
export function citationOf(
  { documentId, start, end }: ShownSentence,
  evidence: readonly Evidence[],
): Citation | undefined {
  let best: Citation | undefined;
  for (const item of evidence) {
    if (item.documentId !== documentId) continue;
    for (const span of item.spans) {
      const cited = {
        id: item.id,
        documentId,
        start: Math.max(start, span[0]),
        end: Math.min(end, span[1]),
      };
      if (cited.end - cited.start > (best ? best.end - best.start : 0)) best = cited;
    }
  }
  return best;
}
