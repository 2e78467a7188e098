/**
 * A value instead of a text: a model is asked for JSON, what it says is parsed and checked, and one
 * attempt at repair is made.
 */
import type { Call } from '../trace/call.ts';
import { jsonValuesIn } from './json-in-text.ts';
import type { Completion, LanguageModel, Message, Prompt } from './language-model.ts';
import { firstTokens } from './prompt-tokens.ts';

/** `texts`: everything that the model said, the repair last. */
export type Structured<T> =
  | { readonly kind: 'parsed'; readonly value: T; readonly texts: readonly string[] }
  | { readonly kind: 'unparsed'; readonly texts: readonly string[] };

/**
 * `read` makes the value of parsed JSON, or undefined where it is not what was asked for; it never
 * throws. It gets each JSON value of the text in turn. A text that was refused is not repaired.
 * Throws what the model throws: a budget that has no room for the repair ends the run.
 */
export async function generateStructured<T>(
  model: LanguageModel,
  prompt: Prompt,
  read: (json: unknown) => T | undefined,
  call: Call,
): Promise<Structured<T>> {
  const first = await model.generate(prompt, call);
  const value = valueIn(first, read);
  if (value !== undefined) return { kind: 'parsed', value, texts: [first.text] };
  if (first.finish === 'filtered') return { kind: 'unparsed', texts: [first.text] };
  const second = await model.generate({ ...prompt, messages: repairOf(prompt, first) }, call);
  const repaired = valueIn(second, read);
  const texts = [first.text, second.text];
  return repaired === undefined
    ? { kind: 'unparsed', texts }
    : { kind: 'parsed', value: repaired, texts };
}

const REPAIR = 'That was not the JSON asked for. Reply with that JSON alone.';
const SHORTER = 'That was cut off. Reply with the JSON alone, and shorter.';
const NOTHING = '\n\nReply with the JSON that is asked for alone.';

/**
 * The prompt of a repair has at most `maxTokens` and this many tokens more than the prompt that it
 * repairs, as `promptTokens` counts: what is shown of the first text is cut to that.
 */
export const REPAIR_TOKENS = 42;

/**
 * After nothing there is nothing to show: templates of chat models refuse empty turns, and two of
 * one role in a row.
 */
function repairOf({ messages, maxTokens }: Prompt, { text, finish }: Completion): Message[] {
  const last = messages.at(-1);
  if (text.trim() === '') {
    if (last?.role !== 'user') return [...messages, { role: 'user', text: NOTHING.trim() }];
    return [...messages.slice(0, -1), { role: 'user', text: last.text + NOTHING }];
  }
  const said: Message = { role: 'assistant', text: firstTokens(text, maxTokens) };
  return [...messages, said, { role: 'user', text: finish === 'length' ? SHORTER : REPAIR }];
}

function valueIn<T>({ text }: Completion, read: (json: unknown) => T | undefined): T | undefined {
  for (const json of jsonValuesIn(text)) {
    const value = read(json);
    if (value !== undefined) return value;
  }
  return undefined;
}
