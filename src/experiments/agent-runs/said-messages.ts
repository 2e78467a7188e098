/**
 * Reads the messages of a conversation with calls of tools and their results, as LangChain, the AI
 * SDK, OpenAI and Mastra write them, into the run of an agent.
 */
import { defined } from '../../core/defined.ts';
import {
  type AgentHop,
  type AgentRun,
  type AgentSearch,
  amountOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  textOf,
} from './agent-run.ts';
import { hitsIn, isFailure, plainText, queryIn } from './hits-in.ts';

/** One thing that a conversation holds, in its order. */
export type Said =
  | { readonly is: 'user'; readonly text: string }
  | { readonly is: 'model'; readonly text: string; readonly usage?: Fields; readonly ms?: number }
  | { readonly is: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly is: 'result';
      readonly id: string;
      readonly tool?: string;
      readonly output: unknown;
    };

/** Returns the run: each call of the model begins a hop, whose searches are the calls it makes. */
export function runOfSaid(said: readonly Said[]): AgentRun {
  const results = new Map<string, unknown>();
  for (const one of said) if (one.is === 'result') results.set(one.id, one.output);
  const hops: Building[] = [];
  let question: string | undefined;
  let answer: string | undefined;
  for (const one of said) {
    if (one.is === 'user') question ??= one.text;
    else if (one.is === 'model') {
      answer = one.text;
      hops.push({ reason: one.text || undefined, searches: [], modelCalls: 1, ...usageOf(one) });
    } else if (one.is === 'call') {
      if (hops.length === 0) hops.push({ searches: [] });
      const { id, tool, input } = one;
      const hits = results.has(id) ? hitsIn(results.get(id)) : [];
      hops.at(-1)!.searches.push(defined<AgentSearch>({ tool, query: queryIn(input), hits }));
      answer = undefined;
    }
  }
  return defined<AgentRun>({ question, hops: hops.map(hop => defined<AgentHop>(hop)), answer });
}

/** A hop under construction; fields without a value are left out at its end. */
type Building = { -readonly [K in keyof AgentHop]: AgentHop[K] | undefined } & {
  searches: AgentSearch[];
};

const usageOf = ({
  usage,
  ms,
}: Extract<Said, { is: 'model' }>): Pick<Building, 'inputTokens' | 'outputTokens' | 'ms'> => ({
  inputTokens: amountOf(usage, 'inputTokens', 'input_tokens', 'prompt_tokens', 'promptTokens'),
  outputTokens: amountOf(
    usage,
    ...['outputTokens', 'output_tokens', 'completion_tokens', 'completionTokens'],
  ),
  ms,
});

const ROLES: Readonly<Record<string, 'user' | 'model' | 'tool'>> = {
  user: 'user',
  human: 'user',
  HumanMessage: 'user',
  assistant: 'model',
  ai: 'model',
  AIMessage: 'model',
  AIMessageChunk: 'model',
  tool: 'tool',
  ToolMessage: 'tool',
};

/** Returns the role of a message; undefined for what is none, such as the message of a system. */
export function roleOf(message: unknown): 'user' | 'model' | 'tool' | undefined {
  const fields = fieldsOf(message);
  const name = listOf(fields['id']).at(-1) ?? fields['role'] ?? fields['type'];
  return typeof name === 'string' && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
}

/** Returns what a message of any of these libraries says. */
export function saidIn(message: unknown): Said[] {
  const outer = fieldsOf(message);
  // LangChain serialises the fields of a message as kwargs or data.
  const fields = fieldsOf(outer['kwargs'] ?? outer['data'] ?? outer);
  const role = roleOf(message);
  const { content } = fields;
  if (role === 'user') return [{ is: 'user', text: plainText(texts(content)) }];
  if (role === 'tool') return toolResults(fields);
  if (role !== 'model') return [];
  const calls = [...listOf(fields['tool_calls']), ...listOf(fields['toolCalls'])];
  const parts = listOf(content);
  const usage = fieldsOf(fields['usage_metadata'] ?? fields['usage']);
  return [
    { is: 'model', text: plainText(texts(content)), usage },
    ...[...calls, ...parts].flatMap(callIn),
    ...parts.filter(isResult).flatMap(resultIn),
  ];
}

/** Leaves out parts of a message that are no text: calls, results, thoughts. */
const texts = (content: unknown): unknown =>
  Array.isArray(content)
    ? content.filter(part => typeof part === 'string' || textOf(part, 'type')?.endsWith('text'))
    : content;

function toolResults(fields: Fields): Said[] {
  const parts = listOf(fields['content']).filter(isResult);
  if (parts.length > 0) return parts.flatMap(resultIn);
  const id = textOf(fields, 'tool_call_id', 'toolCallId') ?? '';
  if (isFailure(fields)) return [{ is: 'result', id, output: fields }];
  // A tool of LangChain may return a record beside the text that its model reads.
  const { artifact, content } = fields;
  const hasIds = hitsIn(artifact ?? '').some(({ document }) => document !== undefined);
  return [{ is: 'result', id, output: hasIds ? artifact : content }];
}

const isResult = (part: unknown): boolean => /result$/.test(textOf(part, 'type') ?? '');

/** Reads a call of a tool in any of the shapes; nothing for what is none. */
export function callIn(value: unknown): Said[] {
  const outer = fieldsOf(value);
  const type = textOf(outer, 'type');
  if (type !== undefined && !/call$|^function$|^tool_use$/.test(type)) return [];
  const fields = fieldsOf(outer['payload'] ?? outer);
  const inner = fieldsOf(fields['function']);
  const tool = textOf(fields, 'toolName', 'name') ?? textOf(inner, 'name');
  if (tool === undefined) return [];
  const id = textOf(fields, 'toolCallId', 'callId', 'call_id', 'id') ?? '';
  const input = fields['input'] ?? fields['args'] ?? fields['arguments'] ?? inner['arguments'];
  return [{ is: 'call', id, tool, input }];
}

/** Reads the result of a call. */
export function resultIn(value: unknown): Said[] {
  const outer = fieldsOf(value);
  const fields = fieldsOf(outer['payload'] ?? outer);
  const id = textOf(fields, 'toolCallId', 'callId', 'call_id', 'tool_use_id', 'id');
  if (id === undefined) return [];
  const output = fields['output'] ?? fields['result'] ?? fields['content'];
  const failed = [fields, output].find(isFailure);
  const inner = isFields(output) ? (output['value'] ?? output) : output;
  return [{ is: 'result', id, output: failed ?? inner }];
}
