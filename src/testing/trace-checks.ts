/**
 * Checks every trace, however its run ended: the laws of traces, and what needs the engine.
 */

import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import { brokenLaw } from '../core/trace/trace-laws.ts';
import type { LimitName } from '../core/trace/usage.ts';
import type { SearchEngine } from '../search/engine.ts';
import { holds, same } from './law.ts';
import type { Ran } from './strategy-run.ts';

export async function checkTrace(
  { events, trace }: Ran,
  engine: SearchEngine,
  what: string,
): Promise<void> {
  const broken = brokenLaw(events);
  if (broken) holds(false, `${what}, ${broken.where}`, broken.expected, broken.received);
  same(events.at(-1)?.type, 'end', `${what}, last event`);
  await checkEvidence(trace, engine, what);
  checkBudget(trace, what);
  checkReason(trace, what);
}

/** Checks that the evidence stands in the engine as the trace says. */
async function checkEvidence(
  { evidence }: Trace,
  engine: SearchEngine,
  what: string,
): Promise<void> {
  for (const { documentId, title, metadata, spans, passage } of evidence) {
    const [document] = await engine.read('document', [documentId], freeCall());
    same(
      { title, metadata },
      { title: document!.title, metadata: document!.metadata },
      `${what}, the evidence of ${documentId}`,
    );
    for (const [start, end] of spans)
      holds(
        start >= 0 && start <= end && end <= document!.text.length,
        what,
        'spans inside the document',
        [start, end],
      );
    if (passage === undefined) continue;
    const [around] = await engine.read('passage', [passage], freeCall());
    const holdsIt =
      around!.documentId === documentId &&
      around!.start <= spans[0]![0] &&
      spans[0]![0] < around!.end;
    holds(
      holdsIt,
      `${what}, the passage of ${documentId}`,
      'a passage in which the evidence begins',
      passage,
    );
  }
}

/** Checks that no limit is exceeded by ports that use no more than they reserve. */
function checkBudget({ spent, budget }: Trace, what: string): void {
  for (const [name, amount] of Object.entries(spent) as [Exclude<LimitName, 'ms'>, number][])
    holds(
      amount <= (budget[name] ?? Number.POSITIVE_INFINITY),
      `${what}, spent`,
      `at most the budget's ${name}`,
      amount,
    );
}

/** Checks that an abstention names the limit that stopped its run. */
function checkReason({ answer, stopped }: Trace, what: string): void {
  if (stopped?.by === 'limit' && answer.kind === 'abstained')
    holds(
      answer.reason.includes(stopped.limit),
      `${what}, abstention`,
      `the limit ${stopped.limit} named`,
      answer.reason,
    );
}
