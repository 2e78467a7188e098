/** Reads traces of this package, plain or compact; `multihop verify-trace` checks their seal. */
import type { Json } from '../../../core/trace/packing/packed-table.ts';
import { Unpacker } from '../../../core/trace/packing/unpacker.ts';
import type { TraceEvent } from '../../../core/trace/trace.ts';
import { type Fields, fieldsOf, isFields } from '../agent-run.ts';
import type { TraceFormat } from '../trace-format.ts';

export const multihop: TraceFormat = {
  name: 'multihop',
  summary: 'traces of multihop, as ask --trace, eval --out and score --out write them',
  accepts: value => isFields(value) && isFields(value['event']) && typeof value['ms'] === 'number',
  runs: values => {
    const runs: TraceEvent[][] = [];
    let unpacker = new Unpacker();
    for (const line of values.filter(multihop.accepts).map(fieldsOf)) {
      const begins = fieldsOf(line['event'])['type'] === 'question';
      if (begins || runs.length === 0) {
        unpacker = new Unpacker();
        runs.push([]);
      }
      const event = eventOf(line, unpacker);
      if (event) runs.at(-1)!.push(event);
    }
    return runs.map(events => ({ events }));
  },
};

/** Lines of the plain format have the hash of their content; others are packed. */
function eventOf({ event, ms, content }: Fields, unpacker: Unpacker): TraceEvent | undefined {
  try {
    const plain = content === undefined ? unpacker.unpack(event as Json) : event;
    return { ...fieldsOf(plain), ms } as TraceEvent;
  } catch {
    return undefined;
  }
}
