/** Types and JSON Schemas of OpenAI's chat completions, as far as they are read. */
import {
  list,
  optional,
  record,
  type Schema,
  some,
  text,
  whole,
} from '../session/requests/schema.ts';

export interface ChatInput {
  readonly model?: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
}

const FLAG = ['boolean', 'null'];
const PART = record({ type: optional(text()), text: optional(text()) });
const CONTENT: Schema = { anyOf: [text(), list(PART), { type: 'null' }] };

/** Fields that are not named here are ignored, as front ends send many. */
export const CHAT_INPUT: Schema<ChatInput> = record<ChatInput>({
  model: optional({
    ...text('multihop for the default strategy, or multihop/STRATEGY'),
    maxLength: 1000,
  }),
  messages: {
    ...list(record<ChatInput['messages'][number]>({ role: text(), content: optional(CONTENT) })),
    minItems: 1,
    maxItems: 1000,
    description:
      'the last message of the user is the question; earlier ones of user and assistant are the conversation that it may refer to',
  },
  stream: optional({ type: FLAG }),
  stream_options: optional({
    type: ['object', 'null'],
    properties: { include_usage: { type: FLAG } },
  }),
});

export const CHAT_OUTPUT: Schema = record({
  id: text(),
  object: { const: 'chat.completion' },
  created: whole(),
  model: text(),
  choices: list(some),
  usage: some,
});

export const MODELS_OUTPUT: Schema = record({ object: { const: 'list' }, data: list(some) });
