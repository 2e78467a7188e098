/**
 * Implements a language model with scripted texts, for tests and for demonstrations without a
 * model.
 */
import { PortError } from '../core/errors.ts';
import type { Completion, LanguageModel, Prompt } from '../models/language-model.ts';

export type Script = readonly string[] | ((prompt: Prompt, index: number) => string | Completion);

export interface ScriptedModel extends LanguageModel {
  /** Prompts so far, in order. */
  readonly prompts: readonly Prompt[];
}

/**
 * Returns a model that completes prompts with the texts of a list in order, repeating the last, or
 * by a function. Tokens are words.
 *
 * @example
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { scriptedModel } from 'multihop/testing';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const model = scriptedModel(['Charles']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * console.log(model.prompts.length);
 * ```
 */
export function scriptedModel(script: Script, id = 'scripted'): ScriptedModel {
  const prompts: Prompt[] = [];
  return {
    id,
    prompts,
    async generate(prompt, call, onText) {
      call.signal.throwIfAborted();
      const index = prompts.push(prompt) - 1;
      const scripted =
        typeof script === 'function'
          ? script(prompt, index)
          : (script[Math.min(index, script.length - 1)] ?? '');
      const completion = typeof scripted === 'string' ? completionOf(scripted, prompt) : scripted;
      onText?.(completion.text);
      return completion;
    },
  };
}

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

function completionOf(text: string, { messages }: Prompt): Completion {
  const input = messages.reduce((sum, message) => sum + words(message.text), 0);
  return { text, usage: { input, output: words(text) }, finish: 'stop' };
}

/** Replies to each role by one text; to others by an empty one. */
export const byRole = (replies: Readonly<Record<string, string>>): ScriptedModel =>
  scriptedModel(({ role }) => replies[role] ?? '');

/** Returns the roles of the prompts that a model got, in order. */
export const rolesOf = ({ prompts }: ScriptedModel): string[] => prompts.map(({ role }) => role);

/** Fails at each call. */
export const failingModel: LanguageModel = {
  id: 'failing',
  generate: () => Promise.reject(new PortError('model', 'down', 'The model is down')),
};
