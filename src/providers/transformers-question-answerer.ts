/** Implements local question answerers: extractive models run by `@huggingface/transformers`. */
import { InputError } from '../core/errors.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import { type AnswerWindow, answerWindows } from './answer-windows.ts';
import { bestSpans, type ScoredWindow } from './best-spans.ts';
import { metered } from './metered.ts';
import { placedTokens } from './placed-tokens.ts';
import { finiteNumbers, tensorsOf } from './token-sequences.ts';
import { type LocalModel, type LocalModelOptions, loadModel } from './transformers-library.ts';

export interface TransformersQuestionAnswererOptions extends LocalModelOptions {
  /** Tokens of question and text that the model reads at once; 384, or the model's limit. */
  readonly window?: number | undefined;
  /** Tokens of the text that a window repeats of the one before it; 128. */
  readonly overlap?: number | undefined;
}

export interface LocalQuestionAnswerer extends QuestionAnswerer {
  close(): Promise<void>;
}

/** Sizes of the published evaluation of BERT on SQuAD. */
const WINDOW = 384;
const OVERLAP = 128;
const LEAST_WINDOW = 16;
const PORT = 'question-answerer';

/**
 * Returns a local question answerer, such as DistilBERT trained on SQuAD. Its texts may have any
 * length: windows overlap. Throws as `transformersEmbedder`.
 *
 * @example
 * <!-- not run: needs a model -->
 *
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { transformersQuestionAnswerer } from 'multihop/providers';
 *
 * const answerer = await transformersQuestionAnswerer({
 *   model: 'Xenova/distilbert-base-cased-distilled-squad',
 * });
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * const resources = { 'question-answerer': answerer };
 * await ask('Who built the engine?', { engine, reader: `span(${answerer.id})`, resources });
 * ```
 */
export async function transformersQuestionAnswerer(
  options: TransformersQuestionAnswererOptions,
): Promise<LocalQuestionAnswerer> {
  const sizes = sizesOf(options);
  const loaded = await loadModel(PORT, 'AutoModelForQuestionAnswering', options);
  const most = Math.min(sizes.window, loaded.tokenizer.model_max_length ?? sizes.window);
  const id = loaded.idOf(most, sizes.overlap);
  return {
    id,
    async answer(question, text, call) {
      call.signal.throwIfAborted();
      const placed = placedTokens(loaded.tokenizer, text);
      const { overlap } = sizes;
      const windows = answerWindows(loaded.tokenizer, question, placed, { most, overlap });
      if (windows.length === 0) return { spans: [], none: 0 };
      const tokens = windows.reduce((sum, { ids }) => sum + ids.length, 0);
      return metered(call, PORT, 'answer', tokens, 0, async () => {
        const scored: ScoredWindow[] = [];
        // One by one: int8 weights quantise activations per batch, and padding would count.
        for (const window of windows) {
          call.signal.throwIfAborted();
          scored.push(await scoredWindow(loaded, window, id));
        }
        return { value: bestSpans(scored, placed), tokens };
      });
    },
    close: loaded.close,
  };
}

function sizesOf({ window = WINDOW, overlap = OVERLAP }: TransformersQuestionAnswererOptions): {
  readonly window: number;
  readonly overlap: number;
} {
  if (!Number.isInteger(window) || window < LEAST_WINDOW)
    throw new InputError('bad-max-tokens', 'Invalid window of a question answerer', {
      expected: `a whole number of at least ${LEAST_WINDOW}`,
      received: `${window}`,
    });
  if (!Number.isInteger(overlap) || overlap < 0)
    throw new InputError('bad-max-tokens', 'Invalid overlap of windows', {
      expected: 'a whole number of at least 0',
      received: `${overlap}`,
    });
  return { window, overlap };
}

async function scoredWindow(
  { library, tokenizer, model }: LocalModel,
  window: AnswerWindow,
  id: string,
): Promise<ScoredWindow> {
  const { ids, types } = window;
  const sequence = { index: 0, ids, types, cut: 0 };
  const output = await model(tensorsOf(library, [sequence], tokenizer.pad_token_id ?? 0));
  const scores = (name: string): Float32Array =>
    finiteNumbers(output[name], name, [1, ids.length], { port: PORT, id });
  return { window, starts: scores('start_logits'), ends: scores('end_logits') };
}
