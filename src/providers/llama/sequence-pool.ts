/**
 * Keeps conversations computed: a call continues the one whose prompt begins as its own does.
 *
 * Calls compute one after another. On two cores two at once took as long as one after the other
 * (64.8 s and 66 s for the same 912 prompt and 48 answer tokens), and a batch of several
 * conversations rounds otherwise than one, so that equal prompts would have other texts.
 */
import type { LlamaSequence, Token } from './llama-library.ts';

interface Slot {
  readonly sequence: LlamaSequence;
  /** Tokens of its beginning that were computed in whole steps from 0 on. */
  whole: number;
  /** Number of the call that used it last. */
  used: number;
}

export interface Turn {
  readonly sequence: LlamaSequence;
  /** Tokens of the prompt that are computed. */
  readonly reused: number;
  /** Notes that the beginning of the prompt was computed in whole steps up to here. */
  computed(tokens: number): void;
}

export class SequencePool {
  private readonly slots: Slot[];
  private readonly step: number;
  private calls = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(sequences: readonly LlamaSequence[], step: number) {
    this.slots = sequences.map(sequence => ({ sequence, whole: 0, used: 0 }));
    this.step = step;
  }

  /**
   * Runs the work on the conversation with the longest common beginning, after all earlier work.
   * Only whole steps are reused, so that what is computed, and thereby the text, does not depend on
   * earlier calls.
   */
  run<T>(tokens: readonly Token[], work: (turn: Turn) => Promise<T>): Promise<T> {
    const running = this.last.then(async () => {
      const { slot, reused } = this.choose(tokens);
      slot.used = ++this.calls;
      slot.whole = reused;
      const { sequence } = slot;
      if (sequence.nextTokenIndex > reused)
        await sequence.eraseContextTokenRanges([{ start: reused, end: sequence.nextTokenIndex }]);
      return work({
        sequence,
        reused,
        computed(whole) {
          slot.whole = whole;
        },
      });
    });
    this.last = running.catch(() => {});
    return running;
  }

  /** Takes the one that was not used for the longest time among equals. */
  private choose(tokens: readonly Token[]): { readonly slot: Slot; readonly reused: number } {
    const found = this.slots.map(slot => ({ slot, reused: this.common(slot, tokens) }));
    return found.reduce((best, next) =>
      next.reused > best.reused || (next.reused === best.reused && next.slot.used < best.slot.used)
        ? next
        : best,
    );
  }

  /** The last token of a prompt is always computed: it gives the first one of the answer. */
  private common({ sequence, whole }: Slot, tokens: readonly Token[]): number {
    const most = Math.min(whole, tokens.length - 1);
    const known = sequence.contextTokens;
    let same = 0;
    while (same < most && known[same] === tokens[same]) same++;
    return same - (same % this.step);
  }
}
