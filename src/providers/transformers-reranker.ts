/** Implements local rerankers: cross-encoders run by `@huggingface/transformers`. */
import type { Reranker } from '../models/reranker.ts';
import { rerankerTokens } from './known-models.ts';
import { metered } from './metered.ts';
import {
  batchesByLength,
  encodePair,
  finiteNumbers,
  recordCuts,
  type Sequence,
  type Truncation,
  tensorsOf,
} from './token-sequences.ts';
import {
  type BatchedModelOptions,
  batchSize,
  type LocalModel,
  loadModel,
} from './transformers-library.ts';

export interface TransformersRerankerOptions extends BatchedModelOptions {
  /** Token limit of query and text together. */
  readonly maxTokens?: number | undefined;
}

export interface LocalReranker extends Reranker {
  /** Totals of truncated pairs and of the tokens that they lost. */
  readonly truncated: Readonly<Truncation>;
  close(): Promise<void>;
}

/**
 * Returns a local reranker whose scores are the model's logits. Throws as `transformersEmbedder`.
 */
export async function transformersReranker(
  options: TransformersRerankerOptions,
): Promise<LocalReranker> {
  const maxTokens = options.maxTokens ?? rerankerTokens(options.model);
  const batch = batchSize(options);
  const loaded = await loadModel('reranker', 'AutoModelForSequenceClassification', options);
  const id = loaded.idOf(maxTokens, batch);
  const truncated: Truncation = { texts: 0, tokens: 0 };
  return {
    id,
    truncated,
    async score(query, texts, call) {
      const sequences = texts.map((text, index) =>
        encodePair(loaded.tokenizer, query, text, index, maxTokens),
      );
      recordCuts(truncated, sequences);
      const scores = new Float32Array(texts.length);
      if (texts.length === 0) return scores;
      const tokens = sequences.reduce((sum, { ids }) => sum + ids.length, 0);
      return metered(call, 'reranker', 'score', tokens, 0, async () => {
        for (const group of batchesByLength(sequences, batch)) {
          call.signal.throwIfAborted();
          const logits = await scoreBatch(loaded, group, id);
          for (const [at, { index }] of group.entries()) scores[index] = logits[at]!;
        }
        return { value: scores, tokens };
      });
    },
    close: loaded.close,
  };
}

async function scoreBatch(
  { library, tokenizer, model }: LocalModel,
  group: readonly Sequence[],
  id: string,
): Promise<Float32Array> {
  const { logits } = await model(tensorsOf(library, group, tokenizer.pad_token_id ?? 0));
  return finiteNumbers(logits, 'logits', [group.length, 1], { port: 'reranker', id });
}
