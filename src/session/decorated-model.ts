/**
 * Decorates a language model for a composition, from the inside out: the provider with its retry
 * loop, the cache, the cassette, the price, the meter, the total budget. `ask` reserves calls and
 * records replies around all of it.
 */
import { join } from 'node:path';
import { defined } from '../core/defined.ts';
import { cachedModel, type ReplayedModel, replayedModel } from '../models/cached-model.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { type ModelSpending, meteredModel } from '../models/metered-model.ts';
import type { Price } from '../models/price.ts';
import { pricedModel } from '../models/priced-model.ts';
import { monotonicClock } from '../platform/clock.ts';
import { sha256 } from '../platform/sha256.ts';
import { CassetteFile } from '../stores/disk/cassette-file.ts';
import { type GivenPrice, modelPrice } from './model-price.ts';
import { NO_NOTICES, type Notices } from './notices.ts';
import type { TotalBudget } from './total-budget.ts';

export interface DecorateOptions {
  /** Name that the user gave the model; a price table may list it. */
  readonly name?: string | undefined;
  readonly price?: GivenPrice | undefined;
  /** File that records completions of the provider, or replays them if there is no provider. */
  readonly cassette?: string | undefined;
  /** Folder that caches completions, so that no prompt is sent twice. */
  readonly cache?: string | undefined;
  /** Limits of all runs and models of the composition together. */
  readonly total?: TotalBudget | undefined;
  readonly notices?: Notices;
}

export class DecoratedModel {
  readonly model: LanguageModel;
  /** Calls and tokens of all runs, including completions from a cassette or a cache. */
  readonly spent: ModelSpending;
  private readonly files: readonly CassetteFile[];
  private readonly replayed: ReplayedModel | undefined;

  constructor(
    model: LanguageModel,
    spent: ModelSpending,
    files: readonly CassetteFile[],
    replayed: ReplayedModel | undefined,
  ) {
    this.model = model;
    this.spent = spent;
    this.files = files;
    this.replayed = replayed;
  }

  /** Number of prompts that the cassette lacks. */
  get misses(): number {
    return this.replayed?.misses ?? 0;
  }

  async close(): Promise<void> {
    for (const file of this.files) await file.close();
  }
}

/** A model between two layers, with the files that the layers opened. */
interface Layered {
  readonly model: LanguageModel | undefined;
  readonly price: Price | undefined;
  readonly files: readonly CassetteFile[];
  readonly replayed?: ReplayedModel;
}

/**
 * Returns undefined without a provider and without a cassette. Throws `InputError`, or `PortError`
 * if a cassette cannot be read or written.
 */
export async function decorateModel(
  provider: LanguageModel | undefined,
  options: DecorateOptions = {},
): Promise<DecoratedModel | undefined> {
  const { total } = options;
  const cached = await withCache(provider, options);
  const { model, price, files, replayed } = await withCassette(cached, provider, options);
  if (!model) return undefined;
  const metered = meteredModel(price ? pricedModel(model, price) : model, monotonicClock);
  return new DecoratedModel(
    total ? total.around(metered) : metered,
    metered.spent,
    files,
    replayed,
  );
}

async function withCache(
  provider: LanguageModel | undefined,
  options: DecorateOptions,
): Promise<Layered> {
  const price = provider && modelPrice(options.price, namesOf(provider, options));
  if (!provider || options.cache === undefined) return { model: provider, price, files: [] };
  const { id } = provider;
  const file = await CassetteFile.toRecord(completionsPath(options.cache, id), { id });
  return { model: cachedModel(provider, file, { hash: sha256 }), price, files: [file] };
}

async function withCassette(
  inner: Layered,
  provider: LanguageModel | undefined,
  options: DecorateOptions,
): Promise<Layered> {
  const { cassette, notices = NO_NOTICES } = options;
  if (cassette === undefined) return inner;
  const tape = provider
    ? await CassetteFile.toRecord(
        cassette,
        defined({ id: provider.id, price: inner.price || undefined }),
      )
    : await CassetteFile.toReplay(cassette);
  const files = [...inner.files, tape];
  if (tape.damaged > 0)
    notices.warn(`${tape.damaged} lines of the cassette ${cassette} cannot be read: skipped`);
  const names = [...namesOf(provider, options), tape.model.id];
  const price = modelPrice(options.price, names, tape.model.price);
  if (inner.model) return { model: cachedModel(inner.model, tape, { hash: sha256 }), price, files };
  const from = `The cassette ${cassette}`;
  const replayed = replayedModel(tape.model, tape, { hash: sha256, from });
  return { model: replayed, price, files, replayed };
}

const namesOf = (provider: LanguageModel | undefined, { name }: DecorateOptions): string[] => [
  ...(name === undefined ? [] : [name]),
  ...(provider ? [provider.id] : []),
];

/** Returns the file of a model's completions in a cache folder. */
export function completionsPath(folder: string, model: string): string {
  return join(
    folder,
    `${model.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-${sha256(model).slice(0, 16)}.completions.jsonl`,
  );
}
