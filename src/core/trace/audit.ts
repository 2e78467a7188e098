/**
 * Writes and verifies traces as JSONL in which every line is chained to those before it.
 *
 * The chain detects a change, truncation, insertion or reordering whose hashes were not written
 * anew. Only a head stored elsewhere (`expectHead`) or a signature detects a full rewrite. A trace
 * whose chain was written anew is still refused if it breaks a law of traces (`TraceLaw`).
 */
import { InputError } from '../errors.ts';
import { AuditChain, type ChainOptions, type Heads } from './audit-chain.ts';
import type { BrokenLaw } from './broken-law.ts';
import type { Hash } from './hash.ts';
import type { TraceEvent } from './trace.ts';
import { TraceCheck } from './trace-check.ts';
import type { TraceSignature } from './trace-signature.ts';

/**
 * Returns the sealed lines of a list of events, each ended by a newline. They leave out what no
 * measure reads, most hits above all, and write what repeats once; with `full` they are plain and
 * hold every hit and rejection.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { ask, ingest, type TraceEvent } from 'multihop';
 * import { sealEvents } from 'multihop/trace';
 *
 * const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const events: TraceEvent[] = [];
 * for await (const event of ask('Who built the engine?', { engine })) events.push(event);
 * console.log(sealEvents(events, sha256).split('\n').length);
 * ```
 */
export function sealEvents(
  events: readonly TraceEvent[],
  hash: Hash,
  { full = false }: Pick<ChainOptions, 'full'> = {},
): string {
  const chain = new AuditChain(hash, { full });
  const lines = events.map(event => chain.line(event));
  return `${[...lines, chain.seal()].join('\n')}\n`;
}

export type Verified =
  | {
      readonly ok: true;
      readonly heads: Heads;
      /** The signature after the seal, if there is one: not checked, which takes a public key. */
      readonly signature?: TraceSignature;
      readonly events: readonly TraceEvent[];
    }
  | {
      readonly ok: false;
      readonly line: number;
      readonly problem: string;
      /** Set if the chain holds and the events contradict each other. */
      readonly broken?: BrokenLaw;
      readonly events: readonly TraceEvent[];
    };

/**
 * Verifies a trace. Every line must equal, byte for byte, what the chain writes for its event,
 * which detects a change, truncation, insertion or reordering whose hashes were not written anew;
 * and its events must keep the laws of traces, which need no store to check. `expectHead` is a
 * content or line head that was stored elsewhere: it detects rewritten hashes too. Returns the
 * signature of a signed trace without checking it.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { ask, ingest, type TraceEvent } from 'multihop';
 * import { sealEvents, verifyTrace } from 'multihop/trace';
 *
 * const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const events: TraceEvent[] = [];
 * for await (const event of ask('Who built the engine?', { engine })) events.push(event);
 * const sealed = sealEvents(events, sha256);
 * console.log(verifyTrace(sealed, sha256).ok); // true
 * console.log(verifyTrace(sealed.replace('engine', 'ship'), sha256)); // names the changed line
 * ```
 */
export function verifyTrace(text: string, hash: Hash, expectHead?: string): Verified {
  const check = new TraceCheck(hash);
  const lines = text.split('\n');
  const cut = lines.pop() !== '';
  const events = lines.flatMap(line => check.next(line) ?? []);
  const found = check.end(cut, expectHead);
  return { ...found, events: cut ? [] : events };
}

/** Splits the events of a verified file by question. */
export function splitTraces(events: readonly TraceEvent[]): TraceEvent[][] {
  const traces: TraceEvent[][] = [];
  for (const event of events) {
    if (event.type === 'question') traces.push([]);
    const current = traces.at(-1);
    if (!current)
      throw new InputError('bad-trace', 'A trace must begin with its question', {
        received: `an event of type "${event.type}"`,
      });
    current.push(event);
  }
  return traces;
}
