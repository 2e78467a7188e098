/** Reads results of `generateText` and of agents of the AI SDK and of Mastra, by their steps. */
import { defined } from '../../../core/defined.ts';
import { type AgentRun, type Fields, fieldsOf, isFields, listOf, textOf } from '../agent-run.ts';
import { plainText } from '../hits-in.ts';
import { callIn, resultIn, roleOf, runOfSaid, type Said } from '../said-messages.ts';
import type { TraceFormat } from '../trace-format.ts';

export const steps: TraceFormat = {
  name: 'steps',
  summary: 'results of the AI SDK and of Mastra with their steps: { question, steps }',
  accepts: value => isFields(value) && Array.isArray(value['steps']),
  runs: values => values.filter(steps.accepts).map(value => runOf(fieldsOf(value))),
};

function runOf(result: Fields): AgentRun {
  const all = listOf(result['steps']).filter(isFields);
  const run = runOfSaid(all.flatMap(saidInStep));
  const asked = textOf(result, 'question', 'prompt', 'input') ?? firstQuestion(all);
  return defined<AgentRun>({
    ...run,
    id: textOf(result, 'id'),
    agent: textOf(result, 'agent'),
    question: asked,
    answer: textOf(result, 'text') ?? run.answer,
  });
}

function saidInStep(step: Fields): Said[] {
  const content = listOf(step['content']);
  const [calls, results] = [listOf(step['toolCalls']), listOf(step['toolResults'])];
  const ms = fieldsOf(step['performance'])['totalTimeMs'];
  return [
    defined<Said & { is: 'model' }>({
      is: 'model',
      text: textOf(step, 'text') ?? '',
      usage: fieldsOf(step['usage']),
      ms: typeof ms === 'number' ? ms : undefined,
    }),
    ...(calls.length > 0 ? calls : content).flatMap(callIn),
    ...(results.length > 0 ? results : content).flatMap(resultIn),
  ];
}

/** Steps may hold the request of the model, whose first message of a user is the question. */
function firstQuestion(all: readonly Fields[]): string | undefined {
  const request = fieldsOf(all[0]?.['request']);
  const body = fieldsOf(request['body']);
  const said = [...listOf(request['messages']), ...listOf(body['messages'])];
  const user = said.find(message => roleOf(message) === 'user');
  return user === undefined ? undefined : plainText(fieldsOf(user)['content']) || undefined;
}
