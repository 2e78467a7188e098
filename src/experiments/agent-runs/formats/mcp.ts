/**
 * Reads logs of the messages between an MCP client and its servers: each call of a tool is a hop.
 * A log holds neither the question nor the answer: a line `{ "question": ..., "answer": ... }`
 * among its messages may state them, and begins a run.
 */
import { defined } from '../../../core/defined.ts';
import {
  type AgentHop,
  type AgentRun,
  type AgentSearch,
  fieldsOf,
  isFields,
  textOf,
} from '../agent-run.ts';
import { hitsIn, isFailure, queryIn } from '../hits-in.ts';
import type { TraceFormat } from '../trace-format.ts';

export const mcp: TraceFormat = {
  name: 'mcp',
  summary: 'logs of JSON-RPC messages between an MCP client and its servers',
  accepts: value => textOf(messageOf(value), 'jsonrpc') === '2.0',
  runs: values => {
    const turns: unknown[][] = [];
    for (const value of values) {
      const isQuestion = textOf(value, 'question') !== undefined;
      if (isQuestion || turns.length === 0) turns.push([]);
      turns.at(-1)!.push(value);
    }
    return turns.map(runOf).filter(run => run.hops.length > 0 || run.question !== undefined);
  },
};

/** Logs wrap a message with its time and direction. */
const messageOf = (line: unknown): unknown => {
  const { message, jsonrpc } = fieldsOf(line);
  return jsonrpc === undefined && isFields(message) ? message : line;
};

function runOf(lines: readonly unknown[]): AgentRun {
  const results = new Map<string, { readonly result: unknown; readonly at: number | undefined }>();
  for (const line of lines) {
    const message = fieldsOf(messageOf(line));
    const id = textOf(message, 'id');
    if (id !== undefined && 'result' in message)
      results.set(id, { result: message['result'], at: timeOf(line) });
  }
  const began = lines.map(timeOf).find(time => time !== undefined);
  const hops: AgentHop[] = [];
  for (const line of lines) {
    const { method, params, id } = fieldsOf(messageOf(line));
    if (method !== 'tools/call' || id === undefined) continue;
    const reply = results.get(String(id));
    const search = defined<AgentSearch>({
      tool: textOf(params, 'name') ?? 'tool',
      query: queryIn(fieldsOf(params)['arguments']),
      hits: hitsOf(reply?.result),
    });
    const ms = reply?.at === undefined || began === undefined ? undefined : reply.at - began;
    hops.push(defined<AgentHop>({ searches: [search], ms }));
  }
  const [first] = lines;
  return defined<AgentRun>({
    id: textOf(first, 'question') === undefined ? undefined : textOf(first, 'id'),
    question: textOf(first, 'question'),
    answer: textOf(
      lines.find(line => textOf(line, 'answer') !== undefined),
      'answer',
    ),
    hops,
  });
}

/** Structured content says ids; the content beside it repeats it as text. */
function hitsOf(result: unknown): AgentSearch['hits'] {
  const { structuredContent, content } = fieldsOf(result);
  if (isFailure(result)) return [];
  const structured = isFields(structuredContent) ? hitsIn(structuredContent) : [];
  return structured.some(hit => hit.document !== undefined) ? structured : hitsIn(content);
}

function timeOf(line: unknown): number | undefined {
  const { timestamp, time } = fieldsOf(line);
  const stated = timestamp ?? time;
  const found = typeof stated === 'string' ? Date.parse(stated) : stated;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}
