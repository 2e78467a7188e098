/** Drops spans that cannot answer a question which describes one thing by another. */
import type { OpenReading } from './reading.ts';
import type { SpanCandidate } from './span-features.ts';

/** The part of a span that is read here. */
type Ended = Pick<SpanCandidate, 'match' | 'features'>;

/**
 * Returns the spans at ends of chains. The answer to a nested question stands in a sentence that a
 * name joins to what describes it, or in one that reaches as much of the question as any. A
 * sentence that only repeats words of a description ("last year's winner") is neither, and a thing
 * of another type than the asked one is a thing on the way. Returns all spans if none is left, and
 * for questions that nest nothing.
 */
export function endsOfChains<T extends Ended>(
  { asked }: Pick<OpenReading, 'asked'>,
  spans: readonly T[],
): readonly T[] {
  if (!asked.nested) return spans;
  const fitting = spans.filter(({ match }) => match >= 0);
  const reached = fitting.map(({ features }) => features.get('joint:end') ?? 0);
  const most = reached.reduce((best, each) => Math.max(best, each), 0);
  const ends = fitting.filter(
    ({ features }, at) =>
      reached[at] === most || features.has('joint:gain') || features.has('joint:bridge'),
  );
  return ends.length > 0 ? ends : spans;
}
