/**
 * A passage as a sub-question's answer is read from it: its words, and where they stand in the
 * document.
 */
import { type Metadata, metadataText } from '../../corpus/document.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { foldWhitespaceAndPunctuation, isBlank } from '../../text/normalise.ts';
import { sentenceSpans } from '../../text/sentences.ts';
import { countWords, nthWordEnd } from '../../text/words.ts';
import type { Call } from '../../trace/call.ts';
import type { Citation, EvidenceItem } from '../../trace/trace.ts';

export interface ReadPassage {
  /** The evidence item's id. */
  readonly id: string;
  readonly documentId: string;
  readonly title: string;
  /** Source and day, where the document has them. */
  readonly about: string;
  /** Where `text` begins in the document. */
  readonly start: number;
  readonly text: string;
}

/** The first `words` words of each kept item. An item that has no text is left out. */
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

/** The text up to the end of its word number `words`; the whole of it where it has no more. */
export const beginningOf = (text: string, words: number): string =>
  countWords(text) <= words ? text : text.slice(0, nthWordEnd(text, words));

function aboutOf(metadata: Metadata): string {
  const day = metadataText(metadata, 'published_at').slice(0, 10);
  return [metadataText(metadata, 'source'), day].filter(part => part !== '').join(', ');
}

/**
 * Words without case, marks and spacing, with a space at both ends: one text is in another as whole
 * words.
 */
const folded = (text: string): string => foldWhitespaceAndPunctuation(text.toLowerCase());

/**
 * Where the words of an answer stand: the first sentence of each passage that holds them; the whole
 * passage, where they run over sentences or stand in its title.
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
