/** Computes how well sentences answer, the features that their spans share. */
import { type AddFeature, heldShare } from '../features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

/** Shares of what the question asks that a sentence holds, from 0 to 1 each. */
export interface SentenceShares {
  /** Share of the question's unbound words, in the sentence and in its passage. */
  readonly similar: number;
  readonly passage: number;
  /** Share of the words of the clause that asks, likewise. */
  readonly asking: number;
  readonly askingPassage: number;
  /** Share of the whole question, alone and with the sentences of the best chain. */
  readonly alone: number;
  readonly chain: number;
  /** Strength of the links that lead to its passage. */
  readonly reach: number;
}

const NAMES = ['similar', 'passage', 'asking', 'askingPassage', 'alone', 'chain', 'reach'] as const;

export function sentenceShares(reading: OpenReading, sentence: OpenSentence): SentenceShares {
  const { reach, unbound, passages, joint, asking } = reading;
  const whole = new Set(passages[sentence.passage]!.sentences.flatMap(({ stems }) => [...stems]));
  const sought = new Map(
    [...asking].flatMap(([stem, weight]) =>
      unbound.has(stem) ? [[stem, weight * unbound.get(stem)!] as const] : [],
    ),
  );
  const { alone, byBridge } = joint.joints[sentence.index]!;
  return {
    similar: heldShare(unbound, stem => sentence.stems.has(stem)),
    passage: heldShare(unbound, stem => whole.has(stem)),
    asking: heldShare(sought, stem => sentence.stems.has(stem)),
    askingPassage: heldShare(sought, stem => whole.has(stem)),
    alone,
    chain: Math.max(alone, ...byBridge.values()),
    reach: reach[sentence.passage]!.strength,
  };
}

/** Returns the greatest of each share. */
export const bestShares = (all: readonly SentenceShares[]): SentenceShares =>
  Object.fromEntries(
    NAMES.map(name => [name, Math.max(0, ...all.map(each => each[name]))]),
  ) as unknown as SentenceShares;

/** A span's sentence, the best of the evidence, and how well the span's type fits, from -1 to 1. */
interface Fit {
  readonly held: SentenceShares;
  readonly best: SentenceShares;
  readonly match: number;
}

/** Adds the shares, those that are the greatest, and both where the type fits. */
export function fitFeatures(
  { reach, steps }: OpenReading,
  sentence: OpenSentence,
  { held, best, match }: Fit,
  add: AddFeature,
): void {
  const { distance, used } = reach[sentence.passage]!;
  add(`reach:${distance}`, 1);
  add(`reach:left:${Math.min(3, steps.length - used)}`, 1);
  add(`steps:${Math.min(3, steps.length)}:reach:${distance}`, 1);
  for (const name of NAMES) {
    const isBest = held[name] > 0 && held[name] === best[name];
    add(name, held[name]);
    add(`best:${name}`, isBest);
    add(`match:${name}`, match * held[name]);
    add(`match:best:${name}`, isBest ? match : 0);
  }
  add('first sentence', sentence.place === 0);
  add('passage:rank', Math.log2(1 + sentence.passage) / 3);
}
