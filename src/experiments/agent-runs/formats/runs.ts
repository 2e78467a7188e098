/** Reads runs in the schema of this package, one a line: see `AgentRun`. */
import { defined } from '../../../core/defined.ts';
import {
  type AgentHit,
  type AgentHop,
  type AgentRun,
  type AgentSearch,
  amountOf,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from '../agent-run.ts';
import type { TraceFormat } from '../trace-format.ts';

export const runs: TraceFormat = {
  name: 'runs',
  summary: 'lines { id, question, agent, hops: [{ searches: [{ tool, query, hits }] }], answer }',
  accepts: value => isFields(value) && Array.isArray(value['hops']),
  runs: values =>
    values.filter(runs.accepts).map(value =>
      defined<AgentRun>({
        id: textOf(value, 'id'),
        question: textOf(value, 'question'),
        agent: textOf(value, 'agent'),
        hops: listOf(fieldsOf(value)['hops']).map(hopOf),
        answer: textOf(value, 'answer'),
        ms: amountOf(value, 'ms'),
      }),
    ),
};

const hopOf = (value: unknown): AgentHop =>
  defined<AgentHop>({
    reason: textOf(value, 'reason'),
    searches: listOf(fieldsOf(value)['searches']).map(searchOf),
    modelCalls: amountOf(value, 'modelCalls'),
    inputTokens: amountOf(value, 'inputTokens'),
    outputTokens: amountOf(value, 'outputTokens'),
    ms: amountOf(value, 'ms'),
  });

const searchOf = (value: unknown): AgentSearch =>
  defined<AgentSearch>({
    tool: textOf(value, 'tool') ?? 'search',
    query: textOf(value, 'query'),
    hits: listOf(fieldsOf(value)['hits']).map(hitOf),
  });

const hitOf = (value: unknown): AgentHit =>
  typeof value === 'string'
    ? { text: value }
    : defined<AgentHit>({
        document: textOf(value, 'document'),
        title: textOf(value, 'title'),
        text: textOf(value, 'text'),
        score: Number(fieldsOf(value)['score'] ?? Number.NaN) || undefined,
      });
