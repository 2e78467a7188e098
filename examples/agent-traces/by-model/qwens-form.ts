/**
 * A `fetch` for servers that know no tools: sends calls of tools and their results as text, in the
 * form that models of Qwen are trained to write, and reads the calls of the reply.
 */
import { randomUUID } from 'node:crypto';

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text: string }[] | null;
  readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
}

const textOf = (content: Message['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text).join('\n');

export async function inQwensForm(
  url: RequestInfo | URL,
  request?: RequestInit,
): Promise<Response> {
  const { tools, tool_choice: choice, messages, ...rest } = JSON.parse(String(request?.body));
  const offered = `\n\n# Tools\n\nYou may call one or more functions. Their signatures are within <tools></tools>:\n<tools>\n${(tools as object[]).map(tool => JSON.stringify(tool)).join('\n')}\n</tools>\n\nFor each call, return a JSON object with the name and the arguments within <tool_call></tool_call>:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>`;
  const written = (messages as Message[]).map(({ role, content, tool_calls: calls = [] }) => ({
    role: role === 'tool' ? 'user' : role,
    content: [
      role === 'tool' ? `<tool_response>\n${textOf(content)}\n</tool_response>` : textOf(content),
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
  const headers = { 'content-type': 'application/json' };
  const answered = await fetch(url, { method: 'POST', headers, body });
  const reply = await answered.json();
  // LangGraph replaces a message by another with its id, and small servers give all the same.
  reply.id = randomUUID();
  const { message } = reply.choices[0];
  const called = [...message.content.matchAll(/\{\s*"name":.*\}/gs)].map(([text], at) => {
    const { name: tool, arguments: input } = JSON.parse(text);
    const told = { name: tool, arguments: JSON.stringify(input) };
    return { id: `call-${messages.length}-${at}`, type: 'function', function: told };
  });
  if (called.length > 0) Object.assign(message, { content: null, tool_calls: called });
  return Response.json(reply);
}
