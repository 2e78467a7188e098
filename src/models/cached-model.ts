/**
 * Records completions by the content hash of their prompt, and replays them.
 *
 * `cachedModel` is both cache and recorder: over a folder it saves money, over a cassette it
 * records. `replayedModel` never calls a model.
 *
 * Decorators apply from the inside out: provider (with the one retry loop), `cachedModel` over a
 * cache, `cachedModel` over a cassette or `replayedModel`, `pricedModel`, `meteredModel`,
 * `reservedModel` over a total; `ask` reserves and records outside of all. So a retry never repeats
 * a known prompt, a cassette holds every completion of the run whether it came from the model or
 * the cache, and costs are counted in one place.
 *
 * A cached completion is charged to a run like a fresh one: two runs of one question have equal
 * traces whatever the cache held before, and a budget holds as in the first run.
 */
import { PortError } from '../core/errors.ts';
import { decorated, generateChecked } from './checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';
import type { Price } from './price.ts';
import { shorterPrompts } from './shorter-prompt.ts';
import type { ContentHash } from './vector-cache.ts';

/** Stores completions by key. */
export interface CompletionStore {
  get(key: string): Promise<Completion | undefined>;
  /**
   * Resolves once the completion is durable, with the one stored under the key. An existing
   * completion is not replaced.
   */
  put(key: string, completion: Completion): Promise<Completion>;
}

export interface StoredModelOptions {
  readonly hash: ContentHash;
}

/**
 * Returns a model that looks a prompt up in the store before it calls `model`, and stores what it
 * generates. At temperature 0 equal prompts share one completion. Above 0 the first, second, ...
 * occurrence of a prompt has a completion of its own, counted from the creation of this decorator.
 * A failed call is neither stored nor counted. Throws the errors of the model and of the store.
 *
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import type { Completion } from 'multihop';
 * import { cachedModel, type CompletionStore } from 'multihop/models';
 * import { scriptedModel } from 'multihop/testing';
 *
 * const completions = new Map<string, Completion>();
 * const store: CompletionStore = {
 *   get: async key => completions.get(key),
 *   put: async (key, completion) => {
 *     if (!completions.has(key)) completions.set(key, completion);
 *     return completions.get(key)!;
 *   },
 * };
 * const hash = (text: string) => createHash('sha256').update(text).digest('hex');
 * console.log(cachedModel(scriptedModel(['Charles']), store, { hash }).id);
 * ```
 */
export function cachedModel(
  model: LanguageModel,
  store: CompletionStore,
  { hash }: StoredModelOptions,
): LanguageModel {
  const occurrences = new Occurrences(hash);
  return decorated(model, async (prompt, call, onText) => {
    call.signal.throwIfAborted();
    const occurrence = occurrences.next(prompt);
    const key = completionKey(model.id, prompt, occurrence, hash);
    try {
      const known = await store.get(key);
      if (known) onText?.(known.text);
      return known ?? (await store.put(key, await generateChecked(model, prompt, call, onText)));
    } catch (error) {
      occurrences.undo(prompt, occurrence);
      throw error;
    }
  });
}

export interface ReplayedModel extends LanguageModel {
  /** Number of prompts of which the store holds neither a completion nor that of a shorter one. */
  readonly misses: number;
}

/**
 * Returns a model that replays what `cachedModel` recorded in the same store under the same model
 * id, and calls no model. Throws `PortError('not-recorded')` for a prompt that the store does not
 * hold.
 */
export function replayedModel(
  { id, price }: { readonly id: string; readonly price?: Price },
  store: CompletionStore,
  { hash, from = 'The recording' }: StoredModelOptions & { readonly from?: string },
): ReplayedModel {
  const occurrences = new Occurrences(hash);
  const counts = { misses: 0 };
  const hasShorter = async (prompt: Prompt): Promise<boolean> => {
    for (const shorter of shorterPrompts(prompt))
      if (await store.get(completionKey(id, shorter, 0, hash))) return true;
    return false;
  };
  return {
    id,
    price,
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
      // A prompt that the recorded model refused as too long is none: a shorter one was answered.
      if (!(await hasShorter(prompt))) counts.misses++;
      throw new PortError(
        'model',
        'not-recorded',
        `${from} holds no completion of "${id}" for this prompt (${prompt.role})`,
        {
          hint: 'Record it: ask the model through cachedModel over the same store, or give openStore the model beside the cassette. A recording fits the very prompts that it was made with: the same question, corpus, names, settings and release.',
          remedy: { id: 'record-completion' },
        },
      );
    },
  };
}

/**
 * Returns the key of a completion: the content hash of the model's id and everything that is sent
 * to it. `Prompt.role` is not sent. A store keeps no prompts: completions do not disclose them.
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

/** Counts the occurrences of each prompt above temperature 0. */
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

  /** Returns the number of a failed call, unless a later call of the prompt has begun. */
  undo(prompt: Prompt, occurrence: number): void {
    const sent = this.sent(prompt);
    if (this.counts.get(sent) === occurrence + 1) this.counts.set(sent, occurrence);
  }

  private sent(prompt: Prompt): string {
    return completionKey('', prompt, 0, this.hash);
  }
}
