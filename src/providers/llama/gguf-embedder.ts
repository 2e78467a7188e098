/** Implements local embedders: GGUF files run in the process by `node-llama-cpp`. */
import { PortError } from '../../core/errors.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Embedder, EmbeddingRole } from '../../models/embedder.ts';
import { checkedVectors } from '../checked-answer.ts';
import { embeddingTraits, NO_PREFIXES, type Prefixes } from '../known-models.ts';
import { metered } from '../metered.ts';
import { type GgufOptions, type OpenGguf, openGguf, said } from './gguf-model.ts';
import type { EmbeddingContext, Token } from './llama-library.ts';

export interface GgufEmbedderOptions extends GgufOptions {
  /** Texts before queries and passages; those of known models by the name of the file. */
  readonly prefixes?: Partial<Prefixes> | undefined;
  /** Token limit of a text, special tokens included; that of the model, at most 8192. */
  readonly maxTokens?: number | undefined;
}

export interface GgufEmbedder extends Embedder {
  /** Totals of truncated texts and of the tokens that they lost. */
  readonly truncated: { readonly texts: number; readonly tokens: number };
  close(): Promise<void>;
}

/** Tokens around a text. */
const SPECIAL = 2;
const MOST_TOKENS = 8192;
/** Kinds of pooling in a file that make one vector of a text. */
const POOLED: readonly unknown[] = [1, 2, 3];

/**
 * Returns a local embedder; the file says how vectors of tokens become one. Throws as
 * `ggufLanguageModel`, and `PortError('not-loaded')` for a file of no embedder.
 */
export async function ggufEmbedder(options: GgufEmbedderOptions): Promise<GgufEmbedder> {
  const gguf = await openGguf('embedder', options);
  const { model } = gguf;
  if (!POOLED.includes(poolingOf(gguf))) {
    await gguf.close();
    throw noEmbedder(gguf);
  }
  const traits = embeddingTraits(modelName(gguf.name));
  const prefixes: Prefixes = { ...(traits?.prefixes ?? NO_PREFIXES), ...options.prefixes };
  const maxTokens =
    options.maxTokens ?? Math.min(traits?.maxTokens ?? MOST_TOKENS, model.trainContextSize);
  const context = await contextOf(gguf, maxTokens);
  const truncated = { texts: 0, tokens: 0 };
  const dimensions = model.embeddingVectorSize;
  return {
    id: gguf.idOf(prefixes.query, prefixes.passage, maxTokens),
    dimensions,
    truncated,
    embed(texts, as, call) {
      const all = texts.map(text => model.tokenize((prefixes[as] + text).toWellFormed()));
      const cut = all.map(tokens => tokens.slice(0, maxTokens - SPECIAL));
      for (const [at, tokens] of all.entries())
        if (tokens.length > cut[at]!.length) {
          truncated.texts++;
          truncated.tokens += tokens.length - cut[at]!.length;
        }
      const label = `The model ${gguf.name}`;
      return embedded({ context, dimensions, cut, as, call, label });
    },
    async close() {
      await context.dispose();
      await gguf.close();
    },
  };
}

interface Embedding {
  readonly context: EmbeddingContext;
  readonly dimensions: number;
  readonly cut: readonly Token[][];
  readonly as: EmbeddingRole;
  readonly call: Call;
  readonly label: string;
}

async function embedded(embedding: Embedding): Promise<Float32Array[]> {
  const { context, dimensions, cut, as, call, label } = embedding;
  const tokens = cut.reduce((sum, text) => sum + text.length + SPECIAL, 0);
  return metered(call, 'embedder', as, tokens, 0, async () => {
    const raw: (readonly number[])[] = [];
    for (const text of cut) {
      call.signal.throwIfAborted();
      raw.push(await vectorOf(context, text, label));
    }
    const expected = { port: 'embedder', label, count: cut.length, dimensions } as const;
    return { value: checkedVectors(raw, expected), tokens };
  });
}

async function vectorOf(
  context: EmbeddingContext,
  text: readonly Token[],
  label: string,
): Promise<readonly number[]> {
  try {
    return (await context.getEmbeddingFor(text)).vector;
  } catch (error) {
    throw new PortError('embedder', 'failed', `${label} failed`, { received: said(error) });
  }
}

/** An encoder reads a text at once, so that a batch has room for the longest. */
async function contextOf(gguf: OpenGguf, maxTokens: number): Promise<EmbeddingContext> {
  // The library refuses a text that fills the context.
  const room = maxTokens + 1;
  try {
    return await gguf.model.createEmbeddingContext({
      contextSize: room,
      batchSize: room,
      threads: gguf.threads,
    });
  } catch (error) {
    await gguf.close();
    throw new PortError('embedder', 'not-loaded', `The model ${gguf.name} cannot embed`, {
      cause: error,
      received: said(error),
    });
  }
}

function poolingOf({ model }: OpenGguf): unknown {
  const { metadata } = model.fileInfo;
  const own = metadata[metadata.general?.architecture ?? ''] as
    | { readonly pooling_type?: unknown }
    | undefined;
  return own?.pooling_type;
}

const noEmbedder = ({ name }: OpenGguf): PortError =>
  new PortError('embedder', 'not-loaded', `The model ${name} is no embedder`, {
    expected: 'a GGUF file that says how it pools (pooling_type mean, cls or last)',
  });

/** Returns the name of a model without the type of its weights: `bge-small-en-v1.5-q8_0`. */
export const modelName = (file: string): string =>
  file.replace(/[-.](?:i?q\d\w*|bf16|fp?16|fp?32)$/i, '');
