/** JSON Schemas of the chat completions of OpenAI, as far as they are read. */
import { list, record, type Schema } from '../session/requests/schemas.ts';

const CONTENT: Schema = {
  anyOf: [
    { type: 'string' },
    {
      type: 'array',
      items: { type: 'object', properties: { type: { type: 'string' }, text: { type: 'string' } } },
    },
    { type: 'null' },
  ],
};

/** Fields that are not named here are ignored, as front ends send many. */
export const CHAT_INPUT: Schema = record(
  {
    model: {
      type: 'string',
      maxLength: 1000,
      description: 'multihop for the default strategy, or multihop/STRATEGY',
    },
    messages: {
      ...list(record({ role: { type: 'string' }, content: CONTENT }, ['role'])),
      minItems: 1,
      maxItems: 1000,
      description: 'the last message of the user is the question; earlier ones are not read',
    },
    stream: { type: ['boolean', 'null'] },
  },
  ['messages'],
);

export const CHAT_OUTPUT: Schema = record(
  {
    id: { type: 'string' },
    object: { const: 'chat.completion' },
    created: { type: 'integer' },
    model: { type: 'string' },
    choices: list({ type: 'object' }),
    usage: { type: 'object' },
  },
  ['id', 'object', 'created', 'model', 'choices', 'usage'],
);

export const MODELS_OUTPUT: Schema = record(
  { object: { const: 'list' }, data: list({ type: 'object' }) },
  ['object', 'data'],
);
