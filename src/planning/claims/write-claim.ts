/**
 * Writes the claim of a sentence without a model: the sentence made self-contained, its bridge
 * target and topic, and up to two further targets.
 */

import { wordsIn } from '../../core/text/matched-words.ts';
import { contentWords, isContentWord } from '../../language/english/words/content-words.ts';
import type { Claim } from '../../models/claim-generator.ts';
import { sameTarget } from './claim-targets.ts';
import { type DocumentEntities, type Entity, nameWords } from './entities.ts';
import { verifyClaim } from './verify-claim.ts';

/** A sentence of a document and what its claim may draw on. */
export interface ClaimSource {
  readonly sentence: string;
  /** UTF-16 offset of the sentence in its document. */
  readonly start: number;
  readonly title: string;
  /** Source, day and author, as one text. */
  readonly about: string;
  readonly entities: DocumentEntities;
}

/** Most further targets of a claim. */
export const FURTHER_TARGETS = 2;

/** Weight of a word: the rarer in the corpus, the greater. */
export type WordWeight = (word: string) => number;

const PERSON = /^(["“'‘(]*)(he|she|his|her)\b(?!['’]d\b)/i;
const THING =
  /^(["“'‘(]*)(it|its|they|their|(?:the|this) (?:company|firm|startup|start-up|organi[sz]ation|group|agency|team|club))\b/i;
/** "It is clear that ..." is about nothing. */
const EMPTY_SUBJECT =
  /^\W*it(?:['’]s| is| was| will be| would be| has been)\s+(?:\p{L}+\s+){0,3}(?:that|to|when|why|how)\b/iu;
const POSSESSIVE = /^(?:his|her|its|their)$/i;

/** Writes the claim of a sentence; the same for the same sentence, document and weights. */
export function writeClaim(source: ClaimSource, weight: WordWeight): Claim {
  const { sentence, entities, start } = source;
  for (const written of [withoutPronoun(source), withMain(source)]) {
    if (written === undefined) continue;
    const { verified } = verifyClaim(written.text, source);
    if (verified) return claimOf(written.text, written.about, source, weight, true);
  }
  const about = namedIn(sentence, start, entities)[0] ?? entities.main;
  return claimOf(sentence, about, source, weight, !opensWithPronoun(sentence));
}

const opensWithPronoun = (sentence: string): boolean =>
  PERSON.test(sentence) || THING.test(sentence);

/** Returns true for a sentence that names the title's main entity and opens with no pronoun. */
const selfContained = (sentence: string, { start, entities }: ClaimSource): boolean =>
  !opensWithPronoun(sentence) &&
  namedIn(sentence, start, entities).some(({ name }) => name === entities.main?.name);

interface Written {
  readonly text: string;
  readonly about: Entity;
}

/**
 * Replaces a leading pronoun: he and she by the person named last before the sentence, it, they and
 * the company by the organisation that the document names most.
 */
function withoutPronoun({ sentence, start, entities }: ClaimSource): Written | undefined {
  if (EMPTY_SUBJECT.test(sentence)) return undefined;
  const match = PERSON.exec(sentence) ?? THING.exec(sentence);
  if (!match) return undefined;
  const [whole, opening, pronoun] = match as unknown as [string, string, string];
  const about = PERSON.test(sentence)
    ? lastBefore(entities, start)
    : entities.all.find(({ kind }) => kind === 'organisation');
  if (!about) return undefined;
  const name = POSSESSIVE.test(pronoun) ? `${about.name}’s` : about.name;
  return { text: `${opening}${name}${sentence.slice(whole.length)}`, about };
}

function lastBefore({ all }: DocumentEntities, start: number): Entity | undefined {
  let best: { readonly entity: Entity; readonly at: number } | undefined;
  for (const entity of all) {
    if (entity.kind !== 'person') continue;
    const at = entity.mentions.findLast(mention => mention < start);
    if (at !== undefined && at > (best?.at ?? -1)) best = { entity, at };
  }
  return best?.entity;
}

/** Puts the title's main entity before the sentence, unless the sentence names it. */
function withMain(source: ClaimSource): Written | undefined {
  const { sentence, entities } = source;
  const { main } = entities;
  if (!main || selfContained(sentence, source)) return undefined;
  return { text: `${main.name}: ${sentence}`, about: main };
}

/** Returns the entities that a sentence names, most mentioned in its document first. */
function namedIn(sentence: string, start: number, { all }: DocumentEntities): Entity[] {
  const end = start + sentence.length;
  return all.filter(({ mentions }) => mentions.some(at => at >= start && at < end));
}

function claimOf(
  text: string,
  about: Entity | undefined,
  { sentence, start, entities }: ClaimSource,
  weight: WordWeight,
  verified: boolean,
): Claim {
  const target = about?.name ?? '';
  const targets = namedIn(sentence, start, entities)
    .map(({ name }) => name)
    .filter(name => target === '' || !sameTarget(name, target))
    .slice(0, FURTHER_TARGETS);
  return { text, target, topic: topicOf(sentence, target, weight), targets, verified };
}

/**
 * Returns the two neighbouring content words of greatest weight that are no part of the target; the
 * heaviest word where no two stand beside each other.
 */
function topicOf(sentence: string, target: string, weight: WordWeight): string {
  const inTarget = new Set(nameWords(target));
  const words = wordsIn(sentence.toLowerCase()).map(word =>
    isContentWord(word) && !inTarget.has(word) && /^\p{L}/u.test(word) ? word : '',
  );
  let best = { text: '', weight: 0 };
  for (let at = 1; at < words.length; at++) {
    const [first, second] = [words[at - 1]!, words[at]!];
    if (first === '' || second === '' || /ly$|ed$/.test(second)) continue;
    const sum = weight(first) + weight(second);
    if (sum > best.weight) best = { text: `${first} ${second}`, weight: sum };
  }
  if (best.text !== '') return best.text;
  return [...contentWords(sentence)]
    .filter(word => !inTarget.has(word))
    .reduce((top, word) => (top === '' || weight(word) > weight(top) ? word : top), '');
}
