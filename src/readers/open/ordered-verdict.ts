/** Answers yes or no by the order of values: "Did A die before B?", "Is A older than B?". */
import { compareThings } from './compare.ts';
import { distinctSpans } from './compared-things.ts';
import type { OpenReading } from './reading.ts';

export interface OrderedVerdict {
  readonly yes: boolean;
  /** Numbers of the sentences that state the values. */
  readonly sentences: readonly number[];
}

const ORDER = /\b(?:before|after|(?:earlier|sooner|later|older|younger|longer) than)\b/iu;
/** Matches all that may follow the second thing: "before B did?". No other event is compared. */
const END = /^\W*(?:did|was|were|is|does|has)?\W*$/iu;

/** Returns the verdict; undefined if the question compares nothing or a value is not stated. */
export function orderedVerdict(reading: OpenReading): OrderedVerdict | undefined {
  const { text } = reading.asked;
  const [first, second, ...more] = distinctSpans(reading);
  if (!first || !second || more.length > 0) return undefined;
  const order = ORDER.exec(text.slice(first.end, second.start))?.[0];
  if (order === undefined || !END.test(text.slice(second.end))) return undefined;
  const { winner, loose, sentences } = compareThings(reading, [first, second]);
  // Loose dates, which no relation states, may not be the ones that are asked for.
  if (winner === undefined || loose) return undefined;
  // The earlier thing wins after "before" and "after" alike.
  return { yes: winner === (order.toLowerCase() === 'after' ? 1 : 0), sentences };
}
