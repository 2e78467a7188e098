/**
 * The chunker `tokens(size=256, overlap=32)`: passages filled with whole sentences up to a number
 * of tokens.
 *
 * A passage begins with the last sentences of the one before that fit into `overlap`. A sentence
 * longer than `size` is cut at word runs.
 */
import { InputError } from '../errors.ts';
import { type Member, member } from '../naming/family.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { countWords, wordRuns } from '../text/words.ts';
import { type Chunker, passagesAt } from './chunker.ts';
import type { Span } from './document.ts';

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

export const tokens: Member<Chunker> = member({
  name: 'tokens',
  summary:
    'Passages of whole sentences up to a number of tokens, the last sentences repeated in the next passage',
  parameters: [
    {
      name: 'size',
      type: 'integer',
      default: 256,
      min: 1,
      max: 1_000_000,
      summary: 'tokens a passage at most',
      shown: true,
    },
    {
      name: 'overlap',
      type: 'integer',
      default: 32,
      min: 0,
      max: 1_000_000,
      summary: 'tokens shared with the passage before at most; less than size',
      shown: true,
    },
    {
      name: 'tokenizer',
      type: 'text',
      default: 'words',
      choices: ['words'],
      summary: 'what counts as a token; words: runs of letters, numbers and underscores',
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
      chunk: document => passagesAt(document, filled(pieces(document.text, size), size, overlap)),
    };
  },
});

/** Sentences, those longer than `size` cut. */
function pieces(text: string, size: number): Piece[] {
  return sentenceSpans(text).flatMap(([start, end]) => {
    const count = countWords(text, start, end);
    return count <= size ? [{ start, end, tokens: count }] : cut(text, start, end, size);
  });
}

/**
 * A long sentence in pieces of `size` word runs; what stands between two runs belongs to the piece
 * before, white space to none.
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

/** Greedy filling: O(pieces), because each piece enters once as new and once as overlap. */
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
 * The longest run of pieces before `end` with at most `most` tokens: where it begins, and its
 * tokens. Less than the passage before, which has more than `most`.
 */
function shared(all: readonly Piece[], end: number, most: number): [first: number, tokens: number] {
  let first = end;
  let count = 0;
  while (first > 0 && count + all[first - 1]!.tokens <= most) count += all[--first]!.tokens;
  return [first, count];
}
