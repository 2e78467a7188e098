/** Compares countries and places of things for yes or no: the same one, or a named one. */

import { countryNamed, countryOfAdjective } from '../../language/english/names/demonyms.ts';
import { findMentions } from '../../language/english/names/mentions.ts';
import type { FeatureList } from '../features.ts';
import { asksDifferent, asksSame, type Compared, throughPassages } from './compared-things.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

const COUNTRY =
  /\b(?:countr(?:y|ies)|nationalit(?:y|ies)|nations?|citizenship|located|situated|based|places?)\b/iu;
/** Places within a country. */
const REGION =
  /\b(?:state|city|town|village|province|county|region|district|borough|island|continent)\b/iu;

/** Adds agreement of origins, and the sentences that state them to `cited`. */
export function originFeatures(
  reading: OpenReading,
  things: readonly Compared[],
  features: FeatureList,
  cited: number[],
): void {
  const { text } = reading.asked;
  const said = things.map(thing =>
    throughPassages(reading, thing).flatMap(index => reading.passages[index]!.sentences),
  );
  const country = namedCountry(reading, things);
  const region = REGION.test(text);
  if (country === undefined && !region && !(COUNTRY.test(text) && asksSame(text))) return;
  const read = said.map(countriesOf);
  cited.push(...read.flatMap(each => each?.sentence ?? []));
  if (country !== undefined) {
    const shares = read.map(each => each && (each.countries.includes(country) ? 1 : -1));
    if (shares.includes(undefined)) features.add('named country:unknown', 1);
    else features.add('named country', Math.min(...(shares as number[])));
    return;
  }
  const sign = asksDifferent(text) ? -1 : 1;
  if (region && asksSame(text)) {
    const [a, b] = said.map(placesOf);
    if (a && b) features.add('places:common', sign * (a.isDisjointFrom(b) ? -1 : 1));
  }
  const kind = region ? 'countries within' : 'countries';
  const [a, b] = read;
  if (!a || !b) {
    features.add(`${kind}:unknown`, 1);
    return;
  }
  const common = a.countries.some(country => b.countries.includes(country));
  features.add(`${kind}:first`, sign * (a.countries[0] === b.countries[0] ? 1 : -1));
  features.add(`${kind}:common`, sign * (common ? 1 : -1));
}

/** Returns the country that the question names outside the names of the things. */
function namedCountry({ asked }: OpenReading, things: readonly Compared[]): string | undefined {
  let text = asked.text;
  for (const thing of things) text = text.replace(thing.text, ' ');
  for (const { kind, text: name } of findMentions(text)) {
    const country = kind === 'adjective' ? countryOfAdjective(name) : countryNamed(name);
    if (country !== undefined) return country;
  }
  return undefined;
}

/** Sentences of a thing that tell where it is. */
const TELLING = 2;
const PLACED = /\b(?:in|at|near|of|from|,) (?:the )?$/u;

/** Returns the places within countries that the first sentences name; undefined for none. */
function placesOf(sentences: readonly OpenSentence[]): Set<string> | undefined {
  const names = sentences
    .slice(0, TELLING)
    .flatMap(({ text, mentions }) =>
      mentions
        .filter(
          ({ kind, start }) =>
            kind === 'name' &&
            (PLACED.test(text.slice(0, start)) || /, $/u.test(text.slice(0, start))),
        )
        .map(mention => mention.text.toLowerCase()),
    )
    .filter(name => countryNamed(name) === undefined && !name.includes(','));
  return names.length === 0 ? undefined : new Set(names);
}

/** Returns the countries that the first sentences that name any name, in order. */
function countriesOf(
  sentences: readonly OpenSentence[],
): { readonly countries: readonly string[]; readonly sentence: number } | undefined {
  for (const sentence of sentences) {
    const countries = sentence.mentions.flatMap(({ kind, text }) =>
      kind === 'adjective'
        ? (countryOfAdjective(text) ?? [])
        : kind === 'name'
          ? (countryNamed(text) ?? [])
          : [],
    );
    if (countries.length > 0)
      return { countries: [...new Set(countries)], sentence: sentence.index };
  }
  return undefined;
}
