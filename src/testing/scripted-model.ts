/**
 * A language model that says what it is told to: for tests, and for parts that are shown without a
 * model.
 */
import type { Completion, LanguageModel, Prompt } from '../models/language-model.ts';

export type Script = readonly string[] | ((prompt: Prompt, index: number) => string | Completion);

export interface ScriptedModel extends LanguageModel {
  /** What it was asked, in order. */
  readonly prompts: readonly Prompt[];
}

/** A list is said in order, its last text for ever; tokens are words. */
export function scriptedModel(script: Script, id = 'scripted'): ScriptedModel {
  const prompts: Prompt[] = [];
  return {
    id,
    prompts,
    async generate(prompt, call, onText) {
      call.signal.throwIfAborted();
      const index = prompts.push(prompt) - 1;
      const said =
        typeof script === 'function'
          ? script(prompt, index)
          : (script[Math.min(index, script.length - 1)] ?? '');
      const completion = typeof said === 'string' ? completionOf(said, prompt) : said;
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
