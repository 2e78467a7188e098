/**
 * The run behind the golden trace: one script over the fixture corpus, under a clock that counts
 * its readings.
 */

import { sealEvents } from '../../src/core/trace/audit.ts';
import type { TraceEvent } from '../../src/core/trace/trace.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { askEvents } from '../../src/run/ask.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { countingClock, engineOf } from '../../src/testing/strategy-run.ts';

/** The run in full, of the format in which all traces were written once: it opens for ever. */
export const FULL_GOLDEN_TRACE: URL = new URL('./trace.jsonl', import.meta.url);
export const GOLDEN_TRACE: URL = new URL('./compact-trace.jsonl', import.meta.url);

/**
 * Three strategies on two questions, one of them cut by its budget, sealed into one file. `full`:
 * with every hit, as plain JSON.
 */
export async function goldenTrace(full: boolean): Promise<string> {
  const engine = engineOf(FIXTURE_DOCUMENTS);
  const runs = [
    {
      question: FIXTURE_QUESTIONS[0]!,
      strategy: 'iterative(rounds=3)',
      retriever: 'lexical',
      context: 'lead',
      budget: {},
    },
    {
      question: FIXTURE_QUESTIONS[1]!,
      strategy: 'slot-agent(dates=true)',
      retriever: 'lexical(s1)',
      context: 'lead(words=20)',
      budget: {},
    },
    {
      question: FIXTURE_QUESTIONS[1]!,
      strategy: 'budgeted-agent',
      retriever: 'lexical(s1, unit=passage)',
      context: 'whole',
      budget: { documents: 3, retrievals: 2 },
    },
  ];
  const events: TraceEvent[] = [];
  for (const { question, ...options } of runs) {
    const filter = { op: 'nin', field: 'source', values: ['Notices'] } as const;
    const source = askEvents(
      question.text,
      {
        ...options,
        engine,
        filter,
        reader: 'evidence-only',
        id: question.id,
        manifest: { golden: 1 },
      },
      countingClock(),
    );
    for await (const event of source) events.push(event);
  }
  return sealEvents(events, sha256, { full });
}
