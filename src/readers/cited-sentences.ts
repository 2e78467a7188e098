/**
 * Separates a written answer from its citation marks, `[2]` or `[1][3]`, and assigns each mark to
 * the sentence that it follows.
 */
import type { Span } from '../core/corpus/document.ts';
import { sentenceSpans } from '../core/text/sentences.ts';

/** A sentence of `CitedText.text`, by offsets in UTF-16 units, with the numbers that it cites. */
export interface NumberedSentence {
  readonly start: number;
  readonly end: number;
  /** Each once, in the order of the marks. */
  readonly numbers: readonly number[];
}

export interface CitedText {
  /** The answer without marks. */
  readonly text: string;
  /** Ascending and disjoint. */
  readonly sentences: readonly NumberedSentence[];
}

/** Fenced and inline code, which holds no marks: `list[0]`. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
/** `[1]`, `[1, 3]`, `[passage 2]`, `【2】`, with the blanks before it; `[1](...)` is a link. */
const MARK =
  /[ \t]{0,8}[[【]\s{0,4}\^?(?:passages?\s{1,4})?(\d{1,4}(?:\s{0,4}[,;]\s{0,4}\d{1,4}){0,20})\s{0,4}[\]】](?!\()/giu;

/** Reads marks and sentences. Takes linear time. */
export function citedText(written: string): CitedText {
  const { text, marks } = withoutMarks(written);
  const numbers = new Map<Span, number[]>();
  const spans = units(text);
  let at = 0;
  for (const { position, cited } of marks) {
    while (at + 1 < spans.length && spans[at + 1]![0] < position) at++;
    const unit = spans[at];
    if (!unit) continue;
    const known = numbers.get(unit);
    if (known) known.push(...cited);
    else numbers.set(unit, [...cited]);
  }
  return {
    text,
    sentences: spans.map(span => ({
      start: span[0],
      end: span[1],
      numbers: [...new Set(numbers.get(span))],
    })),
  };
}

interface Mark {
  /** Offset in the text without marks. */
  readonly position: number;
  readonly cited: readonly number[];
}

function withoutMarks(written: string): { readonly text: string; readonly marks: Mark[] } {
  const code = [...written.matchAll(CODE)].map(found => [
    found.index,
    found.index + found[0].length,
  ]);
  const pieces: string[] = [];
  const marks: Mark[] = [];
  let [from, length, inCode] = [0, 0, 0];
  for (const found of written.matchAll(MARK)) {
    while (inCode < code.length && code[inCode]![1]! <= found.index) inCode++;
    if (inCode < code.length && code[inCode]![0]! <= found.index) continue;
    const piece = written.slice(from, found.index);
    pieces.push(piece);
    length += piece.length;
    marks.push({ position: length, cited: found[1]!.split(/[,;]/).map(Number) });
    from = found.index + found[0].length;
  }
  return { text: (pieces.join('') + written.slice(from)).trimEnd(), marks };
}

/**
 * Returns the spans of sentences. A line that announces what follows ("The steps are:") belongs to
 * the next sentence; a fenced block, and whatever has no letter or digit, to the one before.
 */
function units(text: string): Span[] {
  const spans: [start: number, end: number][] = [];
  const read = (from: number, to: number): void => {
    for (const [start, end] of sentenceSpans(text.slice(from, to))) {
      const last = spans.at(-1);
      const joins =
        text[(last?.[1] ?? 0) - 1] === ':' || !WORDS.test(text.slice(from + start, from + end));
      if (last && joins) last[1] = from + end;
      else spans.push([from + start, from + end]);
    }
  };
  let at = 0;
  for (const { 0: block, index } of text.matchAll(CODE)) {
    if (!block.startsWith('```')) continue;
    read(at, index);
    at = index + block.length;
    const last = spans.at(-1);
    if (last) last[1] = at;
    else spans.push([index, at]);
  }
  read(at, text.length);
  return spans;
}

const WORDS = /[\p{L}\p{N}]/u;
