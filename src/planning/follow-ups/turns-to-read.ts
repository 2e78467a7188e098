/** Chooses the earlier turns of a conversation that are read: the newest that have room. */
import { LONGEST_QUESTION } from '../../core/text/question-text.ts';
import type { Turn } from '../../language/follow-ups/turn.ts';

export interface ReadTurns {
  /** The oldest first. */
  readonly turns: readonly Turn[];
  /** True if the last turn was cut. */
  readonly cut: boolean;
}

/**
 * Returns the newest turns that have at most `room` UTF-16 units together: what they stand for
 * belongs into a question, so that more than the longest question is of no use. The last turn is
 * cut to them: its question to half of them.
 */
export function turnsToRead(turns: readonly Turn[], room: number = LONGEST_QUESTION): ReadTurns {
  const last = turns.at(-1);
  if (last === undefined) return { turns: [], cut: false };
  const question = first(last.question, Math.floor(room / 2));
  const answer = last.answer && first(last.answer, room - question.length);
  const read: Turn[] = [{ question, answer }];
  let left = room - lengthOf(read[0]!);
  for (const turn of turns.slice(0, -1).toReversed()) {
    left -= lengthOf(turn);
    if (left < 0) break;
    read.unshift(turn);
  }
  return { turns: read, cut: lengthOf(read.at(-1)!) < lengthOf(last) };
}

const lengthOf = ({ question, answer = '' }: Turn): number => question.length + answer.length;

const first = (text: string, units: number): string =>
  text.length <= units ? text : text.slice(0, units).toWellFormed();
