/**
 * Separates a written answer from its citation marks and assigns each mark to the sentence that it
 * follows, or that it is a part of.
 */
import type { Span } from '../core/corpus/document.ts';
import { sentenceSpans } from '../core/text/sentences.ts';
import { citationMarks } from './citation-marks.ts';

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

/** Fenced and inline code, whose blocks stay whole. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/** Reads marks of the shown passages, and sentences. Takes linear time. */
export function citedText(written: string, shown: ReadonlySet<number>): CitedText {
  const { text, marks } = withoutMarks(written, shown);
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

interface PlacedMark {
  /** Offset in the text without marks. */
  readonly position: number;
  readonly cited: readonly number[];
}

function withoutMarks(
  written: string,
  shown: ReadonlySet<number>,
): { readonly text: string; readonly marks: PlacedMark[] } {
  const marks: PlacedMark[] = [];
  let [text, from] = ['', 0];
  for (const { start, end, numbers, removed } of citationMarks(written, shown)) {
    text += written.slice(from, removed ? start : end);
    // A text that begins with a mark begins with the word after it.
    from = end;
    if (removed && text.trim() === '') {
      text = '';
      while (/\s/.test(written[from] ?? '')) from++;
      const first = written[from] ?? '';
      text = first.toUpperCase().length === 1 ? first.toUpperCase() : first;
      from += first.length;
    }
    marks.push({ position: text.length, cited: numbers });
  }
  return { text: (text + written.slice(from)).trimEnd(), marks };
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
