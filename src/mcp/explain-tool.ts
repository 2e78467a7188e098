/** The tool `explain_run`: how a finished run found what it found, hop by hop. */
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Trace, TraceEvent } from '../core/trace/trace.ts';
import { traceOf } from '../core/trace/trace.ts';
import {
  fieldsOf,
  list,
  number,
  object,
  optional,
  record,
  text,
  whole,
} from '../session/requests/schema.ts';
import { ASK_OUTPUT } from '../session/requests/schemas.ts';
import { sizeOf } from './bounded-record.ts';
import {
  type ExplainedHop,
  type ExplainedSearch,
  explainedHop,
  explainText,
} from './explained-hop.ts';
import { type McpTool, NOTICE, type ToolReply, toolOutput, UNTRUSTED } from './tool.ts';

interface ExplainInput {
  readonly id: string;
  readonly hop?: number;
}

const INPUT = object<ExplainInput>({
  id: { ...text('id of a run of ask or retrieve'), minLength: 1 },
  hop: optional({ ...whole('first hop to explain, from 1', 1), default: 1 }),
});

const counts = { type: 'object', additionalProperties: { type: 'integer' } };
const SEARCH = record<ExplainedSearch>({
  text: optional(text('what was searched for; missing for a search by vector')),
  retriever: text('canonical name'),
  unit: text('what was searched'),
  from: optional(
    record<NonNullable<ExplainedSearch['from']>>({
      hop: whole('hop that it depends on, from 1', 1),
      id: optional(text('hit in it')),
    }),
  ),
  relaxed: optional(text('why the filter was relaxed')),
  hits: whole('number of hits'),
  best: list(record({ id: text('id of the hit'), score: number() })),
});
const HOP = record<ExplainedHop>({
  hop: whole('from 1', 1),
  reason: optional(text('the sub-question, thought or clause that it follows')),
  searches: list(SEARCH),
  kept: list(
    record<ExplainedHop['kept'][number]>({
      id: text('id of the item'),
      documentId: text('id of its document'),
      title: optional(text('its title')),
      score: number(),
    }),
  ),
  rejected: { ...counts, description: 'numbers of hits that were not kept, by reason' },
  withdrawn: optional(list(record({ id: text('id of the item'), why: text('reason') }))),
  outputs: optional(list(record({ role: text('what it is'), text: text('what a model wrote') }))),
  incomplete: optional(text('what ended the run inside this hop')),
  spent: { type: 'object', additionalProperties: { type: 'number' } },
});

const RUN = fieldsOf(ASK_OUTPUT);
const OUTPUT = toolOutput(
  record({
    id: text('id of the run'),
    question: RUN['question']!,
    strategy: RUN['strategy']!,
    retriever: RUN['retriever']!,
    reader: RUN['reader']!,
    context: RUN['context']!,
    predictedType: RUN['predictedType']!,
    answer: record({
      kind: text('answered, abstained or evidence'),
      text: optional(text('its text')),
      reason: optional(text('why there is none')),
    }),
    stopped: RUN['stopped']!,
    spent: RUN['spent']!,
    budget: RUN['budget']!,
    ms: RUN['ms']!,
    hops: list(HOP),
    hopCount: whole('hops of the run'),
    next: optional(whole('hop to read on from; missing at the end', 1)),
  }),
);

export const explainTool: McpTool<ExplainInput> = {
  name: 'explain_run',
  title: 'Explain a run',
  description: `Shows how a run of ask or retrieve went: for each hop what it searched for, what it found, kept and rejected, and what it spent. ${UNTRUSTED}`,
  input: INPUT,
  output: OUTPUT,
  works: false,
  answer: async ({ id, hop = 1 }, { store, most }) =>
    explained(id, keptTrace(store.trace(id)), hop, most),
};

/** Reads the lines of a full trace; the last is its seal. */
function keptTrace(lines: string): Trace {
  const events = lines
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map(line => {
      const { event, ms } = JSON.parse(line) as { event: TraceEvent; ms: number };
      return { ...event, ms };
    });
  return traceOf(events)!;
}

function explained(id: string, trace: Trace, from: number, most: number): ToolReply {
  if (from > Math.max(1, trace.hops.length))
    throw new InputError('bad-request', 'The field "hop"', {
      expected: `at most ${trace.hops.length}, the hops of this run`,
      received: String(from),
    });
  const hops = trace.hops
    .slice(from - 1)
    .map((hop, index) => explainedHop(hop, from + index, trace));
  const { answer } = trace;
  const said =
    answer.kind === 'abstained'
      ? { kind: answer.kind, reason: answer.reason }
      : { kind: answer.kind, text: answer.text };
  const { question, strategy, retriever, reader, predictedType, stopped, spent, budget, ms } =
    trace;
  const about = defined<object>({
    id,
    question,
    strategy,
    retriever,
    reader,
    context: trace.context.name,
    answer: said,
    predictedType,
    stopped,
    spent,
    budget,
    ms,
    hopCount: trace.hops.length,
    notice: NOTICE,
  });
  return pageOf(about, hops, { from, most });
}

/** Shows as many hops as fit, and the first in any case. */
function pageOf(
  about: object,
  hops: readonly ExplainedHop[],
  { from, most }: { readonly from: number; readonly most: number },
): ToolReply {
  for (let count = hops.length; ; count = Math.floor(count / 2)) {
    const next = count < hops.length ? { next: from + count } : {};
    const fields = { ...about, hops: hops.slice(0, count), ...next };
    const cuts = [{ path: ['question', 'text'], readOn: 'it is the question of the run' }];
    if (count <= 1 || sizeOf(fields) + sizeOf(explainText(fields)) <= most)
      return { fields, cuts, text: explainText };
  }
}
