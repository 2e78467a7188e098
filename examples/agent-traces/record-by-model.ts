/**
 * Records an agent of the AI SDK with the tools of `multihop/ai-sdk` over the demo documents, by
 * the model behind `MODEL_URL`: its result with steps, one question a line. Calls of tools are
 * written as models of Qwen are trained to write them, since small servers know no tools.
 */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isStepCount, ToolLoopAgent } from 'ai';
import { aiSdkTools } from '../../src/agents/ai-sdk/index.ts';
import { openStore } from '../../src/index.ts';

const DEMO = join(import.meta.dirname, '..', '..', 'demo');
/** Questions of two hops, by their place in the file. */
const ASKED = [1, 4];

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
}

/** Sends calls of tools and their results as text, and reads the calls of the reply. */
async function inQwensForm(url: RequestInfo | URL, request?: RequestInit): Promise<Response> {
  const { tools, tool_choice: choice, messages, ...rest } = JSON.parse(String(request?.body));
  const offered = `\n\n# Tools\n\nYou may call one or more functions. Their signatures are within <tools></tools>:\n<tools>\n${(tools as object[]).map(tool => JSON.stringify(tool)).join('\n')}\n</tools>\n\nFor each call, return a JSON object with the name and the arguments within <tool_call></tool_call>:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>`;
  const written = (messages as Message[]).map(({ role, content, tool_calls: calls = [] }) => ({
    role: role === 'tool' ? 'user' : role,
    content: [
      ...(role === 'tool' ? [`<tool_response>\n${content}\n</tool_response>`] : [content ?? '']),
      ...(role === 'system' ? [offered] : []),
      ...calls.map(
        ({ function: made }) =>
          `<tool_call>\n{"name": "${made.name}", "arguments": ${made.arguments}}\n</tool_call>`,
      ),
    ].join(''),
  }));
  const { name, parameters } = tools[0].function;
  const properties = { name: { const: name }, arguments: parameters };
  const call = { type: 'object', properties, required: Object.keys(properties) };
  const form = { type: 'json_schema', json_schema: { name: 'call', schema: call } };
  const body = JSON.stringify({
    ...rest,
    max_tokens: 200,
    messages: written,
    response_format: choice === 'required' ? form : undefined,
  });
  const answered = await fetch(url, { ...request, body });
  const reply = await answered.json();
  const { message } = reply.choices[0];
  const called = [...message.content.matchAll(/\{\s*"name":.*\}/gs)].map(([text], at) => {
    const { name: tool, arguments: input } = JSON.parse(text);
    const told = { name: tool, arguments: JSON.stringify(input) };
    return { id: `call-${messages.length}-${at}`, type: 'function', function: told };
  });
  if (called.length > 0) Object.assign(message, { content: null, tool_calls: called });
  return Response.json(reply);
}

export async function recordByModel(): Promise<Record<string, string>> {
  const { MODEL_URL: baseURL, MODEL = 'qwen2.5-coder-1.5b-instruct' } = process.env;
  if (baseURL === undefined) return {};
  await using store = await openStore(mkdtempSync(join(tmpdir(), 'demo-')));
  const lines = readFileSync(join(DEMO, 'corpus.jsonl'), 'utf8').trim().split('\n');
  await store.ingest(lines.map(line => JSON.parse(line)));
  const { retrieve } = aiSdkTools(store, {
    filter: false,
    budget: { documents: 4, contextTokens: 300 },
  });
  const agent = new ToolLoopAgent({
    model: createOpenAICompatible({ name: 'local', baseURL, fetch: inQwensForm })(MODEL),
    tools: { retrieve },
    stopWhen: isStepCount(4),
    // A model of this size answers from memory where nothing demands a call.
    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'auto' }),
    instructions:
      'Call retrieve with the question. Then answer in a few words, from the evidence alone.',
  });
  const questions = JSON.parse(readFileSync(join(DEMO, 'questions.json'), 'utf8'));
  const runs: string[] = [];
  for (const at of ASKED) {
    const { query: question } = questions[at];
    const { steps, text } = await agent.generate({ prompt: question });
    const said = steps.map(({ toolCalls, toolResults, text: words, usage, performance }) => ({
      text: words,
      toolCalls,
      // The evidence alone, so that the file stays small.
      toolResults: toolResults.map(({ output: { evidence }, ...one }) => ({
        ...one,
        output: { evidence },
      })),
      usage,
      performance,
    }));
    runs.push(JSON.stringify({ agent: 'qwen', question, steps: said, text }));
  }
  return { 'ai-sdk-by-qwen.jsonl': runs.join('\n') };
}
