/** Measures how much of a block is prose. */
import type { BlockKind } from '../../../core/corpus/document.ts';
import { sentenceSpans } from '../../../core/text/sentences.ts';
import type { Measures } from './regions.ts';

/** Characters of a block in which its first two sentences are looked for. */
const LOOKED_AT = 600;
/** A stop that ends a sentence in any script, with what closes behind it. */
const STOP = /[.!?…。！？｡।॥؟۔።။៕]["'”’»」』)\]]*$/u;
/**
 * A block without a stop is taken for a sentence from this length, which no label has: Thai and Lao
 * write none, and neither do many authors at the end of a paragraph.
 */
const LABEL_CHARACTERS = 80;

const SPOKEN: ReadonlySet<BlockKind> = new Set(['prose', 'list-item', 'definition', 'option']);

/** Measures a block, given the characters of its text and those in links. */
export function measuresOf(
  { text, kind }: { readonly text: string; readonly kind: BlockKind },
  { characters, linked }: Pick<Measures, 'characters' | 'linked'>,
): Measures {
  const isOwn = linked * 2 < characters;
  const isData = kind === 'code' || (kind === 'table-row' && text.includes(' | '));
  const sentences = isOwn && SPOKEN.has(kind) ? sentencesIn(text) : 0;
  const data = isOwn && isData ? 1 : 0;
  const prose = sentences + data > 0 ? characters - linked : 0;
  const headings = isOwn && kind === 'heading' ? 1 : 0;
  return { characters, linked, sentences, data, prose, headings };
}

/** Returns the number of sentences, two at most. */
function sentencesIn(text: string): number {
  const looked = text.slice(0, LOOKED_AT);
  if (!/[.!?…。！？｡।॥؟۔።။៕]/u.test(looked)) return looked.length > LABEL_CHARACTERS ? 1 : 0;
  let count = 0;
  for (const [start, end] of sentenceSpans(looked)) {
    const sentence = looked.slice(start, end);
    if (STOP.test(sentence) || sentence.length > LABEL_CHARACTERS) count++;
    if (count === 2) break;
  }
  return count;
}
