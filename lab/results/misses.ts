/** Assigns each gold fact that the context misses one cause, read from the trace. */
import type { Span } from '../../src/core/corpus/document.ts';
import { sentenceSpans } from '../../src/core/text/sentences.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import type { Example, Gold } from '../../src/evaluation/example.ts';
import { statedFacts } from '../../src/evaluation/gold-evidence.ts';

/** The first that holds is the cause. */
export const CAUSES = {
  part: 'fact of several sentences, a part of it shown',
  unfound: 'article not found',
  duplicate: 'sentence left out as a near-duplicate',
  below: 'sentence just below the cut',
  other: 'article shown, by other sentences',
  ranked: 'sentence found, ranked far below the cut',
  sentence: 'article found, the sentence not',
} as const;
export type Cause = keyof typeof CAUSES;

/** The number of first refusals for lack of tokens that count as just below the cut. */
export const JUST_BELOW = 10;

export interface Misses {
  readonly questions: number;
  readonly facts: number;
  readonly causes: Readonly<Record<Cause, number>>;
}

const overlap = ([a, b]: Span, [c, d]: Span): boolean => a < d && c < b;

/** Returns the first cause that holds; `text` is that of the fact's document. */
export function causeOf({ documentId, span }: Gold, trace: Trace, text: string): Cause {
  const searches = trace.hops.flatMap(hop => hop.searches);
  const hits = searches.flatMap(search =>
    search.hits
      .filter(hit => hit.documentId === documentId)
      .map(hit => ({ ...hit, unit: search.unit })),
  );
  const shown = trace.context.parts
    .filter(part => part.documentId === documentId)
    .flatMap(part => part.spans);
  const goldSentences = span ? sentenceSpans(text).filter(each => overlap(each, span)) : [];
  const missing = goldSentences.filter(each => !shown.some(other => overlap(each, other)));
  if (missing.length < goldSentences.length) return 'part';
  if (hits.length === 0) return 'unfound';
  const ids = new Set(
    hits
      .filter(
        hit => hit.unit === 'sentence' && missing.some(each => overlap(each, [hit.start, hit.end])),
      )
      .map(({ id }) => id),
  );
  // Each hop chooses anew, and refuses what the last choice has no place for.
  const rejected = trace.hops.at(-1)?.rejected ?? [];
  if (rejected.some(({ id, why }) => why === 'near-duplicate' && ids.has(id))) return 'duplicate';
  const refused = rejected.filter(({ why }) => why === 'budget').slice(0, JUST_BELOW);
  if (refused.some(({ id }) => ids.has(id))) return 'below';
  if (shown.length > 0) return 'other';
  return ids.size > 0 ? 'ranked' : 'sentence';
}

/** Counts causes over all questions and by type; `text` returns a document's text by id. */
export function missesBy(
  examples: readonly Example[],
  traces: readonly Trace[],
  text: (id: string) => string,
): Record<string, Misses> {
  const byQuestion = new Map(traces.map(trace => [trace.question.id, trace]));
  const all: Record<string, { questions: number; facts: number; causes: Record<Cause, number> }> =
    {};
  for (const example of examples) {
    const trace = byQuestion.get(example.id);
    const gold = example.gold.filter(({ fact }) => fact !== undefined);
    if (!trace || gold.length === 0) continue;
    const missed = gold.filter(item =>
      statedFacts({ ...example, gold: [item] }, trace).some(({ stated }) => !stated),
    );
    for (const group of ['all', example.type ?? 'untyped']) {
      all[group] ??= {
        questions: 0,
        facts: 0,
        causes: { part: 0, unfound: 0, duplicate: 0, below: 0, other: 0, ranked: 0, sentence: 0 },
      };
      all[group].facts += gold.length;
      if (missed.length > 0) all[group].questions++;
      for (const item of missed) all[group].causes[causeOf(item, trace, text(item.documentId))]++;
    }
  }
  return all;
}

/** Adds the second to the first, group by group. */
export function addMisses(
  total: Record<string, Misses>,
  more: Readonly<Record<string, Misses>>,
): void {
  for (const [group, { questions, facts, causes }] of Object.entries(more)) {
    const known = total[group];
    if (!known) {
      total[group] = { questions, facts, causes };
      continue;
    }
    const sums = Object.keys(CAUSES).map(cause => [
      cause,
      known.causes[cause as Cause] + causes[cause as Cause],
    ]);
    total[group] = {
      questions: known.questions + questions,
      facts: known.facts + facts,
      causes: Object.fromEntries(sums) as Misses['causes'],
    };
  }
}
