/**
 * The chunker `tokens(size=256, overlap=32)`: cuts passages of whole sentences up to a number of
 * tokens.
 *
 * A passage starts with the last sentences of the previous passage that fit into `overlap`. A
 * sentence longer than `size` is cut at word runs.
 */
import { InputError } from '../errors.ts';
import { type Member, member } from '../naming/family.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { countWords, wordRuns } from '../text/words.ts';
import { type Chunker, passagesAt, sentencesOf } from './chunker.ts';
import type { Document, Passage, Span } from './document.ts';
import { headingAt } from './outline.ts';

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

export const tokens: Member<Chunker> = member({
  name: 'tokens',
  summary:
    'Passages of whole sentences up to a number of tokens, repeating the last sentences in the next passage',
  parameters: [
    {
      name: 'size',
      type: 'integer',
      default: 256,
      min: 1,
      max: 1_000_000,
      summary: 'most tokens per passage',
      shown: true,
    },
    {
      name: 'overlap',
      type: 'integer',
      default: 32,
      min: 0,
      max: 1_000_000,
      summary: 'most tokens shared with the previous passage; less than size',
      shown: true,
    },
    {
      name: 'section',
      type: 'integer',
      default: 80,
      min: 1,
      max: 1_000_000,
      summary:
        'most tokens per passage of a document with an outline, which is cut at its headings, without overlap',
    },
    {
      name: 'tokenizer',
      type: 'text',
      default: 'words',
      choices: ['words'],
      summary:
        'definition of a token; words: runs of letters, numbers and underscores, and as much text of scripts without spaces',
    },
  ],
  create: (settings, name) => {
    const size = settings.size;
    const overlap = settings.overlap;
    if (overlap >= size)
      throw new InputError('bad-parameter', `The overlap of "${name}" is too large`, {
        expected: `less than its size, ${size}`,
        received: String(overlap),
      });
    return {
      name,
      chunk: document =>
        passagesAt(
          document,
          document.outline === undefined
            ? filled(pieces(document.text, size), size, overlap)
            : sections(document, settings.section),
        ),
    };
  },
});

/**
 * Cuts a document with an outline: a passage holds blocks under one heading, which stands above it
 * (`titleAt`) and is part of no passage unless nothing follows it.
 */
function sections(document: Document, size: number): Span[] {
  const runs: Passage[][] = [];
  let above: readonly string[] | undefined;
  for (const sentence of sentencesOf(document)) {
    const heading = headingAt(document, sentence.start);
    if (above !== undefined && sameHeading(above, heading)) runs.at(-1)!.push(sentence);
    else runs.push([sentence]);
    above = heading;
  }
  return runs.flatMap(run =>
    filled(
      run.flatMap(({ start, end }) => piecesAt(document.text, start, end, size)),
      size,
      0,
    ),
  );
}

const sameHeading = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, at) => part === b[at]);

/** Splits text into sentences and cuts sentences longer than `size`. */
function pieces(text: string, size: number): Piece[] {
  return sentenceSpans(text).flatMap(([start, end]) => piecesAt(text, start, end, size));
}

function piecesAt(text: string, start: number, end: number, size: number): Piece[] {
  const count = countWords(text, start, end);
  return count <= size ? [{ start, end, tokens: count }] : cut(text, start, end, size);
}

/**
 * Cuts a long sentence into pieces of `size` word runs. Characters between two runs belong to the
 * earlier piece, except trailing white space.
 */
function cut(text: string, start: number, end: number, size: number): Piece[] {
  const sentence = text.slice(start, end);
  const made: Piece[] = [];
  let from = 0;
  let count = 0;
  for (const [run] of wordRuns(sentence)) {
    if (count === size) {
      made.push({
        start: start + from,
        end: start + from + sentence.slice(from, run).trimEnd().length,
        tokens: count,
      });
      from = run;
      count = 0;
    }
    count++;
  }
  made.push({ start: start + from, end, tokens: count });
  return made;
}

/** Fills passages greedily. O(pieces): each piece enters once as new and once as overlap. */
function filled(all: readonly Piece[], size: number, overlap: number): Span[] {
  const spans: Span[] = [];
  let first = 0;
  let count = 0;
  for (const [index, piece] of all.entries()) {
    if (count + piece.tokens > size && index > first) {
      spans.push([all[first]!.start, all[index - 1]!.end]);
      [first, count] = shared(all, index, Math.min(overlap, size - piece.tokens));
    }
    count += piece.tokens;
  }
  if (first < all.length) spans.push([all[first]!.start, all.at(-1)!.end]);
  return spans;
}

/**
 * Returns the longest run of pieces before `end` with at most `most` tokens: the index of its first
 * piece, and its tokens. It is shorter than the previous passage, which has more than `most`.
 */
function shared(all: readonly Piece[], end: number, most: number): [first: number, tokens: number] {
  let first = end;
  let count = 0;
  while (first > 0 && count + all[first - 1]!.tokens <= most) count += all[--first]!.tokens;
  return [first, count];
}
