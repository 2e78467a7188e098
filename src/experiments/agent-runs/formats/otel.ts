/**
 * Reads runs of agents from spans by the conventions of OpenTelemetry for generative AI: a run is
 * the outermost `invoke_agent` span, or else a whole trace; calls of tools and retrievals inside it
 * are searches, and each call of a model begins a hop.
 */
import { defined } from '../../../core/defined.ts';
import { parseJson } from '../../../core/text/bounded-json.ts';
import type { Hop, Search, TraceEvent } from '../../../core/trace/trace.ts';
import { GEN_AI, MULTIHOP } from '../../../session/otel/attributes.ts';
import {
  type AgentHit,
  type AgentHop,
  type AgentRun,
  type AgentSearch,
  amountOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from '../agent-run.ts';
import { hitsIn, plainText, queryIn } from '../hits-in.ts';
import { roleOf } from '../said-messages.ts';
import type { EventRun, TraceFormat } from '../trace-format.ts';
import { isSpans, type ReadSpan, spansIn } from './otel-spans.ts';

export const otel: TraceFormat = {
  name: 'otel',
  summary:
    'spans of OpenTelemetry for generative AI, as OTLP in JSON or as exporters of SDKs print them',
  accepts: isSpans,
  runs: values => {
    const spans = values.flatMap(spansIn).filter(span => span.trace !== '');
    return [...Map.groupBy(spans, span => span.trace).values()].flatMap(runsOfTrace);
  },
};

const OPERATIONS: Readonly<Record<string, 'run' | 'chat' | 'search' | 'tool'>> = {
  invoke_agent: 'run',
  invoke_workflow: 'run',
  chat: 'chat',
  generate_content: 'chat',
  text_completion: 'chat',
  retrieval: 'search',
  execute_tool: 'tool',
};

function operationOf({ attributes }: ReadSpan): 'run' | 'chat' | 'search' | 'tool' | undefined {
  const name = attributes[GEN_AI.operation];
  return typeof name === 'string' && Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
}

/** A span with the spans inside it, by their start. */
interface Node {
  readonly span: ReadSpan;
  readonly children: Node[];
}

function runsOfTrace(spans: readonly ReadSpan[]): (AgentRun | EventRun)[] {
  const nodes = new Map(spans.map(span => [span.id, { span, children: [] as Node[] }]));
  const roots: Node[] = [];
  for (const node of [...nodes.values()].sort((a, b) => a.span.start - b.span.start)) {
    const parent = nodes.get(node.span.parent);
    // A damaged file may hold circles, which hang under no root.
    (parent && parent !== node ? parent.children : roots).push(node);
  }
  const outermost = roots.flatMap(root => outermostRuns(root));
  if (outermost.length > 0) return outermost.map(runOfNode);
  const whole = { span: roots[0]?.span ?? spans[0]!, children: roots };
  return flat(whole).some(({ span }) => operationOf(span)) ? [runOfNode(whole)] : [];
}

function outermostRuns(node: Node): Node[] {
  const found: Node[] = [];
  const open = [node];
  while (open.length > 0) {
    const next = open.pop()!;
    if (operationOf(next.span) === 'run') found.push(next);
    else open.push(...next.children.toReversed());
  }
  return found;
}

/** Returns the nodes below a node, each before those inside it. */
function flat({ children }: Node): Node[] {
  const all: Node[] = [];
  const open = children.toReversed();
  while (open.length > 0) {
    const next = open.pop()!;
    all.push(next);
    open.push(...next.children.toReversed());
  }
  return all;
}

const runOfNode = (node: Node): AgentRun | EventRun => recordedRun(node) ?? agentRun(node);

function agentRun(node: Node): AgentRun {
  const { span } = node;
  const inside = flat(node);
  const chats = inside.filter(one => operationOf(one.span) === 'chat').map(one => one.span);
  const hops: { -readonly [K in keyof AgentHop]: AgentHop[K] }[] = [];
  const latest = (): (typeof hops)[number] => {
    if (hops.length === 0) hops.push({ searches: [] });
    return hops.at(-1)!;
  };
  // By start, so that a tool follows the call that asked for it, wherever its span hangs.
  for (const one of inside.toSorted((a, b) => a.span.start - b.span.start)) {
    const operation = operationOf(one.span);
    if (operation === 'chat') hops.push(hopOfChat(one.span));
    const search = searchOf(one, operation);
    if (search) latest().searches = [...latest().searches, search];
    if (operation) latest().ms = Math.max(latest().ms ?? 0, one.span.end - span.start);
  }
  const question = said([span, ...chats], GEN_AI.inputMessages, 'user');
  return defined<AgentRun>({
    question,
    id: textOf(span.attributes, 'multihop.question.id'),
    agent: [span, ...inside.map(one => one.span)]
      .map(({ attributes }) => textOf(attributes, GEN_AI.agent))
      .find(name => name !== undefined),
    hops,
    answer: said([span, ...chats.toReversed()], GEN_AI.outputMessages, 'model'),
    ms: Math.max(0, ...[span, ...inside.map(one => one.span)].map(one => one.end - span.start)),
  });
}

const hopOfChat = ({ attributes }: ReadSpan): AgentHop =>
  defined<AgentHop>({
    searches: [],
    modelCalls: 1,
    inputTokens: amountOf(attributes, GEN_AI.inputTokens, 'gen_ai.usage.prompt_tokens'),
    outputTokens: amountOf(attributes, GEN_AI.outputTokens, 'gen_ai.usage.completion_tokens'),
  });

function searchOf(node: Node, operation: ReturnType<typeof operationOf>): AgentSearch | undefined {
  const { attributes, name, hasFailed } = node.span;
  const hits = (result: unknown): AgentHit[] => (hasFailed ? [] : hitsIn(json(result)));
  if (operation === 'search')
    return defined<AgentSearch>({
      tool: textOf(attributes, GEN_AI.dataSource, MULTIHOP.retriever) ?? 'retrieval',
      query: textOf(attributes, GEN_AI.query),
      hits: hits(attributes[GEN_AI.documents]),
    });
  // A tool that reports retrievals of its own is those retrievals.
  if (operation !== 'tool' || flat(node).some(one => operationOf(one.span) === 'search'))
    return undefined;
  return defined<AgentSearch>({
    tool: textOf(attributes, GEN_AI.toolName) ?? name.replace(/^execute_tool /, ''),
    query: queryIn(json(attributes[GEN_AI.toolArguments])),
    hits: hits(attributes[GEN_AI.toolResult]),
  });
}

/** Returns the first text of a role in the messages of spans; the last message is the newest. */
function said(
  spans: readonly ReadSpan[],
  name: string,
  role: 'user' | 'model',
): string | undefined {
  for (const { attributes } of spans) {
    const value = json(attributes[name]);
    const { messages, prompt } = fieldsOf(value);
    const all = listOf(messages ?? value).filter(one => roleOf(one) === role);
    const message = role === 'user' ? all[0] : all.at(-1);
    // The AI SDK before version 7 writes the text of an answer, or a prompt, as it is.
    const bare = typeof value === 'string' ? value : prompt;
    const text = plainText(message === undefined ? bare : textParts(message)).trim();
    if (text !== '') return text;
  }
  return undefined;
}

function textParts(message: unknown): unknown {
  const { parts, content } = fieldsOf(message);
  const all = parts ?? content;
  return Array.isArray(all) ? all.filter(part => textOf(part, 'type') === 'text') : all;
}

/** Attributes hold lists and objects as JSON, where SDKs know texts alone. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/** Returns the run of spans that this package wrote with content. */
function recordedRun(node: Node): EventRun | undefined {
  const { attributes } = node.span;
  const part = (name: string): Fields | undefined => {
    const value = json(attributes[name]);
    return isFields(value) ? value : undefined;
  };
  const parts = [
    ...[MULTIHOP.questionRecord, MULTIHOP.contextRecord],
    ...[MULTIHOP.answerRecord, MULTIHOP.endRecord],
  ].map(part);
  const [question, context, answer, end] = parts;
  if (!question || !context || !answer || !end) return undefined;
  const hops = node.children
    .filter(({ span }) => MULTIHOP.hopRecord in span.attributes)
    .map((hop, index) => ({
      type: 'hop',
      index,
      hop: hopOf(hop),
      ms: hop.span.end - node.span.start,
    }));
  const ms = node.span.end - node.span.start;
  const events = [
    { ...question, ms: 0 },
    ...hops,
    ...[context, answer, { ...end, type: 'end' }].map(event => ({ ...event, ms })),
  ];
  return { events: events as unknown as TraceEvent[] };
}

/** Returns a hop with the hits of its searches, which have spans of their own. */
function hopOf({ span, children }: Node): Hop {
  const hop = fieldsOf(json(span.attributes[MULTIHOP.hopRecord])) as unknown as Hop;
  const found = children.filter(one => operationOf(one.span) === 'search');
  const searches = listOf(hop.searches).map((search, index): Search => {
    const documents = listOf(json(found[index]?.span.attributes[GEN_AI.documents]));
    const hits = documents.map(one => {
      const { id, passage, start, end, score } = fieldsOf(one);
      return { id: passage, documentId: id, start, end, score };
    });
    return { ...(search as Search), hits: hits as unknown as Search['hits'] };
  });
  return { ...hop, searches };
}
