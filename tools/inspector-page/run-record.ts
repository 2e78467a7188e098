/** Holds what is known of one run, finished or still going, and reads it from lines of a trace. */
import type { Json } from '../../src/core/trace/packing/packed-table.ts';
import { Unpacker } from '../../src/core/trace/packing/unpacker.ts';
import type { Hop, TraceEvent } from '../../src/core/trace/trace.ts';
import { shapeOf } from '../../src/core/trace/trace-shape.ts';

type EventOf<Type extends TraceEvent['type']> = Extract<TraceEvent, { type: Type }>;

/** The events of one run so far; a run that was cut lacks the last ones. */
export interface RunRecord {
  asked?: EventOf<'question'>;
  readonly hops: Hop[];
  /** Milliseconds from the start of the run to the end of each hop. */
  readonly times: number[];
  context?: EventOf<'context'>;
  answer?: EventOf<'answer'>;
  end?: EventOf<'end'>;
  /** Lines that hold no event, with the reason. */
  readonly problems: string[];
}

export const emptyRecord = (): RunRecord => ({ hops: [], times: [], problems: [] });

/** Reads lines of one file or stream, in their order, into the runs that they are of. */
export class RecordReader {
  readonly runs: RunRecord[] = [];
  /** True after the line that seals the file. */
  sealed = false;
  private unpacker = new Unpacker();
  private lines = 0;
  private readonly into: RunRecord | undefined;

  /** `into`: receives the events of a stream of one run. */
  constructor(into?: RunRecord) {
    this.into = into;
    if (into) this.runs.push(into);
  }

  /** Adds the events of a text of JSON lines. */
  text(text: string): this {
    for (const line of text.split('\n')) if (line.trim() !== '') this.line(line);
    return this;
  }

  line(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = undefined;
    }
    this.value(value);
  }

  /** Adds a line that was parsed. */
  value(value: unknown): void {
    this.lines++;
    const { seal, signature, event, ms } = (value ?? {}) as Record<string, unknown>;
    if (typeof seal === 'string') this.sealed = true;
    else if (event !== undefined) this.event(event, ms, (value as { content?: unknown }).content);
    else if (signature === undefined) this.problem('is not a line of a trace');
  }

  /** `content`: the hash that lines of a full trace hold, which are not packed. */
  private event(event: unknown, ms: unknown, content: unknown): void {
    let whole: Record<string, unknown>;
    try {
      // Each trace is packed by itself.
      if ((event as { type?: unknown }).type === 'question') this.unpacker = new Unpacker();
      const plain = content === undefined ? this.unpacker.unpack(event as Json) : event;
      whole = { ...(plain as Record<string, unknown>), ms: Number(ms) };
    } catch {
      this.problem('refers to a value that no line before it holds');
      return;
    }
    const broken = shapeOf(whole as unknown as TraceEvent);
    if (broken) this.problem(`has at ${broken.where} not ${broken.expected}`);
    else this.add(whole as unknown as TraceEvent);
  }

  private add(event: TraceEvent): void {
    if (event.type === 'question' && !this.into) this.runs.push({ ...emptyRecord(), asked: event });
    const run = this.runs.at(-1);
    if (!run) this.problem('comes before any question');
    else addEvent(run, event);
  }

  private problem(text: string): void {
    if (this.runs.length === 0) this.runs.push(emptyRecord());
    this.runs.at(-1)!.problems.push(`Line ${this.lines} ${text}`);
  }
}

export function addEvent(run: RunRecord, event: TraceEvent): void {
  if (event.type === 'question') run.asked = event;
  else if (event.type === 'context') run.context = event;
  else if (event.type === 'answer') run.answer = event;
  else if (event.type === 'end') run.end = event;
  else {
    run.hops.push(event.hop);
    run.times.push(event.ms);
  }
}
