/** Says where a reply of a model was cut. */
import type { Cut } from '../core/trace/answer.ts';

/** `cut at 1024 tokens, while the model was thinking`; `cut after 90 s`. */
export const wordsOfCut = ({ tokens, ms, thinking }: Cut): string =>
  [
    ms === undefined ? `cut at ${tokens ?? 0} tokens` : `cut after ${Math.round(ms / 100) / 10} s`,
    ...(thinking ? ['while the model was thinking'] : []),
  ].join(', ');
