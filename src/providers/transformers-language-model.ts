/**
 * Implements local language models: ONNX models run by `@huggingface/transformers`, without
 * constrained output.
 */
import { PortError } from '../core/errors.ts';
import type { Call } from '../core/trace/call.ts';
import type { Completion, LanguageModel, Prompt } from '../models/language-model.ts';
import { quoted } from '../platform/secret.ts';
import { withDeadline } from './local-deadline.ts';
import { StoppedText } from './stopped-text.ts';
import {
  type GeneratingModel,
  type LocalModel,
  type LocalModelOptions,
  loadModel,
  type Tokenizer,
} from './transformers-library.ts';

export interface LocalLanguageModel extends LanguageModel {
  close(): Promise<void>;
}

/**
 * Returns a local language model. Decodes greedily without a temperature; sampling is reproducible
 * by its seed as long as one text is generated at a time. A prompt that is too long is refused, not
 * cut. Throws as `transformersEmbedder`.
 *
 * @example
 * <!-- not run: needs a model -->
 *
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { transformersLanguageModel } from 'multihop/providers';
 *
 * const model = await transformersLanguageModel({
 *   model: 'onnx-community/Qwen2.5-0.5B-Instruct',
 * });
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * ```
 */
export async function transformersLanguageModel(
  options: LocalModelOptions,
): Promise<LocalLanguageModel> {
  const loaded = await loadModel('model', 'AutoModelForCausalLM', options);
  const id = loaded.idOf();
  const local: Loaded = { ...loaded, label: `The model ${id}` };
  return {
    id,
    ...contextOf(loaded.model),
    countTokens: prompt => promptIds(local, prompt).length,
    generate: (prompt, call, onText) => generated(local, prompt, call, onText),
    close: loaded.close,
  };
}

const contextOf = ({
  config: { max_position_embeddings: contextTokens },
}: GeneratingModel): Pick<LanguageModel, 'contextTokens'> =>
  contextTokens === undefined ? {} : { contextTokens };

type Loaded = LocalModel<GeneratingModel> & { readonly label: string };

async function generated(
  local: Loaded,
  prompt: Prompt,
  call: Call,
  onText?: (piece: string) => void,
): Promise<Completion> {
  call.signal.throwIfAborted();
  const { library, tokenizer, model, label } = local;
  const ids = checkedIds(local, prompt);
  const criteria = new library.InterruptableStoppingCriteria();
  const ends = new Set(
    [model.generation_config?.eos_token_id ?? model.config.eos_token_id ?? []].flat().map(Number),
  );
  let [output, last, over] = [0, -1, false];
  // An abandoned generation ends with its next token: drops its text until then.
  const stoppedText = new StoppedText(
    prompt.stop ?? [],
    onText && (piece => over || onText(piece)),
  );
  const streamer = new library.TextStreamer(tokenizer, {
    skip_prompt: true,
    skip_special_tokens: true,
    callback_function(piece) {
      stoppedText.push(piece);
      if (stoppedText.stopped) criteria.interrupt();
    },
    token_callback_function(tokens) {
      output += tokens.length;
      last = Number(tokens.at(-1));
    },
  });
  const tensor = (values: readonly number[]) =>
    new library.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const { maxTokens, temperature = 0 } = prompt;
  const sampling = temperature > 0 ? { do_sample: true, temperature } : { do_sample: false };
  if (prompt.seed !== undefined) library.random?.seed(prompt.seed);
  const inputs = { input_ids: tensor(ids), attention_mask: tensor(ids.map(() => 1)) };
  const work = model.generate({
    ...inputs,
    ...sampling,
    max_new_tokens: maxTokens,
    streamer,
    stopping_criteria: criteria,
  });
  try {
    await withDeadline(work, call, label, () => criteria.interrupt());
  } catch (error) {
    over = true;
    throw call.signal.aborted ? call.signal.reason : failure(error, label);
  }
  stoppedText.end();
  const cut = output >= maxTokens && !stoppedText.stopped && !ends.has(last);
  return {
    text: stoppedText.text,
    usage: { input: ids.length, output },
    finish: cut ? 'length' : 'stop',
  };
}

/** Returns the tokens of the prompt in the model's chat format. */
function promptIds({ tokenizer }: Loaded, prompt: Pick<Prompt, 'messages'>): number[] {
  const text = conversation(tokenizer, prompt);
  const { input_ids: ids } = tokenizer(text.words, {
    add_special_tokens: !text.marked,
    return_tensor: false,
  });
  return [...ids];
}

/** Returns the tokens of the prompt. Throws `PortError('context-full')` if there are too many. */
function checkedIds(local: Loaded, prompt: Prompt): number[] {
  const { model, label } = local;
  const ids = promptIds(local, prompt);
  const most = model.config.max_position_embeddings ?? Number.POSITIVE_INFINITY;
  if (ids.length + prompt.maxTokens <= most) return ids;
  throw new PortError('model', 'context-full', `${label} cannot read a prompt of this length`, {
    expected: `at most ${most} tokens including the completion`,
    received: `${ids.length} and ${prompt.maxTokens} of the completion`,
  });
}

/**
 * Formats a conversation. If the chat template has no system role, the system message is put before
 * the first user message; without a template, the texts are joined.
 */
function conversation(
  tokenizer: Tokenizer,
  { messages }: Pick<Prompt, 'messages'>,
): { readonly words: string; readonly marked: boolean } {
  const chat = messages.map(({ role, text }) => ({ role, content: text.toWellFormed() }));
  const system = chat.filter(({ role }) => role === 'system').map(({ content }) => content);
  const others = chat.filter(({ role }) => role !== 'system');
  const [first, ...more] = others;
  const merged = first
    ? [{ ...first, content: [...system, first.content].join('\n\n') }, ...more]
    : chat;
  for (const form of system.length > 0 ? [chat, merged] : [chat])
    try {
      const words = tokenizer.apply_chat_template?.(form, {
        tokenize: false,
        add_generation_prompt: true,
      });
      if (typeof words === 'string') return { words, marked: true };
    } catch {
      // Tries the next form.
    }
  return { words: chat.map(({ content }) => content).join('\n\n'), marked: false };
}

function failure(error: unknown, label: string): unknown {
  if (PortError.is(error)) return error;
  return new PortError('model', 'failed', `${label} failed`, {
    received: quoted(error instanceof Error ? error.message : String(error)),
  });
}
