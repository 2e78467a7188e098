/**
 * A language model that is asked once: what it said is kept by the content hash of what it was
 * asked, and said again.
 *
 * One decorator is both cache and recorder: over a folder it saves money, over a cassette it
 * records. `replayedModel` never asks at all.
 *
 * The order of decorators, from the inside: provider (with the one retry loop) - `cachedModel` over
 * a cache - `cachedModel` over a cassette, or
 * `replayedModel` - `pricedModel` - `meteredModel` - `reservedModel` over a total; `ask` reserves
 * and notes outside of all. So a retry never asks what is known, a cassette holds what the run was
 * told wherever that came from, and money is counted in one place.
 *
 * What comes from a cache is charged to a run like what was asked: two runs of one question have
 * one trace, whatever was known before, and a budget holds for the run as if it were the first.
 */
import { PortError } from '../errors.ts';
import { checkedCompletion } from './checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';
import type { Price } from './price.ts';
import type { ContentHash } from './vector-cache.ts';

/** The port of what keeps completions. */
export interface CompletionStore {
  get(key: string): Promise<Completion | undefined>;
  /**
   * Returns once the completion outlives this process: the one that stands under the key then. What
   * is there already stays.
   */
  put(key: string, completion: Completion): Promise<Completion>;
}

export interface StoredModelOptions {
  readonly hash: ContentHash;
}

/**
 * The same texts as the model's, each asked for once. At temperature 0 equal prompts have one
 * completion; above it the first, second, ... time of a prompt each have one of their own, counted
 * from when this decorator was made. What fails is not kept, and counts as no time. Throws what the
 * model and the store throw.
 */
export function cachedModel(
  model: LanguageModel,
  store: CompletionStore,
  { hash }: StoredModelOptions,
): LanguageModel {
  const occurrences = new Occurrences(hash);
  return {
    id: model.id,
    ...(model.price ? { price: model.price } : {}),
    async generate(prompt, call, onText) {
      call.signal.throwIfAborted();
      const occurrence = occurrences.next(prompt);
      const key = completionKey(model.id, prompt, occurrence, hash);
      try {
        const known = await store.get(key);
        if (known) onText?.(known.text);
        return (
          known ??
          (await store.put(
            key,
            checkedCompletion(model, prompt, await model.generate(prompt, call, onText)),
          ))
        );
      } catch (error) {
        occurrences.undo(prompt, occurrence);
        throw error;
      }
    },
  };
}

export interface ReplayedModel extends LanguageModel {
  /** Prompts that were not found. */
  readonly misses: number;
}

/**
 * Says what `cachedModel` over the same store recorded, in the name of the same model. Throws
 * `PortError('not-recorded')`; asks nobody.
 */
export function replayedModel(
  { id, price }: { readonly id: string; readonly price?: Price },
  store: CompletionStore,
  { hash, from = 'The recording' }: StoredModelOptions & { readonly from?: string },
): ReplayedModel {
  const occurrences = new Occurrences(hash);
  const counts = { misses: 0 };
  return {
    id,
    ...(price ? { price } : {}),
    get misses() {
      return counts.misses;
    },
    async generate(prompt, call, onText) {
      call.signal.throwIfAborted();
      const occurrence = occurrences.next(prompt);
      const known = await store.get(completionKey(id, prompt, occurrence, hash));
      if (known) {
        onText?.(known.text);
        return known;
      }
      counts.misses++;
      throw new PortError(
        'model',
        'not-recorded',
        `${from} holds no completion of "${id}" for this prompt (${prompt.role})`,
        {
          hint: 'Record it: give the model too, --model NAME beside --cassette FILE, or cachedModel over the same store. A recording fits the very prompts that it was made with: the same question, corpus, names, settings and release.',
        },
      );
    },
  };
}

/**
 * Names a completion: the content hash of everything that is sent, and of who is asked. The role is
 * not sent. The prompt itself is not kept anywhere: a store of completions says nothing of what was
 * asked.
 */
export function completionKey(
  model: string,
  prompt: Prompt,
  occurrence: number,
  hash: ContentHash,
): string {
  const { messages, maxTokens, temperature = 0, stop = [], seed = null, schema = null } = prompt;
  const sent = messages.map(({ role, text }) => [role, text]);
  return hash(
    JSON.stringify([
      'completion 1',
      model,
      sent,
      maxTokens,
      temperature,
      stop,
      seed,
      schema,
      occurrence,
    ]),
  );
}

/** How often each prompt was asked above temperature 0. */
class Occurrences {
  private readonly counts = new Map<string, number>();
  private readonly hash: ContentHash;

  constructor(hash: ContentHash) {
    this.hash = hash;
  }

  next(prompt: Prompt): number {
    if (!((prompt.temperature ?? 0) > 0)) return 0;
    const sent = this.sent(prompt);
    const count = this.counts.get(sent) ?? 0;
    this.counts.set(sent, count + 1);
    return count;
  }

  /** A call that failed is asked again under its own number, unless another was begun since. */
  undo(prompt: Prompt, occurrence: number): void {
    const sent = this.sent(prompt);
    if (this.counts.get(sent) === occurrence + 1) this.counts.set(sent, occurrence);
  }

  private sent(prompt: Prompt): string {
    return completionKey('', prompt, 0, this.hash);
  }
}
