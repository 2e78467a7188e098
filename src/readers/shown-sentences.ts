/**
 * Finds the sentences that a context shows, with their offsets in the documents: the only sentences
 * that a reader without a model quotes.
 */
import { analysisOf } from '../core/corpus/analysis-cache.ts';
import type { Span } from '../core/corpus/document.ts';
import { sentenceSpans } from '../core/text/sentences.ts';
import type { Call } from '../core/trace/call.ts';
import type { ContextText } from '../core/trace/trace.ts';
import { type Said, saidOver } from '../language/said.ts';
import type { SearchEngine } from '../search/engine.ts';

export interface ShownSentence {
  /** Index of the context's part. */
  readonly part: number;
  /**
   * The id of its part, which is that of the document's first item. `citationOf` finds the item
   * that contains the sentence.
   */
  readonly id: string;
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A shown sentence and what it says. */
export interface SaidSentence extends ShownSentence {
  readonly said: Said;
}

/**
 * Returns, by part, the first of its sentences with the greatest support, of those whose numbers
 * are given.
 */
export function bestOfEachPart(
  sentences: readonly ShownSentence[],
  support: readonly number[],
  among: Iterable<number> = sentences.keys(),
): Map<number, number> {
  const best = new Map<number, number>();
  for (const index of among) {
    const { part } = sentences[index]!;
    const before = best.get(part);
    if (before === undefined || support[index]! > support[before]!) best.set(part, index);
  }
  return best;
}

/**
 * Returns the sentences in the order of the context. A sentence that the context cuts is returned
 * up to the cut.
 */
export async function shownSentences(
  context: ContextText,
  engine: SearchEngine,
  call: Call,
): Promise<ShownSentence[]> {
  const shown = context.parts
    .map((part, index) => ({ part, index }))
    .filter(({ part }) => part.spans.length > 0);
  const documents = await engine.read(
    'document',
    shown.map(({ part }) => part.documentId),
    call,
  );
  return shown.flatMap(({ part, index }, position) => {
    const { text } = documents[position]!;
    const within = ([from, to]: Span): ShownSentence[] =>
      sentenceSpans(text.slice(from, to)).map(([start, end]) => ({
        part: index,
        id: part.id,
        documentId: part.documentId,
        start: from + start,
        end: from + end,
        text: text.slice(from + start, from + end),
      }));
    return part.spans.flatMap(within);
  });
}

/** Returns the same sentences, read by their text: a cut may shorten one. */
export async function saidSentences(
  context: ContextText,
  engine: SearchEngine,
  call: Call,
): Promise<SaidSentence[]> {
  const saidOf = saidOver(analysisOf(engine));
  const sentences = await shownSentences(context, engine, call);
  return sentences.map(sentence => ({ ...sentence, said: saidOf(sentence.text) }));
}
