/** Implements local embedders: ONNX models run by `@huggingface/transformers`. */
import { InputError } from '../core/errors.ts';
import { type Call, freeCall } from '../core/trace/call.ts';
import type { Embedder, EmbeddingRole } from '../models/embedder.ts';
import { checkedVectors } from './checked-answer.ts';
import { answerError } from './fault.ts';
import {
  type EmbeddingTraits,
  embeddingTraits,
  KNOWN_EMBEDDERS,
  type Pooling,
  type Prefixes,
} from './known-models.ts';
import { metered } from './metered.ts';
import {
  batchesByLength,
  encodeText,
  numbersOf,
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

export interface TransformersEmbedderOptions extends BatchedModelOptions {
  /** Pooling, prefixes and token limit of an unknown model; they override those of a known one. */
  readonly pooling?: Pooling | undefined;
  readonly prefixes?: Partial<Prefixes> | undefined;
  readonly maxTokens?: number | undefined;
}

export interface LocalEmbedder extends Embedder {
  /** Totals of truncated texts and of the tokens that they lost. */
  readonly truncated: Readonly<Truncation>;
  close(): Promise<void>;
}

/** Texts that are tokenized before the first of them is embedded. */
const WINDOW = 512;

/**
 * Returns a local embedder. Throws `InputError` for options and folder, `PortError` for library,
 * network and weights.
 *
 * @example
 * <!-- not run: needs a model -->
 *
 * ```ts
 * import { openStore } from 'multihop';
 * import { transformersEmbedder } from 'multihop/providers';
 *
 * const embedder = await transformersEmbedder({ model: 'Xenova/bge-small-en-v1.5' });
 * await using store = await openStore('vectors.store', { embedders: [embedder] });
 * await store.ingest(['The Linnet lost its engines.']);
 * await store.search('Which ship has no motor?', { retriever: `dense(${embedder.id})` });
 * ```
 */
export async function transformersEmbedder(
  options: TransformersEmbedderOptions,
): Promise<LocalEmbedder> {
  const traits = traitsOf(options);
  const batch = batchSize(options);
  const loaded = await loadModel('embedder', 'AutoModel', options);
  const { query, passage } = traits.prefixes;
  const id = loaded.idOf(traits.pooling, query, passage, traits.maxTokens, batch);
  const truncated: Truncation = { texts: 0, tokens: 0 };
  const run = async (
    texts: readonly string[],
    as: EmbeddingRole,
    call: Call,
    dimensions?: number,
  ): Promise<Float32Array[]> => {
    const vectors = new Array<Float32Array>(texts.length);
    for (let start = 0; start < texts.length; start += WINDOW) {
      const sequences = texts
        .slice(start, start + WINDOW)
        .map((text, at) =>
          encodeText(loaded.tokenizer, traits.prefixes[as] + text, start + at, traits.maxTokens),
        );
      recordCuts(truncated, sequences);
      const tokens = sequences.reduce((sum, { ids }) => sum + ids.length, 0);
      await metered(call, 'embedder', as, tokens, 0, async () => {
        for (const group of batchesByLength(sequences, batch)) {
          call.signal.throwIfAborted();
          const checked = checkedVectors(await embedBatch(loaded, group, traits.pooling, id), {
            port: 'embedder',
            label: `The model ${id}`,
            count: group.length,
            dimensions,
          });
          for (const [at, { index }] of group.entries()) vectors[index] = checked[at]!;
        }
        return { value: undefined, tokens };
      });
    }
    return vectors;
  };
  const [probe] = await run(['a'], 'passage', freeCall());
  const dimensions = probe!.length;
  return {
    id,
    dimensions,
    truncated,
    embed: (texts, as, call) => run(texts, as, call, dimensions),
    close: loaded.close,
  };
}

function traitsOf({
  model,
  pooling,
  prefixes,
  maxTokens,
}: TransformersEmbedderOptions): EmbeddingTraits {
  const known = embeddingTraits(model);
  const pooled = pooling ?? known?.pooling;
  if (pooled === undefined)
    throw new InputError('unknown-pooling', `Unknown pooling of the model "${model}"`, {
      expected:
        'the option pooling: "cls" or "mean" (its model card says which), and prefixes if it was trained with any',
      hint: `Known models: ${KNOWN_EMBEDDERS.join(', ')}.`,
    });
  if (pooled !== 'cls' && pooled !== 'mean')
    throw new InputError('unknown-pooling', 'Unknown pooling of an embedder', {
      expected: '"cls" or "mean"',
      received: `"${pooled}"`,
    });
  const limit = maxTokens ?? known?.maxTokens ?? 512;
  if (!Number.isInteger(limit) || limit < 8)
    throw new InputError('bad-max-tokens', 'Invalid token limit of a model', {
      expected: 'a whole number of at least 8',
      received: `${limit}`,
    });
  return {
    pooling: pooled,
    prefixes: {
      query: prefixes?.query ?? known?.prefixes.query ?? '',
      passage: prefixes?.passage ?? known?.prefixes.passage ?? '',
    },
    maxTokens: limit,
  };
}

async function embedBatch(
  { library, tokenizer, model }: LocalModel,
  group: readonly Sequence[],
  pooling: Pooling,
  id: string,
): Promise<Float32Array[]> {
  const output = await model(tensorsOf(library, group, tokenizer.pad_token_id ?? 0));
  const states = output.last_hidden_state;
  const [rows = 0, width = 0, dimensions = 0] = states?.dims ?? [];
  if (states?.dims.length !== 3 || rows !== group.length)
    throw answerError(
      'embedder',
      'malformed',
      `The model ${id}`,
      'last_hidden_state of shape [texts, tokens, dimensions]',
      Object.keys(output).join(', '),
    );
  const numbers = numbersOf(states);
  return group.map(({ ids }, row) => {
    const start = row * width * dimensions;
    return pooling === 'cls'
      ? numbers.slice(start, start + dimensions)
      : mean(numbers, start, ids.length, dimensions);
  });
}

/** Returns the mean over the tokens without padding. */
function mean(
  numbers: Float32Array,
  start: number,
  tokens: number,
  dimensions: number,
): Float32Array {
  const sum = new Float64Array(dimensions);
  for (let token = 0; token < tokens; token++)
    for (let at = 0; at < dimensions; at++)
      sum[at] = sum[at]! + numbers[start + token * dimensions + at]!;
  return Float32Array.from(sum, value => value / tokens);
}
