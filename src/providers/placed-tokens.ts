/**
 * Encodes a text as tokens with their places in the text, which `@huggingface/transformers` does
 * not tell: words are encoded one by one, which gives the tokens of the whole text for WordPiece
 * and for byte-level BPE.
 */
import type { Tokenizer } from './transformers-library.ts';

/** Tokens of a text; each has the offsets, in UTF-16 units, of the piece of text it is part of. */
export interface PlacedTokens {
  readonly ids: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Runs without blanks. The bound keeps tokenizers fast, whose time may grow with its square. */
const RUN = /\S{1,200}/gu;
/** A word, a mark, or one character of a script that writes no blanks between words. */
const PIECE = /[[\p{L}\p{N}\p{M}]--\p{Script=Han}]+|[^[\p{L}\p{N}\p{M}]--\p{Script=Han}]/gv;

/** Characters of a piece in its run, and its tokens. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly number[];
}

export function placedTokens(tokenizer: Tokenizer, text: string): PlacedTokens {
  const [ids, starts, ends]: number[][] = [[], [], []];
  const known = new Map<string, readonly Piece[]>();
  const readable = text.toWellFormed();
  for (const { 0: run, index } of readable.matchAll(RUN)) {
    // Byte-level BPE has tokens of their own for words after a blank.
    const blank = index > 0 && /\s/u.test(readable[index - 1]!) ? ' ' : '';
    let pieces = known.get(blank + run);
    if (!pieces) known.set(blank + run, (pieces = piecesOf(tokenizer, blank, run)));
    for (const piece of pieces)
      for (const id of piece.ids) {
        ids!.push(id);
        starts!.push(index + piece.start);
        ends!.push(index + piece.end);
      }
  }
  return { ids: ids!, starts: starts!, ends: ends! };
}

/** Returns the pieces of a run, or the whole run if its pieces have other tokens by themselves. */
function piecesOf(tokenizer: Tokenizer, blank: string, run: string): readonly Piece[] {
  const encode = (words: string): readonly number[] =>
    tokenizer(words, { add_special_tokens: false, return_tensor: false }).input_ids;
  const whole = { start: 0, end: run.length, ids: encode(blank + run) };
  const parts = [...run.matchAll(PIECE)];
  if (parts.length < 2) return [whole];
  const pieces = parts.map(({ 0: part, index }, at) => ({
    start: index,
    end: index + part.length,
    ids: encode((at === 0 ? blank : '') + part),
  }));
  const joined = pieces.flatMap(({ ids }) => ids);
  const same = joined.length === whole.ids.length && joined.every((id, at) => id === whole.ids[at]);
  return same ? pieces : [whole];
}
