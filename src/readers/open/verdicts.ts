/** Builds the features of yes: what is said of two things, or how much of one claim is said. */

import { nameTypes } from '../../language/english/names/name-types.ts';
import { typesOfNoun } from '../../language/english/names/types.ts';
import { isNegated } from '../../language/english/values/polarity.ts';
import { FeatureList, type Features } from '../features.ts';
import { similarity } from './choices.ts';
import { compareThings } from './compare.ts';
import {
  asksDifferent,
  asksSame,
  type Compared,
  comparedThings,
  distinctSpans,
} from './compared-things.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';
import { originFeatures } from './verdict-origins.ts';

export interface Verdict {
  readonly features: Features;
  readonly sentences: readonly number[];
  /** The answer, if values that the evidence states decide it. */
  readonly stated?: boolean;
}

/** Returns the features of yes; undefined if the question does not ask for yes or no. */
export function verdictOf(reading: OpenReading): Verdict | undefined {
  if (reading.asked.kind !== 'verdict') return undefined;
  const ordered = orderedVerdict(reading);
  if (ordered) {
    const { features } = loneVerdict(reading);
    return { features, sentences: ordered.sentences, stated: ordered.yes };
  }
  const things = comparedThings(reading, 'and');
  if (things.length < 2) return loneVerdict(reading);
  const features = new FeatureList();
  const cited: number[] = [];
  originFeatures(reading, things, features, cited);
  const held = things.map(thing => similarity(reading, thing));
  const shares = held.map(({ share }) => share);
  features.add('least', Math.min(...shares));
  features.add('most', Math.max(...shares));
  likenessFeatures(reading, things, features);
  predicateFeatures(reading, things, features);
  for (const bound of [0.3, 0.6, 0.9]) features.add(`least:${bound}`, Math.min(...shares) >= bound);
  if (cited.length === 0) cited.push(...held.flatMap(({ sentences }) => sentences));
  return { features: features.values, sentences: [...new Set(cited)] };
}

interface OrderedVerdict {
  readonly yes: boolean;
  /** Numbers of the sentences that state the values. */
  readonly sentences: readonly number[];
}

const ORDER = /\b(?:before|after|(?:earlier|sooner|later|older|younger|longer) than)\b/iu;
/** Matches all that may follow the second thing: "before B did?". No other event is compared. */
const END = /^\W*(?:did|was|were|is|does|has)?\W*$/iu;

/**
 * Returns the verdict by the order of values ("Did A die before B?", "Is A older than B?");
 * undefined if the question compares nothing or a value is not stated.
 */
export function orderedVerdict(reading: OpenReading): OrderedVerdict | undefined {
  const { text } = reading.asked;
  const [first, second, ...more] = distinctSpans(reading);
  if (!first || !second || more.length > 0) return undefined;
  const order = ORDER.exec(text.slice(first.end, second.start))?.[0];
  if (order === undefined || !END.test(text.slice(second.end))) return undefined;
  const { winner, loose, sentences } = compareThings(reading, [first, second]);
  // Loose dates, which no relation states, may not be the ones that are asked for.
  if (winner === undefined || loose) return undefined;
  // The earlier thing wins after "before" and "after" alike.
  return { yes: winner === (order.toLowerCase() === 'after' ? 1 : 0), sentences };
}

/** Returns the features of yes for a question about one thing: how much of it a sentence holds. */
function loneVerdict({ asked, joint, sentences, unbound }: OpenReading): Verdict {
  const features = new FeatureList();
  const support = joint.joints.map(({ alone, byBridge }) => Math.max(alone, ...byBridge.values()));
  if (support.length === 0) return { features: new Map(), sentences: [] };
  const best = support.indexOf(Math.max(...support));
  const { text, stems } = sentences[best]!;
  features.add('one', 1);
  features.add('one:support', support[best]!);
  features.add('one:alone', Math.max(...joint.joints.map(({ alone }) => alone)));
  features.add('one:negated', isNegated(text) !== isNegated(asked.text));
  const values = [...unbound.keys()].filter(stem => /\d/u.test(stem));
  features.add(
    'one:value missing',
    values.some(value => !stems.has(value)),
  );
  return { features: features.values, sentences: [sentences[best]!.index] };
}

/** Adds how alike the first sentences are, by whether the question asks for likeness. */
function likenessFeatures(
  reading: OpenReading,
  things: readonly Compared[],
  features: FeatureList,
): void {
  const { text } = reading.asked;
  const leads = things.map(thing => leadOf(reading, thing)?.stems ?? new Set<string>());
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

const leadOf = ({ passages }: OpenReading, thing: Compared): OpenSentence | undefined =>
  thing.passages.flatMap(index => passages[index]!.sentences)[0];

/** Adds agreement of each thing with the nouns of "are both singers", by word and by type. */
function predicateFeatures(
  { asked, unbound, kinds, joint }: OpenReading,
  things: readonly Compared[],
  features: FeatureList,
): void {
  if (asksDifferent(asked.text) || /\bsame\b/iu.test(asked.text)) return;
  const nouns = [...unbound.keys()].filter(stem => typesOfNoun(stem).length > 0);
  if (nouns.length === 0) return;
  const nounTypes = new Set(nouns.flatMap(typesOfNoun));
  const known = things.map(({ text }) => kinds.get(joint.names.key(text)));
  const called = known.map(kind => nouns.some(noun => kind?.called.has(noun)));
  features.add('both called', called.every(Boolean));
  features.add('one called', called.some(Boolean) && !called.every(Boolean));
  const types = things.map(({ text }, at) => nameTypes(text, known[at]));
  features.add(
    'other type',
    types.some(
      typesKnown => typesKnown.size > 0 && !typesKnown.values().some(type => nounTypes.has(type)),
    ),
  );
}
