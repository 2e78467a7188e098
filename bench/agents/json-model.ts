/**
 * A language model behind an OpenAI-compatible server that knows no tools, for the AI SDK: every
 * reply is one JSON object, held to the schema of the calls that are allowed and of an answer.
 * Replies are kept by the request, so that a table can be printed again without the model.
 */
import { appendFileSync } from 'node:fs';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { sha256 } from '../../src/platform/sha256.ts';

export interface KeptReply {
  readonly text: string;
  readonly read: number;
  readonly written: number;
}

export interface Replies {
  readonly kept: Map<string, KeptReply>;
  /** Keys of the replies that were given. */
  readonly used: Set<string>;
  /** Takes new replies, one a line. */
  readonly file: string;
  /** The server up to `/v1`; without one, a request that is not kept throws. */
  readonly url?: string | undefined;
}

export class NotRecorded extends Error {
  constructor() {
    super('a reply is not recorded: --record URL asks the model');
  }
}

const MOST_WRITTEN = 100;
/** Results of multihop name their run, which is another each time. */
const RUN_IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export function jsonModel(modelId: string, replies: Replies): LanguageModelV4 {
  const doGenerate: LanguageModelV4['doGenerate'] = async options => {
    const reply = await replyTo(bodyOf(modelId, options), replies);
    const { tool, answer, ...input } = parsed(reply.text);
    const content =
      tool === undefined
        ? { type: 'text' as const, text: String(answer ?? reply.text) }
        : {
            type: 'tool-call' as const,
            toolCallId: `call-${options.prompt.length}`,
            toolName: String(tool),
            input: JSON.stringify(input),
          };
    const unknown = { cacheRead: undefined, cacheWrite: undefined };
    return {
      content: [content],
      finishReason: { unified: tool === undefined ? 'stop' : 'tool-calls', raw: undefined },
      usage: {
        inputTokens: { total: reply.read, noCache: reply.read, ...unknown },
        outputTokens: { total: reply.written, text: reply.written, reasoning: undefined },
      },
      warnings: [],
    };
  };
  return {
    specificationVersion: 'v4',
    provider: 'json',
    modelId,
    supportedUrls: {},
    doGenerate,
    doStream: () => Promise.reject(new Error('not streamed')),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // Cut at the most tokens: what it says counts as an answer.
    return { answer: /"answer":\s*"([^"]*)/.exec(text)?.[1] ?? text };
  }
}

async function replyTo(body: object, { kept, used, file, url }: Replies): Promise<KeptReply> {
  const key = sha256(JSON.stringify(body).replace(RUN_IDS, '')).slice(0, 16);
  used.add(key);
  const known = kept.get(key);
  if (known) return known;
  if (url === undefined) throw new NotRecorded();
  const headers = { 'content-type': 'application/json' };
  const answered = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answered.ok) throw new Error(`${answered.status}: ${await answered.text()}`);
  const { choices, usage } = (await answered.json()) as {
    choices: { message: { content: string } }[];
    usage?: { prompt_tokens: number; completion_tokens: number };
  };
  const reply: KeptReply = {
    text: choices[0]!.message.content,
    read: usage?.prompt_tokens ?? Math.round(JSON.stringify(body).length / 4),
    written: usage?.completion_tokens ?? 0,
  };
  kept.set(key, reply);
  appendFileSync(file, `${JSON.stringify([key, reply])}\n`);
  return reply;
}

function bodyOf(model: string, options: LanguageModelV4CallOptions): object {
  const { prompt, tools = [], toolChoice } = options;
  const usable = tools.filter(tool => tool.type === 'function');
  const calls = usable.map(({ name, inputSchema: { properties, required = [] } }) =>
    closed({ tool: { const: name }, ...properties }, ['tool', ...required]),
  );
  const answer = closed({ answer: { type: 'string', maxLength: 500 } }, ['answer']);
  const forms = {
    none: [answer],
    required: calls,
    auto: [...calls, answer],
    tool: calls.filter(
      (_, at) => usable[at]!.name === (toolChoice as { toolName?: string }).toolName,
    ),
  }[toolChoice?.type ?? 'auto'];
  const described = usable.map(
    ({ name, description, inputSchema }) =>
      `{"tool": "${name}", ${Object.entries(inputSchema.properties ?? {})
        .map(([field, value]) => `"${field}": ${(value as { type: string }).type}`)
        .join(', ')}}\n${description}`,
  );
  const offered =
    described.length === 0 ? '' : `\n\nA call is one JSON object:\n\n${described.join('\n\n')}`;
  const messages = prompt.map(message => messageOf(message, offered));
  const schema = { name: 'reply', schema: { anyOf: forms } };
  const format = { type: 'json_schema', json_schema: schema };
  return { model, max_tokens: MOST_WRITTEN, messages, response_format: format };
}

const closed = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Writes a message as the template of the model takes it: calls as they were replied. */
function messageOf(
  message: LanguageModelV4CallOptions['prompt'][number],
  offered: string,
): { role: string; content: string } {
  if (message.role === 'system') return { role: 'system', content: message.content + offered };
  const parts = message.content.map(part => {
    if (part.type === 'text')
      return message.role === 'user' ? part.text : JSON.stringify({ answer: part.text });
    if (part.type === 'tool-call')
      return JSON.stringify({ tool: part.toolName, ...(part.input as object) });
    if (part.type === 'tool-result' && 'value' in part.output)
      return `Result:\n${part.output.value}`;
    return '';
  });
  return { role: message.role === 'tool' ? 'user' : message.role, content: parts.join('\n') };
}
