/**
 * Turns messages into tokens by the chat template of the file. Special tokens that people wrote, in
 * a question or a document, are plain letters to the model.
 */
import type { Prompt } from '../../models/language-model.ts';
import type { OpenGguf } from './gguf-model.ts';
import type { ChatWrapper, Token } from './llama-library.ts';

/** Returns the tokens of the prompt in the model's chat format. */
export type ChatTokens = (prompt: Pick<Prompt, 'messages'>) => Token[];

/** Tells that no thought begins in the template of the file; undefined if one may. */
export function startsInThought({ model }: OpenGguf): false | undefined {
  const template = model.fileInfo.metadata.tokenizer?.chat_template ?? '';
  return template.trim() === '' || template.includes('<think>') ? undefined : false;
}

export function chatTokens({ library, model }: OpenGguf): ChatTokens {
  const template = model.fileInfo.metadata.tokenizer?.chat_template;
  const wrapper = wrapperOf(template);
  return ({ messages }) => {
    const chatHistory = messages.map(({ role, text }) =>
      role === 'assistant'
        ? { type: 'model', response: [text.toWellFormed()] }
        : { type: role, text: text.toWellFormed() },
    );
    const reply = { type: 'model', response: [] };
    const { contextText } = wrapper.generateContextState({ chatHistory: [...chatHistory, reply] });
    return contextText.tokenize(model.tokenizer);
  };

  /** A file without a template, or with one that is no Jinja, is read by its name and kind. */
  function wrapperOf(jinja: string | undefined): ChatWrapper {
    try {
      if (jinja !== undefined && jinja.trim() !== '')
        return new library.JinjaTemplateChatWrapper({
          template: jinja,
          tokenizer: model.tokenizer,
        });
    } catch {
      // Falls through to the library's own choice.
    }
    return library.resolveChatWrapper(model, { warningLogs: false });
  }
}
