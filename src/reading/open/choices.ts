/** Builds the candidates of questions for one of several named things, and for yes or no. */
import { FeatureList, type Features } from '../fact-reader/features.ts';
import {
  asksDifferent,
  asksSame,
  type Compared,
  comparedThings,
  compareThings,
  countriesOf,
  throughPassages,
} from './compare.ts';
import type { OpenReading } from './passages.ts';

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

export interface Verdict {
  readonly features: Features;
  readonly sentences: readonly number[];
}

/** Returns the options of "A or B"; undefined if the question offers none. */
export function choiceOf(reading: OpenReading): Choice | undefined {
  if (!/\bor\b/iu.test(reading.asked.text)) return undefined;
  const things = comparedThings(reading, 'or');
  if (things.length < 2) return undefined;
  const { winner, sentences } = compareThings(reading, things);
  const similar = things.map(thing => similarity(reading, thing));
  const options = things.map((thing, index) => {
    const features = new FeatureList();
    // Present always: a question for one of two things has an answer, however little decides it.
    features.add('named first', index === 0 ? 1 : -1);
    if (winner !== undefined) features.add('wins', winner === index ? 1 : -1);
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
function similarity(
  { unbound, passages }: OpenReading,
  { passages: own }: Compared,
): { share: number; sentences: number[] } {
  const sentences = own.flatMap(index => passages[index]!.sentences);
  const total = [...unbound.values()].reduce((sum, weight) => sum + weight, 0);
  const shares = sentences.map(({ stems }) =>
    [...unbound].reduce((sum, [stem, weight]) => (stems.has(stem) ? sum + weight : sum), 0),
  );
  const all = new Set(sentences.flatMap(({ stems }) => [...stems]));
  const share = [...unbound].reduce(
    (sum, [stem, weight]) => (all.has(stem) ? sum + weight : sum),
    0,
  );
  const best = shares.indexOf(Math.max(...shares));
  return {
    share: total === 0 ? 0 : share / total,
    sentences: best < 0 ? [] : [sentences[best]!.index],
  };
}

/** Returns the features of yes; undefined if the question does not ask for yes or no. */
export function verdictOf(reading: OpenReading): Verdict | undefined {
  if (reading.asked.kind !== 'verdict') return undefined;
  const things = comparedThings(reading, 'and');
  if (things.length < 2) return loneVerdict(reading);
  const features = new FeatureList();
  const cited: number[] = [];
  countryFeatures(reading, things, features, cited);
  const held = things.map(thing => similarity(reading, thing));
  const shares = held.map(({ share }) => share);
  features.add('least', Math.min(...shares));
  features.add('most', Math.max(...shares));
  likenessFeatures(reading, things, features);
  for (const bound of [0.3, 0.6, 0.9]) features.add(`least:${bound}`, Math.min(...shares) >= bound);
  if (cited.length === 0) cited.push(...held.flatMap(({ sentences }) => sentences));
  return { features: features.values, sentences: [...new Set(cited)] };
}

/** Returns the features of yes for a question about one thing: how much of it a sentence holds. */
function loneVerdict({ joint, sentences }: OpenReading): Verdict {
  const features = new FeatureList();
  const support = joint.joints.map(({ alone, byBridge }) => Math.max(alone, ...byBridge.values()));
  if (support.length === 0) return { features: new Map(), sentences: [] };
  const best = support.indexOf(Math.max(...support));
  features.add('one', 1);
  features.add('one:support', support[best]!);
  features.add('one:alone', Math.max(...joint.joints.map(({ alone }) => alone)));
  return { features: features.values, sentences: [sentences[best]!.index] };
}

/** Adds how alike the first sentences are, by whether the question asks for likeness. */
function likenessFeatures(
  reading: OpenReading,
  things: readonly Compared[],
  features: FeatureList,
): void {
  const { text } = reading.asked;
  const leads = things.map(({ passages }) => {
    const [first] = passages.flatMap(index => reading.passages[index]!.sentences);
    return first?.stems ?? new Set<string>();
  });
  const common = leads.slice(1).reduce((all, lead) => all.intersection(lead), new Set(leads[0]));
  const least = Math.min(...leads.map(({ size }) => size));
  const alike = least === 0 ? 0 : common.size / least;
  const form = asksDifferent(text) ? 'different' : asksSame(text) ? 'same' : 'other';
  features.add(`form:${form}`, 1);
  features.add(`alike:${form}`, alike);
  features.add(
    'unread',
    leads.some(({ size }) => size === 0),
  );
}

/** Adds agreement of countries, if the question asks for countries or nationalities. */
function countryFeatures(
  reading: OpenReading,
  things: readonly Compared[],
  features: FeatureList,
  cited: number[],
): void {
  const { text } = reading.asked;
  if (
    !/\b(?:countr(?:y|ies)|nationalit(?:y|ies)|nation|citizenship|located|state|city|place|american)\b/iu.test(
      text,
    ) ||
    !asksSame(text)
  )
    return;
  const read = things.map(thing =>
    countriesOf(
      throughPassages(reading, thing).flatMap(index => reading.passages[index]!.sentences),
    ),
  );
  const [a, b] = read;
  if (!a || !b) {
    features.add('countries:unknown', 1);
    return;
  }
  cited.push(a.sentence, b.sentence);
  const sign = asksDifferent(text) ? -1 : 1;
  const common = a.countries.some(country => b.countries.includes(country));
  features.add('countries:first', sign * (a.countries[0] === b.countries[0] ? 1 : -1));
  features.add('countries:common', sign * (common ? 1 : -1));
}
