/**
 * Reads kept items as passages for answers to sub-questions: their words, and their offsets in the
 * document.
 */
import { type Metadata, metadataText } from '../../core/corpus/document.ts';
import { foldWhitespaceAndPunctuation, isBlank } from '../../core/text/normalise.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import { countWords, nthWordEnd } from '../../core/text/words.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Citation, EvidenceItem } from '../../core/trace/trace.ts';
import type { SearchEngine } from '../../search/engine.ts';

export interface ReadPassage {
  /** The id of the evidence item. */
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  /** Source and day, if the document has them. */
  readonly about: string;
  /** Offset of `text` in the document. */
  readonly start: number;
  readonly text: string;
}

/** Returns the first `words` words of each kept item, without items that have no text. */
export async function readPassages(
  kept: readonly EvidenceItem[],
  words: number,
  engine: SearchEngine,
  call: Call,
): Promise<ReadPassage[]> {
  const ids = kept.map(({ documentId }) => documentId);
  const documents = await engine.read('document', ids, call);
  return kept.flatMap(({ id, documentId, spans }, index) => {
    const { title, text, metadata } = documents[index]!;
    const [start, end] = spans?.[0] ?? [0, text.length];
    const whole = text.slice(start, end);
    const shown = beginningOf(whole, words);
    return shown.trim() === ''
      ? []
      : [{ id, documentId, title, about: aboutOf(metadata), start, text: shown }];
  });
}

/** Returns the text up to the end of its word number `words`; the whole text if it has no more. */
export const beginningOf = (text: string, words: number): string =>
  countWords(text) <= words ? text : text.slice(0, nthWordEnd(text, words));

function aboutOf(metadata: Metadata): string {
  const day = metadataText(metadata, 'published_at').slice(0, 10);
  return [metadataText(metadata, 'source'), day].filter(part => part !== '').join(', ');
}

/**
 * Folds case, punctuation and spacing, with a space at both ends, so that `includes` matches whole
 * words.
 */
const folded = (text: string): string => foldWhitespaceAndPunctuation(text.toLowerCase());

/**
 * Cites the occurrences of an answer: the first sentence of each passage that contains it, or the
 * whole passage if it spans sentences or is in the title.
 */
export function citationsOf(answer: string, passages: readonly ReadPassage[]): Citation[] {
  const words = folded(answer);
  if (isBlank(words)) return [];
  return passages.flatMap(passage => {
    if (!`${folded(passage.title)}|${folded(passage.text)}`.includes(words)) return [];
    const sentence = sentenceSpans(passage.text).find(([start, end]) =>
      folded(passage.text.slice(start, end)).includes(words),
    );
    return [citationTo(passage, sentence)];
  });
}

export function citationTo(
  { id, documentId, start, text }: ReadPassage,
  [from, to]: readonly [number, number] = [0, text.length],
): Citation {
  return { id, documentId, start: start + from, end: start + to };
}
