/** Asks a language model for JSON, parses and validates the reply, and attempts one repair. */
import { defined } from '../core/defined.ts';
import type { Call } from '../core/trace/call.ts';
import type { Cut, ModelOutput } from '../core/trace/trace.ts';
import { jsonValuesIn } from './json-in-text.ts';
import type { Completion, LanguageModel, Message, Prompt } from './language-model.ts';
import { firstTokens } from './prompt-tokens.ts';
import { shortenedLike } from './shorter-prompt.ts';

/**
 * `texts`: all replies of the model, the repair last. `cut`: the limit that cut the last.
 * `filtered`: the provider refused it.
 */
export type Structured<T> =
  | { readonly kind: 'parsed'; readonly value: T; readonly texts: readonly string[] }
  | {
      readonly kind: 'unparsed';
      readonly texts: readonly string[];
      readonly cut?: Cut;
      readonly filtered?: boolean;
    };

/**
 * Asks for JSON and returns the first value of the reply that `read` accepts. `read` converts
 * parsed JSON to the value, or returns undefined if it is not what was asked for; it never throws.
 * `faults` says what was wrong with the last value that `read` refused, at most `FAULT_TOKENS`.
 * A reply that the provider refused is not repaired. Throws the errors of the model; a budget
 * without room for the repair ends the run.
 */
export async function generateStructured<T>(
  model: LanguageModel,
  prompt: Prompt,
  read: (json: unknown) => T | undefined | Promise<T | undefined>,
  call: Call,
  faults: () => string = () => '',
): Promise<Structured<T>> {
  const first = await model.generate(prompt, call);
  const value = await valueIn(first, read);
  if (value !== undefined) return { kind: 'parsed', value, texts: [first.text] };
  if (first.finish === 'filtered') return { kind: 'unparsed', texts: [first.text], filtered: true };
  const wrong = faults();
  const repair = shortenedLike(prompt, asked => ({
    ...asked,
    messages: repairOf(asked, first, wrong),
  }));
  const second = await model.generate(repair, call);
  const repaired = await valueIn(second, read);
  const texts = [first.text, second.text];
  return repaired === undefined
    ? defined({
        kind: 'unparsed',
        texts,
        cut: second.cut,
        filtered: second.finish === 'filtered' || undefined,
      })
    : { kind: 'parsed', value: repaired, texts };
}

/** Returns replies as outputs of a trace: the last of them is parsed if `parsed` says so. */
export const outputsOf = (role: string, texts: readonly string[], parsed: boolean): ModelOutput[] =>
  texts.map((text, at) => ({ role, text, parsed: parsed && at === texts.length - 1 }));

const REPAIR = 'That was not the JSON asked for. Reply with that JSON alone.';
const SHORTER = 'That was cut off. Reply with the JSON alone, and shorter.';
const NOTHING = '\n\nReply with the JSON that is asked for alone.';

/**
 * Upper bound on the tokens that a repair adds to its prompt beyond `maxTokens`, as `promptTokens`
 * counts; the quoted first reply is cut to fit.
 */
export const REPAIR_TOKENS = 42;
/** Tokens that a repair may add to say what was wrong. */
export const FAULT_TOKENS = 200;

/**
 * Returns the messages of the repair. An empty reply is not quoted: chat templates refuse empty
 * turns, and two turns in a row of one role.
 */
function repairOf(
  { messages, maxTokens }: Prompt,
  { text, finish }: Completion,
  wrong: string,
): Message[] {
  const last = messages.at(-1);
  if (text.trim() === '') {
    if (last?.role !== 'user') return [...messages, { role: 'user', text: NOTHING.trim() }];
    return [...messages.slice(0, -1), { role: 'user', text: last.text + NOTHING }];
  }
  const reply: Message = { role: 'assistant', text: firstTokens(text, maxTokens) };
  const asked = finish === 'length' ? SHORTER : REPAIR;
  return [...messages, reply, { role: 'user', text: wrong === '' ? asked : `${asked}\n${wrong}` }];
}

async function valueIn<T>(
  { text }: Completion,
  read: (json: unknown) => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  for (const json of jsonValuesIn(text)) {
    const value = await read(json);
    if (value !== undefined) return value;
  }
  return undefined;
}
