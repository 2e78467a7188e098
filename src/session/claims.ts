/** Opens what generates the claims of a claim base: the rules, or a language model. */
import { sentencesOf } from '../core/corpus/chunker.ts';
import type { Document } from '../core/corpus/document.ts';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { ClaimGenerator } from '../models/claim-generator.ts';
import { FACT_TOKENS, isFact } from '../planning/claims/facts.ts';
import { ruleClaims } from '../planning/claims/rule-claims.ts';
import { modelPrice } from './model-price.ts';
import {
  type GraphModelSource,
  type GraphPlan,
  openReadingModel,
  type ReadingSpending,
  type RecogniserSources,
} from './recognisers.ts';

/** Work of a language model that reads documents into a claim base. */
export interface ClaimsSpending extends ReadingSpending {
  /** Calls of the role `claim`; those that the cache answered included. */
  readonly claim: number;
}

export interface OpenClaims {
  readonly generator: ClaimGenerator;
  /** Returns what its language model did since it was opened. */
  spent?(): ClaimsSpending;
  close?(): Promise<void>;
}

/** `rules`, a language model, or `cassette`: the replies of its file alone. */
export async function openClaims(name: string, sources: RecogniserSources): Promise<OpenClaims> {
  if (name === ruleClaims.id) return { generator: ruleClaims };
  const { modelClaims } = await import('../strategies/bridge-claims/model-claims.ts');
  const opening = openReadingModel(name, sources).catch(withOwnNames);
  const { model, spent, close } = await opening;
  let claim = 0;
  const generator = modelClaims({
    id: model.id,
    generate(prompt, call) {
      claim += 1;
      return model.generate(prompt, call);
    },
  });
  return { generator, close, spent: () => ({ claim, ...spent() }) };
}

/** Adds the names that are no language model to the error of an unknown one. */
function withOwnNames(error: unknown): never {
  if (!InputError.is(error) || error.code !== 'unknown-model') throw error;
  const { expected, received, hint } = error;
  const names = defined({ expected: `rules, cassette, or ${expected}`, received, hint });
  throw new InputError(error.code, 'Unknown generator of claims', names);
}

/** Plans the calls that generating the claims of these documents takes. */
export async function claimsPlan(
  name: string,
  documents: readonly Document[],
  { price }: GraphModelSource,
): Promise<GraphPlan | undefined> {
  if (name === ruleClaims.id) return undefined;
  const { plannedClaims } = await import('../strategies/bridge-claims/model-claims.ts');
  const facts = documents
    .flatMap(sentencesOf)
    .filter(({ text }) => isFact(text, { minTokens: FACT_TOKENS }));
  return { calls: plannedClaims(facts.length), price: modelPrice(price, [name]) };
}
