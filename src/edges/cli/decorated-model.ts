/**
 * The language model of a command, with what the command line puts around it. In this order, from
 * the inside: the provider with its retry loop, the cache, the cassette, the price, the meter, the
 * total budget. `ask` reserves and notes around all of it.
 */
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { cachedModel, type ReplayedModel, replayedModel } from '../../models/cached-model.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { type ModelSpending, meteredModel } from '../../models/metered-model.ts';
import { pricedModel } from '../../models/priced-model.ts';
import { reservedModel } from '../../models/reserved-model.ts';
import { BudgetReached } from '../../trace/call.ts';
import { Ledger } from '../../trace/ledger.ts';
import type { Budget, LimitName } from '../../trace/usage.ts';
import { monotonicClock } from '../clock.ts';
import { sha256 } from '../sha256.ts';
import { CassetteFile } from '../storage/cassette-file.ts';
import type { Option } from './command.ts';
import type { Output } from './output.ts';
import { priceOption } from './price-option.ts';

export const CASSETTE_OPTION: Option = {
  name: 'cassette',
  value: 'FILE',
  summary:
    'what the model said, by the hash of what it was asked: with --model it is recorded there, without it is replayed and nobody is asked',
};

export const CASSETTE_NOTE =
  'A cassette holds completions and no prompts. With --model what it holds is not asked again, and what it lacks is added; without --model a prompt that it lacks is a failure. Model calls, tokens and usd of a run are those of a run that asks everything, whatever came from a cassette or a cache. A limit on usd counts language models; embedders and rerankers behind HTTP count in model-calls and model-tokens.';

export interface DecorateOptions {
  /** What `--model` says, where it was given: a price list knows it by this name. */
  readonly name?: string | undefined;
  /** `--price`. */
  readonly price?: string | undefined;
  /** `--cassette`. */
  readonly cassette?: string | undefined;
  /** The folder where completions are kept, so that nothing is asked twice. */
  readonly cache?: string | undefined;
  /** What all runs of the command together may use of all its models. */
  readonly total?: TotalBudget | undefined;
}

export class DecoratedModel {
  readonly model: LanguageModel;
  /** What was asked of it in all runs of the command, whatever came from a cassette or a cache. */
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

  /** Prompts that the cassette lacks. */
  get misses(): number {
    return this.replayed?.misses ?? 0;
  }

  async close(): Promise<void> {
    for (const file of this.files) await file.close();
  }
}

/**
 * Undefined for a command without a model and without a cassette. Throws `InputError`, or
 * `PortError` where a cassette cannot be read or written.
 */
export async function decorateModel(
  provider: LanguageModel | undefined,
  output: Output,
  { name, price: told, cassette, cache, total }: DecorateOptions = {},
): Promise<DecoratedModel | undefined> {
  const files: CassetteFile[] = [];
  let model = provider;
  let replayed: ReplayedModel | undefined;
  if (provider && cache !== undefined) {
    const kept = await CassetteFile.toRecord(completionsPath(cache, provider.id), {
      id: provider.id,
    });
    files.push(kept);
    model = cachedModel(provider, kept, { hash: sha256 });
  }
  const names = [...(name === undefined ? [] : [name]), ...(provider ? [provider.id] : [])];
  let price = provider ? priceOption(told, names) : undefined;
  if (cassette !== undefined) {
    const tape = provider
      ? await CassetteFile.toRecord(cassette, { id: provider.id, ...(price ? { price } : {}) })
      : await CassetteFile.toReplay(cassette);
    files.push(tape);
    if (tape.damaged > 0)
      output.warn(
        `${tape.damaged} lines of the cassette ${cassette} cannot be read and are passed over`,
      );
    price = priceOption(told, [...names, tape.model.id], tape.model.price);
    if (model) model = cachedModel(model, tape, { hash: sha256 });
    else
      model = replayed = replayedModel(tape.model, tape, {
        hash: sha256,
        from: `The cassette ${cassette}`,
      });
  }
  if (!model) return undefined;
  const metered = meteredModel(price ? pricedModel(model, price) : model);
  return new DecoratedModel(
    total ? total.around(metered) : metered,
    metered.spent,
    files,
    replayed,
  );
}

/** What all runs of a command may use of its models, in one ledger beside those of the runs. */
export class TotalBudget {
  readonly limits: Budget;
  /** The limit that refused a call, if any. */
  reached: LimitName | undefined;
  private readonly ledger: Ledger;

  constructor(limits: Budget, signal: AbortSignal) {
    this.limits = limits;
    this.ledger = new Ledger({ budget: limits, signal, clock: monotonicClock });
  }

  /** Throws `InputError('unknown-price')`. */
  around(model: LanguageModel): LanguageModel {
    if (Object.keys(this.limits).length === 0) return model;
    if (this.limits.usd !== undefined && !model.price)
      throw new InputError(
        'unknown-price',
        `The total budget limits US dollars, and no price is known of the model "${model.id}"`,
        {
          expected: 'a price for a million tokens of prompts and of completions',
          hint: 'Give --price in=USD,out=USD (0 for a model of your own) or --price FILE; of a judge --judge-price.',
        },
      );
    const begin: Ledger['begin'] = (port, role, atMost) => {
      try {
        return this.ledger.begin(port, role, atMost);
      } catch (error) {
        if (error instanceof BudgetReached) this.reached ??= error.limit;
        throw error;
      }
    };
    return reservedModel(model, { begin });
  }
}

/** In a folder of what models computed, a file for each. */
export function completionsPath(folder: string, model: string): string {
  return join(
    folder,
    `${model.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-${sha256(model).slice(0, 16)}.completions.jsonl`,
  );
}
