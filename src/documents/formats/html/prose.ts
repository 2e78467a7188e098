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
  const data = isOwn && isData ? 1 : 0;
  const isProse = data > 0 || (isOwn && SPOKEN.has(kind) && holdsSentence(text));
  const prose = isProse ? characters - linked : 0;
  const headings = isOwn && kind === 'heading' ? 1 : 0;
  return isProse && data === 0
    ? new ProseMeasures(text, characters, linked, prose)
    : { characters, linked, sentences: 0, data, prose, headings };
}

/** Measures of a block of prose, of which most are never asked for the number of sentences. */
class ProseMeasures implements Measures {
  readonly data = 0;
  readonly headings = 0;
  readonly characters: number;
  readonly linked: number;
  readonly prose: number;
  private readonly text: string;

  constructor(text: string, characters: number, linked: number, prose: number) {
    this.text = text;
    this.characters = characters;
    this.linked = linked;
    this.prose = prose;
  }

  get sentences(): number {
    return sentencesIn(this.text.slice(0, LOOKED_AT));
  }
}

const ANY_STOP = /[.!?…。！？｡।॥؟۔።။៕]/;
/** Characters at the end of a text in which a stop is looked for first. */
const STOP_END = 16;

/** Tells whether a text has a sentence: most texts end with one. */
function holdsSentence(text: string): boolean {
  const looked = text.slice(0, LOOKED_AT);
  return STOP.test(looked.trimEnd().slice(-STOP_END)) || sentencesIn(looked) > 0;
}

/** Matches a stop at which a sentence may end: behind others stands white space or a mark. */
const END_STOP = /[.!?](?![0-9A-Za-z])|[…。！？｡।॥؟۔።။៕]/;

/** Returns the number of sentences, two at most. */
function sentencesIn(looked: string): number {
  // Labels and names of files are many, and none of their dots ends a sentence.
  if (looked.length <= LABEL_CHARACTERS && !END_STOP.test(looked)) return 0;
  if (!ANY_STOP.test(looked)) return looked.length > LABEL_CHARACTERS ? 1 : 0;
  let count = 0;
  for (const [start, end] of sentenceSpans(looked)) {
    const sentence = looked.slice(start, end);
    if (STOP.test(sentence) || sentence.length > LABEL_CHARACTERS) count++;
    if (count === 2) break;
  }
  return count;
}
