/** Reads trace files of any size: line by line, verified, with one trace in memory at a time. */
import { isUtf8 } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../core/errors.ts';
import type { Heads } from '../core/trace/audit-chain.ts';
import { type Trace, type TraceEvent, traceOf } from '../core/trace/trace.ts';
import { TraceCheck } from '../core/trace/trace-check.ts';
import { fileError } from '../platform/file-error.ts';
import { sha256 } from '../platform/sha256.ts';
import { checkSignature, type SignedCheck } from '../session/trace-signing.ts';
import { byteLines } from './byte-lines.ts';

/** A range of the bytes of a file. */
export interface ByteRange {
  readonly start: number;
  /** The first byte that is no part of it. */
  readonly end: number;
}

/** The question event, without its manifest. */
export type Asked = Omit<Extract<TraceEvent, { type: 'question' }>, 'type' | 'ms' | 'manifest'>;

/** A complete trace that was verified where it stands in its file. */
export interface RecordedTrace {
  readonly asked: Asked;
  /**
   * Reads and verifies it, again each time. Throws `InputError` when the file is no longer what it
   * was.
   */
  read(): Promise<Trace>;
}

/** `from`: where the chain stands before the event's line. */
type OnEvent = (event: TraceEvent, line: ByteRange, from: Heads) => void;

/**
 * Verifies a trace file; `onEvent` receives each event up to the first line that is not sound.
 * `expectHead`: a head that was stored elsewhere. `key`: the public key that must have signed it.
 * Throws for a file that cannot be read.
 */
export async function verifyTraceFile(
  file: string,
  {
    expectHead,
    key,
    onEvent,
  }: {
    readonly expectHead?: string | undefined;
    readonly key?: KeyObject | undefined;
    readonly onEvent?: OnEvent;
  } = {},
): Promise<SignedCheck> {
  const check = new TraceCheck(sha256);
  const checked = check.end(await checkLines(bytesOf(file), check, onEvent), expectHead);
  return key ? checkSignature(checked, key) : checked;
}

/**
 * The complete traces of a file, in their order, not yet in memory; `onRead` is called with the
 * place of each event. Throws `InputError` for a file that does not verify.
 */
export async function recordedTraces(
  file: string,
  onRead: (line: ByteRange) => void = () => {},
): Promise<RecordedTrace[]> {
  const traces: RecordedTrace[] = [];
  let current: Begun | undefined;
  const finish = (): void => {
    if (current && traceOf(current.events)) traces.push(recordedTrace(file, current));
  };
  const checked = await verifyTraceFile(file, {
    onEvent(event, { start, end }, from) {
      if (event.type === 'question') {
        finish();
        current = { asked: event, start, end, from, events: [] };
      }
      current!.events.push(event);
      current!.end = end;
      onRead({ start, end });
    },
  });
  if (!checked.ok)
    throw new InputError('bad-trace', `${file}, line ${checked.line}: ${checked.problem}`);
  finish();
  return traces;
}

/** A trace whose end was not seen yet. */
interface Begun {
  readonly asked: Extract<TraceEvent, { type: 'question' }>;
  readonly start: number;
  end: number;
  readonly from: Heads;
  readonly events: TraceEvent[];
}

function recordedTrace(file: string, { asked: event, start, end, from }: Begun): RecordedTrace {
  const { type: _, ms: __, manifest: ___, ...asked } = event;
  return {
    asked,
    async read() {
      const check = new TraceCheck(sha256, from);
      const events: TraceEvent[] = [];
      const cut = await checkLines(bytesOf(file, { start, end }), check, one => events.push(one));
      const trace = cut ? undefined : traceOf(events);
      if (!trace)
        throw new InputError(
          'bad-trace',
          `${file} was changed while it was read: the trace of "${asked.question.id}" is gone`,
        );
      return trace;
    },
  };
}

/** Tells whether bytes follow the last line end. */
async function checkLines(
  chunks: AsyncIterable<Uint8Array>,
  check: TraceCheck,
  onEvent?: OnEvent,
): Promise<boolean> {
  for await (const { bytes, last, ...range } of byteLines(chunks)) {
    if (last) return range.end > range.start;
    if (bytes === undefined) check.refuse('this line is longer than a string may be');
    // Such a byte would be read as U+FFFD, and where the trace has that, a change would pass.
    else if (!isUtf8(bytes)) check.refuse('this line is not valid UTF-8');
    else {
      const from = check.now();
      const event = check.next(bytes.toString('utf8'));
      if (event) onEvent?.(event, range, from);
    }
  }
  return false;
}

async function* bytesOf(file: string, range?: ByteRange): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* createReadStream(file, {
      highWaterMark: 1 << 18,
      start: range?.start,
      end: range && range.end - 1,
    });
  } catch (error) {
    throw fileError(file, error);
  }
}
