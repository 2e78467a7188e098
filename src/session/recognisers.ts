/** Opens entity recognisers by name: by spelling, or by a model whose work is cached. */
import { sentencesOf } from '../core/corpus/chunker.ts';
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { EntityRecogniser } from '../models/entity-recogniser.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { meteredModel } from '../models/metered-model.ts';
import { nameRecogniser } from '../models/name-recogniser.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import type { Price } from '../models/price.ts';
import { pricedModel } from '../models/priced-model.ts';
import type { VectorCache } from '../models/vector-cache.ts';
import type { LoadLibrary } from '../platform/optional-package.ts';
import { sha256 } from '../platform/sha256.ts';
import { type DecoratedModel, decorateModel } from './decorated-model.ts';
import { givenModel, type LanguageModelSource, resolvedModel } from './language-model.ts';
import { type GivenPrice, modelPrice } from './model-price.ts';
import type { Notices } from './notices.ts';

/** The language model of `triples(MODEL)`: its address and its price. */
export interface GraphModelSource extends Omit<LanguageModelSource, 'env'> {
  readonly price?: GivenPrice | undefined;
  /** File that records completions. */
  readonly cassette?: string | undefined;
}

export interface RecogniserSources extends Pick<LanguageModelSource, 'env'> {
  readonly language?: GraphModelSource | undefined;
  /** Folder that caches the completions of language models, so that no passage is read twice. */
  readonly cache?: string | undefined;
  /** Caches what local models find. */
  readonly vectors?: VectorCache | undefined;
  /** Type of the weights of a local model, and what loads its library; for tests. */
  readonly dtype?: string;
  readonly load?: LoadLibrary;
}

/** Work of a language model that reads documents. */
export interface ReadingSpending {
  /** Calls that were sent to the model. */
  readonly sent: number;
  /** Tokens of the prompts and of the completions that were sent. */
  readonly input: number;
  readonly output: number;
  /** US dollars for these tokens; missing if the model has no known price. */
  readonly usd?: number;
}

/** Work of a language model that reads documents into a graph. */
export interface GraphSpending extends ReadingSpending {
  /** Calls of the role `ner` and of the role `triple`; those that the cache answered included. */
  readonly ner: number;
  readonly triple: number;
  /** Triples of another number of parts, which were left out. */
  readonly dropped: number;
  /** Replies that were cut off, and read up to their last complete entry. */
  readonly cut: number;
  /** Replies without the JSON asked for, which name nothing. */
  readonly unread: number;
}

export interface OpenRecogniser {
  readonly recogniser: EntityRecogniser;
  /** Returns what its language model did since it was opened. */
  spent?(): GraphSpending;
  close?(): Promise<void>;
}

/** Throws `InputError('unknown-recogniser')`, or the errors of opening the model. */
export async function openRecogniser(
  name: string,
  sources: RecogniserSources,
): Promise<OpenRecogniser> {
  if (name === nameRecogniser.id) return { recogniser: nameRecogniser };
  const model = modelOf(name);
  if (model !== undefined) return openTriples(model, sources);
  const tagger = /^ner\((.+)\)$/s.exec(name)?.[1];
  if (tagger !== undefined) return openTagger(tagger, sources);
  throw new InputError('unknown-recogniser', `Unknown entity recogniser "${name.slice(0, 80)}"`, {
    expected:
      'names, which goes by spelling; ner(MODEL) with a folder in MULTIHOP_MODELS or hub:ORG/NAME, a model of token classification; or triples(MODEL) with a language model, such as triples(ollama:MODEL)',
  });
}

/** Returns the model of `triples(MODEL)`; undefined for another name. */
const modelOf = (name: string): string | undefined => /^triples\((.+)\)$/s.exec(name)?.[1];

async function openTriples(name: string, sources: RecogniserSources): Promise<OpenRecogniser> {
  const { model, spent, close } = await openReadingModel(name, sources);
  const { tripleRecogniser } = await import('../planning/triples/triple-recogniser.ts');
  const recogniser = tripleRecogniser(model);
  return {
    recogniser,
    spent() {
      const { calls, dropped, cut, unread } = recogniser.counts;
      const [ner, triple] = [calls['ner']!, calls['triple']!];
      return { ner, triple, ...spent(), dropped, cut, unread };
    },
    close,
  };
}

interface ReadingModel {
  readonly model: LanguageModel;
  spent(): ReadingSpending;
  close(): Promise<void>;
}

/** Opens a language model that reads documents: what it has read once costs nothing again. */
export async function openReadingModel(
  name: string,
  { env, language = {}, cache }: RecogniserSources,
): Promise<ReadingModel> {
  const { model, cassette, notices } = language;
  if (name === REPLAYED) return replayingModel(cassette, notices);
  const given = typeof model === 'object' && (await givenModel(model, { ...language, env }));
  const isPassed = given && given.id === name;
  const resolved = isPassed ? undefined : await resolvedModel(name, { ...language, env });
  const provider = isPassed ? given : resolved!;
  try {
    const price = modelPrice(language.price, [name, provider.id], provider.price);
    // Below the cache: a passage that was read before costs nothing.
    const asked = meteredModel(price ? pricedModel(provider, price) : provider);
    let opening: Promise<DecoratedModel> | undefined;
    return {
      model: {
        id: provider.id,
        async generate(prompt, call) {
          // Opened at the first call: a folder with a cache alone is refused as a new store.
          opening ??= decorateModel(asked, { cache, cassette, notices }) as Promise<DecoratedModel>;
          return (await opening).model.generate(prompt, call);
        },
      },
      spent() {
        const { calls: sent, input, output, usd } = asked.spent;
        return defined({ sent, input, output, usd });
      },
      async close() {
        await (await opening)?.close();
        await resolved?.close?.();
      },
    };
  } catch (error) {
    await resolved?.close?.();
    throw error;
  }
}

/** The name of a model whose replies are those of the cassette. */
const REPLAYED = 'cassette';

async function replayingModel(
  cassette: string | undefined,
  notices?: Notices,
): Promise<ReadingModel> {
  const replayed = await decorateModel(undefined, { cassette, notices });
  if (replayed) {
    const sent = { sent: 0, input: 0, output: 0 };
    return { model: replayed.model, spent: () => sent, close: () => replayed.close() };
  }
  throw new InputError('missing-option', 'The replies of a cassette', {
    expected: 'the name of its file',
    hint: 'Name the file as `cassette`.',
    remedy: { id: 'give-cassette' },
  });
}

async function openTagger(name: string, sources: RecogniserSources): Promise<OpenRecogniser> {
  const { env, dtype, load, vectors } = sources;
  const { resolveModel } = await import('../providers/resolve-model.ts');
  const { cachedTagger, spanRecogniser } = await import('../models/span-tagger.ts');
  const tagger = await resolveModel('entity-recogniser', name, { env, dtype, load });
  const cached = vectors ? cachedTagger(tagger, vectors, sha256) : tagger;
  return { recogniser: spanRecogniser(cached), close: () => tagger.close() };
}

/** Returns what was done after `before`. */
export function spentSince<Spent extends ReadingSpending>(before: Spent, after: Spent): Spent {
  const from = new Map<string, number>(Object.entries(before));
  const entries = Object.entries(after).map(([key, value]) => [
    key,
    // Amounts are whole billionths of a dollar.
    Math.round((value - (from.get(key) ?? 0)) * 1e9) / 1e9,
  ]);
  return Object.fromEntries(entries) as Spent;
}

export interface GraphPlan {
  readonly calls: readonly PlannedCalls[];
  readonly price: Price | undefined;
}

/** Plans the calls that reading these documents takes; undefined if no language model reads. */
export async function graphPlan(
  name: string,
  documents: readonly Document[],
  language: GraphModelSource = {},
): Promise<GraphPlan | undefined> {
  const model = modelOf(name);
  if (model === undefined) return undefined;
  const { passagesOf, passageText } = await import('../planning/triples/triple-recogniser.ts');
  const { plannedTripleCalls } = await import('../planning/triples/triple-prompts.ts');
  const passages = documents.flatMap(document =>
    passagesOf({
      title: document.title,
      sentences: sentencesOf(document).map(({ text }) => text),
    }).map(sentences => ({ title: document.title, text: passageText(sentences) })),
  );
  return { calls: plannedTripleCalls(passages), price: modelPrice(language.price, [model]) };
}
