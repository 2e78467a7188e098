/**
 * Finds the best spans of a text by a model's scores of each token as the start and as the end of
 * the answer: Devlin et al., BERT, 2019, arXiv:1810.04805, sections 4.2 and 4.3.
 */
import type { AnswerSpan, AnswerSpans } from '../models/question-answerer.ts';
import type { AnswerWindow } from './answer-windows.ts';
import type { PlacedTokens } from './placed-tokens.ts';

/** Scores of the tokens of a window; `logits.length` is that of the window's tokens. */
export interface ScoredWindow {
  readonly window: AnswerWindow;
  readonly starts: Float32Array;
  readonly ends: Float32Array;
}

/** Spans of one text, and starts and ends that are paired in one window. */
const BEST = 20;
/** Most tokens of an answer, as in the published evaluation. */
const ANSWER_TOKENS = 30;

/**
 * Returns the best spans of all windows; a span that stands in several has its best score there.
 * The score of no answer is that of the first token, the least of all windows.
 */
export function bestSpans(scored: readonly ScoredWindow[], text: PlacedTokens): AnswerSpans {
  const found = new Map<string, AnswerSpan>();
  let none = Number.POSITIVE_INFINITY;
  for (const each of scored) {
    none = Math.min(none, each.starts[0]! + each.ends[0]!);
    for (const span of spansOf(each, text)) {
      const key = `${span.start} ${span.end}`;
      const before = found.get(key);
      if (!before || span.score > before.score) found.set(key, span);
    }
  }
  const spans = [...found.values()].sort(
    (a, b) => b.score - a.score || a.start - b.start || a.end - b.end,
  );
  return { spans: spans.slice(0, BEST), none: scored.length === 0 ? 0 : none };
}

function spansOf({ window, starts, ends }: ScoredWindow, text: PlacedTokens): AnswerSpan[] {
  const [first, last] = [window.offset, window.offset + window.to - window.from];
  const [from, to] = [best(starts, first, last), best(ends, first, last)];
  return from.flatMap(start =>
    to.flatMap(end => {
      if (end < start || end - start >= ANSWER_TOKENS) return [];
      const place = (at: number): number => window.from + at - window.offset;
      return [
        {
          start: text.starts[place(start)]!,
          end: text.ends[place(end)]!,
          score: starts[start]! + ends[end]!,
        },
      ];
    }),
  );
}

/** Returns the indexes of the best scores between `from` and `to`. */
const best = (scores: Float32Array, from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at)
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, BEST);
