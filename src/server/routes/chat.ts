/**
 * `/v1/chat/completions` and `/v1/models`, in the shapes of OpenAI, so that chat front ends can
 * ask a store. The hops are the reasoning, the citations annotations.
 */

import { InputError } from '../../core/errors.ts';
import { wallClock } from '../../platform/wall-clock.ts';
import { FILTERED } from '../../readers/cut-answer.ts';
import type { Finished } from '../../session/requests/answering-store.ts';
import { OFFERED } from '../../session/requests/offered.ts';
import { type AskInput, MOST_QUESTION } from '../../session/requests/schemas.ts';
import { chatAnswer, hopText, questionText } from '../chat-answer.ts';
import { CHAT_INPUT, CHAT_OUTPUT, type ChatInput, MODELS_OUTPUT } from '../chat-schemas.ts';
import { earlierTurns, lastQuestion } from '../chat-turns.ts';
import type { EventStream } from '../event-stream.ts';
import { InertMarkdown } from '../inert-markdown.ts';
import { openAiError } from '../problem-response.ts';
import { json, type Route, type RouteCall, route } from '../route.ts';
import { type RunWriter, streamedRun } from '../streamed-run.ts';

const MODEL = 'multihop';

export const chatRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/chat/completions',
    id: 'chatCompletions',
    summary:
      "Answers the last message of the user, which may refer to earlier ones, in the shape of OpenAI's chat completions",
    access: 'token',
    works: true,
    body: CHAT_INPUT,
    answers: [
      { type: 'application/json', schema: CHAT_OUTPUT, description: 'the answer' },
      { type: 'text/event-stream', description: 'chunks, if stream is true' },
    ],
    answer: call => {
      const { input } = call;
      if (input.stream !== true) return completed(call, input);
      const asked = askOf(input);
      return streamedRun(call, watching => call.store.ask(asked, watching), chunkWriter(input));
    },
  }),
  {
    method: 'GET',
    path: '/v1/models',
    id: 'listModels',
    summary: 'Lists the strategies as models',
    access: 'token',
    answers: [{ type: 'application/json', schema: MODELS_OUTPUT, description: 'names' }],
    answer: () => {
      const names = OFFERED.strategies.map(name => `${MODEL}/${name}`);
      const data = [MODEL, ...names].map(id => ({
        id,
        object: 'model',
        created: 0,
        owned_by: MODEL,
      }));
      return json({ object: 'list', data });
    },
  },
];

async function completed(call: RouteCall, input: ChatInput): Promise<Response> {
  const finished = await call.store.ask(askOf(input), { signal: call.signal });
  call.onRun(finished.trace);
  const { content, annotations } = chatAnswer(finished);
  const message = { role: 'assistant', content, refusal: null, annotations };
  return json(
    {
      ...head(finished.id, input, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishOf(finished), logprobs: null }],
      usage: usageOf(finished),
    },
    { 'X-Trace-Id': finished.id },
  );
}

const chunkWriter =
  (input: ChatInput) =>
  (stream: EventStream, id: () => string): RunWriter => {
    let [streamed, written] = ['', ''];
    const inert = new InertMarkdown();
    const counts = input.stream_options?.include_usage === true;
    const chunk = (fields: object): Promise<void> =>
      stream.data(JSON.stringify({ ...head(id(), input, 'chat.completion.chunk'), ...fields }));
    const send = (delta: object, more: object = {}): Promise<void> => {
      const choice = { index: 0, delta, finish_reason: null, ...more };
      return chunk({ choices: [choice], usage: counts ? null : undefined });
    };
    const write = async (content: string): Promise<void> => {
      written += content;
      if (content !== '') await send({ content });
    };
    return {
      event: async event => {
        if (event.type === 'question') {
          await send({ role: 'assistant', content: '' });
          const asked = questionText(event).trim();
          if (asked !== '') await send({ reasoning_content: `${asked}\n` });
        }
        if (event.type === 'hop')
          await send({ reasoning_content: hopText(event.hop, event.index) });
      },
      text: text => {
        streamed += text;
        void write(inert.push(text));
      },
      finished: async finished => {
        await write(inert.end());
        const { content, annotations } = chatAnswer(finished, { streamed, written });
        await send({ content, annotations });
        await send({}, { finish_reason: finishOf(finished) });
        if (counts) await chunk({ choices: [], usage: usageOf(finished) });
        await stream.data('[DONE]');
      },
      failed: problem => stream.data(JSON.stringify({ error: openAiError(problem) })),
    };
  };

/** OpenAI's word for an answer whose reply was cut, or withheld by a filter. */
function finishOf({ trace: { answer } }: Finished): 'stop' | 'length' | 'content_filter' {
  if (answer.kind === 'abstained' && answer.reason === FILTERED) return 'content_filter';
  return answer.kind !== 'evidence' && answer.cut ? 'length' : 'stop';
}

const head = (id: string, { model = MODEL }: ChatInput, object: string): object => ({
  id: `chatcmpl-${id}`,
  object,
  created: Math.floor(wallClock() / 1000),
  model,
});

function askOf({ model = MODEL, messages }: ChatInput): AskInput {
  const question = lastQuestion(messages);
  if (question === '' || question.length > MOST_QUESTION)
    throw new InputError('bad-request', 'The last message of the user', {
      expected: `a question of 1 to ${MOST_QUESTION} characters`,
      received: question === '' ? 'no text' : `${question.length} characters`,
    });
  const strategy = model.startsWith(`${MODEL}/`)
    ? model.slice(MODEL.length + 1)
    : OFFERED.defaults.strategy;
  const earlier = earlierTurns(messages);
  return earlier.length === 0 ? { question, strategy } : { question, strategy, earlier };
}

/** Tokens of the language model of the run; zero without one. */
function usageOf({ modelSpent }: Finished): object {
  const { input, output } = modelSpent ?? { input: 0, output: 0 };
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
