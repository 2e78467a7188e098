/** States how probable an answer is, from its share among the candidates of its question. */

import type { Alternative, Confidence } from '../core/trace/trace.ts';
import { answerProbability } from '../models/answer-probability/answer-probability.ts';

/** The parts of an answer that say how sure it is. */
export interface Sure {
  readonly probability: number;
  readonly confidence: Confidence;
  readonly alternatives?: readonly Alternative[];
}

/** A text with its share among the candidates, from 0 to 1. */
export interface Shared {
  readonly text: string;
  readonly share: number;
}

/** Candidates that an answer names beside its own text. */
const ALTERNATIVES = 3;

/** Returns how sure an answer of this share is; `others` come best first. */
export async function stated(
  form: Confidence['form'],
  share: number,
  others: readonly Shared[],
): Promise<Sure> {
  // Loaded on first use: no other reader pays for it.
  const { shippedProbability } = await import('../models/answer-probability/shipped.ts');
  const model = shippedProbability();
  const probable = (own: number): number => rounded(answerProbability({ form, share: own }, model));
  const confidence: Confidence = { form, share: rounded(share) };
  const alternatives = others
    .slice(0, ALTERNATIVES)
    .map(other => ({ text: other.text, probability: probable(other.share) }));
  return {
    probability: probable(share),
    confidence,
    ...(alternatives.length > 0 ? { alternatives } : {}),
  };
}

/** Three digits: more say nothing of a fitted probability, and traces stay small. */
const rounded = (value: number): number => Math.round(1000 * value) / 1000;
