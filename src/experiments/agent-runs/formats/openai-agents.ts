/** Reads results of the OpenAI Agents SDK (`history`), and items of the Responses API. */
import { defined } from '../../../core/defined.ts';
import { type AgentRun, type Fields, fieldsOf, isFields, listOf, textOf } from '../agent-run.ts';
import { plainText } from '../hits-in.ts';
import { callIn, resultIn, roleOf, runOfSaid, type Said } from '../said-messages.ts';
import type { TraceFormat } from '../trace-format.ts';

export const openAiAgents: TraceFormat = {
  name: 'openai-agents',
  summary: 'results of the OpenAI Agents SDK: { history }, with calls and results as items',
  accepts: value => isFields(value) && itemsOf(value).some(isItem),
  runs: values => values.filter(openAiAgents.accepts).map(value => runOf(fieldsOf(value))),
};

const isItem = (item: unknown): boolean => /^function_call/.test(textOf(item, 'type') ?? '');

const itemsOf = (result: Fields): readonly unknown[] =>
  listOf(result['history'] ?? result['input']);

function runOf(result: Fields): AgentRun {
  const usage = listOf(fieldsOf(fieldsOf(result['state'])['context'])['usage']);
  const responses = [...listOf(result['rawResponses']), ...usage].map(one => fieldsOf(one));
  const said: Said[] = [];
  let calls = 0;
  let isCalling = false;
  for (const item of itemsOf(result)) {
    const type = textOf(item, 'type') ?? 'message';
    const role = roleOf({ role: fieldsOf(item)['role'] });
    if (role === 'user') said.push({ is: 'user', text: plainText(fieldsOf(item)['content']) });
    // Items that the model says together are one call of it: it ends with the first result.
    const isModel = role === 'model' || type === 'function_call';
    if (isModel && !isCalling) {
      const reply = fieldsOf(responses[calls++]);
      said.push({ is: 'model', text: '', usage: fieldsOf(reply['usage']) });
    }
    isCalling = isModel;
    if (role === 'model') {
      const last = said.at(-1) as Extract<Said, { is: 'model' }>;
      if (last.is === 'model') said[said.length - 1] = { ...last, text: textIn(item) };
    } else if (/call$/.test(type)) said.push(...callIn(item));
    else if (/(?:result|output)$/.test(type)) said.push(...(hasFailed(item) ? [] : resultIn(item)));
  }
  const run = runOfSaid(said);
  return defined<AgentRun>({
    ...run,
    id: textOf(result, 'id'),
    agent: textOf(result, 'agent'),
    answer: textOf(result, 'finalOutput') ?? run.answer,
  });
}

/** The SDK marks no failure of a tool, but writes one of these texts, unless a tool has another. */
const FAILURES = [
  /^An error occurred while running the tool\. Please try again\./,
  /^Tool execution was not approved\.$/,
  /^Tool '.+' timed out after \d+ms\.$/,
];

function hasFailed(item: unknown): boolean {
  const text = plainText(fieldsOf(item)['output']);
  return textOf(item, 'status') === 'incomplete' || FAILURES.some(failure => failure.test(text));
}

const textIn = (item: unknown): string => plainText(fieldsOf(item)['content']);
