/** Builds the candidates of questions for one of several named things. */
import { FeatureList, type Features, heldShare } from '../features.ts';
import { compareThings } from './compare.ts';
import { type Compared, comparedThings } from './compared-things.ts';
import type { OpenReading } from './reading.ts';

export interface Option {
  readonly text: string;
  readonly features: Features;
  readonly sentences: readonly number[];
}

export interface Choice {
  readonly options: readonly Option[];
  /** Sentences that state the compared values. */
  readonly sentences: readonly number[];
}

/** Returns the options of "A or B"; undefined if the question offers none. */
export function choiceOf(reading: OpenReading): Choice | undefined {
  if (!/\bor\b/iu.test(reading.asked.text)) return undefined;
  const things = comparedThings(reading, 'or');
  if (things.length < 2) return undefined;
  const { winner, loose, sentences } = compareThings(reading, things);
  const similar = things.map(thing => similarity(reading, thing));
  const options = things.map((thing, index) => {
    const features = new FeatureList();
    // Present always: a question for one of two things has an answer, however little decides it.
    features.add('named first', index === 0 ? 1 : -1);
    if (winner !== undefined)
      features.add(loose ? 'wins:loosely' : 'wins', winner === index ? 1 : -1);
    const others = similar.filter((_, other) => other !== index).map(({ share }) => share);
    features.add('similar', similar[index]!.share - Math.max(...others));
    features.add(
      'similar:undecided',
      winner === undefined ? similar[index]!.share - Math.max(...others) : 0,
    );
    return {
      text: thing.text,
      features: features.values,
      sentences: winner === undefined ? similar[index]!.sentences : [],
    };
  });
  return { options, sentences };
}

/** Returns the weighted share of the question's unbound words that the thing's passages hold. */
export function similarity(
  { unbound, passages }: OpenReading,
  { passages: among }: Compared,
): { share: number; sentences: number[] } {
  const sentences = among.flatMap(index => passages[index]!.sentences);
  const shares = sentences.map(({ stems }) => heldShare(unbound, stem => stems.has(stem)));
  const all = new Set(sentences.flatMap(({ stems }) => [...stems]));
  const best = sentences[shares.indexOf(Math.max(...shares))];
  return { share: heldShare(unbound, stem => all.has(stem)), sentences: best ? [best.index] : [] };
}
