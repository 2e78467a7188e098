/** Implements local rerankers: GGUF files run in the process by `node-llama-cpp`. */
import { PortError } from '../../core/errors.ts';
import type { Reranker } from '../../models/reranker.ts';
import { metered } from '../metered.ts';
import { type GgufOptions, type OpenGguf, openGguf, said } from './gguf-model.ts';
import type { RankingContext, Token } from './llama-library.ts';

export interface GgufRerankerOptions extends GgufOptions {
  /** Token limit of query and text together; that of the model, at most 2048. */
  readonly maxTokens?: number | undefined;
}

export interface GgufReranker extends Reranker {
  /** Totals of truncated texts and of the tokens that they lost. */
  readonly truncated: { readonly texts: number; readonly tokens: number };
  close(): Promise<void>;
}

const MOST_TOKENS = 2048;
/** The sigmoid of a larger logit is 1 in 64-bit numbers. */
const MOST_LOGIT = 36;

/**
 * Returns a local reranker whose scores are the model's logits. Throws as `ggufLanguageModel`, and
 * `PortError('not-loaded')` for a file of no reranker.
 */
export async function ggufReranker(options: GgufRerankerOptions): Promise<GgufReranker> {
  const gguf = await openGguf('reranker', options);
  const { model, name } = gguf;
  const maxTokens = options.maxTokens ?? Math.min(MOST_TOKENS, model.trainContextSize);
  const context = await contextOf(gguf, maxTokens);
  const truncated = { texts: 0, tokens: 0 };
  const tokensOf = (text: string): Token[] =>
    model.tokenize(text.toWellFormed(), false, 'trimLeadingSpace');
  return {
    id: gguf.idOf(maxTokens),
    truncated,
    async score(query, texts, call) {
      const asked = tokensOf(query).slice(0, Math.floor(maxTokens / 2));
      const pairs = texts.map(text => {
        const all = tokensOf(text);
        const over = Math.max(0, context.calculateInputLength(asked, all) - maxTokens);
        if (over > 0) truncated.texts++;
        truncated.tokens += over;
        return all.slice(0, all.length - over);
      });
      const tokens = pairs.reduce((sum, pair) => sum + asked.length + pair.length, 0);
      const scores = new Float32Array(texts.length);
      if (texts.length === 0) return scores;
      return metered(call, 'reranker', 'score', tokens, 0, async () => {
        for (const [at, pair] of pairs.entries()) {
          call.signal.throwIfAborted();
          scores[at] = logit(await ranked(context, asked, pair, name));
        }
        return { value: scores, tokens };
      });
    },
    async close() {
      await context.dispose();
      await gguf.close();
    },
  };
}

async function ranked(
  context: RankingContext,
  query: readonly Token[],
  text: readonly Token[],
  name: string,
): Promise<number> {
  try {
    return await context.rank(query, text);
  } catch (error) {
    throw new PortError('reranker', 'failed', `The model ${name} failed`, {
      received: said(error),
    });
  }
}

/** Returns the logit of which the library gives the sigmoid. */
function logit(probability: number): number {
  const value = Math.log(probability) - Math.log1p(-probability);
  return Math.max(-MOST_LOGIT, Math.min(MOST_LOGIT, value));
}

async function contextOf(gguf: OpenGguf, maxTokens: number): Promise<RankingContext> {
  // The library refuses a pair that fills the context.
  const room = maxTokens + 1;
  const { model, name } = gguf;
  const isBert = model.fileInfo.metadata.general?.architecture === 'bert';
  try {
    return await model.createRankingContext({
      contextSize: room,
      batchSize: room,
      threads: gguf.threads,
      // The library leaves the end of a pair out where the end of a text has no token of its own.
      template: isBert ? '[CLS]{{query}}[SEP]{{document}}[SEP]' : undefined,
    });
  } catch (error) {
    await gguf.close();
    throw new PortError('reranker', 'not-loaded', `The model ${name} cannot rerank`, {
      cause: error,
      received: said(error),
      expected: 'a GGUF file of a reranker',
    });
  }
}
