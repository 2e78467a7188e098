/**
 * Computes features of candidate names: their positions, the clauses that their sentences support,
 * and whether they are of the requested kind.
 */

import type { EntityName, NameMention } from '../../language/english/names/entity-names.ts';
import { looksLikePerson, singleNames } from '../../language/english/names/persons.ts';
import type { TypeName } from '../../language/english/names/types.ts';
import type { AskedQuestion } from '../../language/english/question/asked-question.ts';
import { wordStem } from '../../language/english/words/verb-forms.ts';
import { FeatureList, type Features, mean } from '../features.ts';
import type { FactReading } from './reading.ts';

export interface Candidate {
  readonly name: EntityName;
  readonly features: Features;
}

const PERSON_CUE =
  /\b(?:he|his|him|she|her|who|himself|herself|said|says|told|testified|tweeted)\b/i;
const COMPANY_CUE =
  /\b(?:company|company’s|company's|firm|its|users|customers|platform|launched|shares|employees|app|products?)\b/i;
const TEAM_CUE = /\b(?:team|season|game|win|won|lost|league|coach|defense|players?)\b/i;
const PLACE_CUE = /\b(?:in|across|country|government|president|minister|military|border)\b/;

/** Words in names of organisations in the news; its weights are fitted with this list. */
const ORGANISATION =
  /\b(?:Inc|Corp|Corporation|Company|Research|Court|Commission|University|College|Labs?|Group|Bank|League|Times|Ventures|Capital|Technologies|Association|Union|Federal|National|International|Foundation|Institute|Department|Committee|Agency|Club|Council|Ministry|Office|Police|School|Studios?|Games|Media|News|Network|Cup|Bowl|Street|Center|Centre|Act|Week|Day|Season|Conference|Division|Service|Services|Market|Board)\b/;

type Kind = 'person' | 'company' | 'team' | 'place' | 'plural' | 'other';
const KINDS: Readonly<Partial<Record<TypeName, Kind>>> = {
  person: 'person',
  organisation: 'company',
  team: 'team',
  place: 'place',
};

/**
 * Matches requests for a kind of things: "What type of establishments", "the common term for
 * entities".
 */
const KIND_OF =
  /\b(?:(?:type|kind|sort|group|class|category)s? of|(?:term|name|word) for|what are the|who are the)\s+(?:\p{Ll}+\s+)?(\p{Ll}+s)\b/iu;

export interface RequestedEntity {
  readonly kind: Kind;
  /** Stem of the noun that is asked for; empty if none is named. */
  readonly noun: string;
  /** Stems of the nouns by which the question describes other things. */
  readonly others: ReadonlySet<string>;
}

export function requestedEntity({
  text,
  kind,
  noun,
  types,
  described,
}: AskedQuestion): RequestedEntity {
  const plural = KIND_OF.exec(text.slice(0, OPENING))?.[1];
  if (plural !== undefined)
    return { kind: 'plural', noun: wordStem(plural.toLowerCase()), others: described };
  const type = kind === 'person' ? kind : types[0];
  return { kind: (type && KINDS[type]) ?? 'other', noun, others: described };
}

/** Prefix of the question that is searched for a plural kind, in UTF-16 units. */
const OPENING = 80;

/**
 * Returns the names that the question does not contain, without sources that it names, with their
 * features.
 */
export function entityCandidates(reading: FactReading, names: readonly EntityName[]): Candidate[] {
  const questionText = reading.asked.text.toLowerCase().replace(/[’']s\b/g, '');
  const questionWords = new Set(questionText.split(/[^\p{L}\p{N}&-]+/u));
  const sources = new Set(reading.asked.cited.sources.map(name => name.toLowerCase()));
  const catalogued = new Set(reading.catalogue.sources.map(name => name.toLowerCase()));
  const kind = requestedEntity(reading.asked.sought);
  const sentencesOf = sentencesByDocument(reading);
  const alone = singleNames(
    names.flatMap(({ mentions }) => mentions.map(({ written }) => written)),
  );
  return names.flatMap((name): Candidate[] => {
    const lower = name.text.toLowerCase();
    const words = lower.split(/\s+/);
    if (
      questionText.includes(lower) ||
      sources.has(lower) ||
      words.every(word => questionWords.has(word))
    )
      return [];
    const features = new FeatureList();
    placeFeatures(features, name, reading, catalogued);
    clauseFeatures(features, name, reading, sentencesOf);
    kindFeatures(features, name, kind, looksLikePerson(name.text, alone), reading);
    features.add(
      'words.inQuestion',
      words.filter(word => questionWords.has(word)).length / words.length,
    );
    return [{ name, features: features.values }];
  });
}

/** Returns the numbers of the sentences of each document. */
function sentencesByDocument({ parts, sentences }: FactReading): ReadonlyMap<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const [index, { part }] of sentences.entries()) {
    const { documentId } = parts[part]!;
    const known = numbers.get(documentId);
    if (known) known.push(index);
    else numbers.set(documentId, [index]);
  }
  return numbers;
}

const distinct = <T>(values: readonly T[]): number => new Set(values).size;

function placeFeatures(
  features: FeatureList,
  { mentions, common, text }: EntityName,
  { parts, sentences, asked: { cited: filter } }: FactReading,
  catalogued: ReadonlySet<string>,
): void {
  const documents = distinct(parts.map(({ documentId }) => documentId));
  const documentOf = ({ part }: NameMention): string => parts[part]!.documentId;
  const shown = mentions.filter(({ sentence }) => sentence !== undefined);
  features.add('documents', distinct(mentions.map(documentOf)) / documents);
  features.add('documents.several', distinct(mentions.map(documentOf)) > 1);
  features.add('documents.log', Math.log2(1 + distinct(mentions.map(documentOf))));
  features.add(
    'sentences',
    distinct(shown.map(({ sentence }) => sentence)) / Math.max(1, sentences.length),
  );
  features.add('sentences.log', Math.log2(1 + distinct(shown.map(({ sentence }) => sentence))));
  features.add(
    'titles',
    distinct(mentions.filter(({ sentence }) => sentence === undefined).map(documentOf)) / documents,
  );
  features.add('unshown', shown.length === 0);
  features.add('first', 1 / (1 + Math.min(...mentions.map(({ part }) => part))));
  const named = filter.sources.filter(source =>
    mentions.some(({ part }) => parts[part]!.source === source),
  ).length;
  if (filter.sources.length > 0) features.add('sources', named / filter.sources.length);
  features.add('isSource', catalogued.has(text.toLowerCase()));
  features.add(
    'opensOnly',
    !common && shown.length > 0 && shown.every(({ opensSentence }) => opensSentence),
  );
  features.add('opens', mean(shown.map(({ opensSentence }) => Number(opensSentence))));
  features.add('possessive', mean(shown.map(({ possessive }) => Number(possessive))));
  features.add('common', common);
  const words = text.split(/\s+/).length;
  features.add(`words.${Math.min(4, words)}`, 1);
  features.add('capitals', /^[\p{Lu}\p{N}&-]+$/u.test(text));
  features.add('digit', /\d/.test(text));
}

function clauseFeatures(
  features: FeatureList,
  { mentions }: EntityName,
  { facts, parts, sentences }: FactReading,
  sentencesOf: ReadonlyMap<string, readonly number[]>,
): void {
  const holding = [
    ...new Set(mentions.flatMap(({ sentence }) => (sentence === undefined ? [] : [sentence]))),
  ];
  const documents = new Set(mentions.map(({ part }) => parts[part]!.documentId));
  const inside = [...documents].flatMap(id => sentencesOf.get(id) ?? []);
  const best = (shares: readonly number[], among: readonly number[]): number =>
    among.reduce((most, index) => Math.max(most, shares[index]!), 0);
  const held = facts.map(({ shares }) => best(shares, holding));
  const near = facts.map(({ shares }) => best(shares, inside));
  features.add('clauses', mean(held));
  features.add('clauses.most', Math.max(0, ...held));
  features.add(
    'clauses.relative',
    mean(held.map((share, index) => (facts[index]!.share > 0 ? share / facts[index]!.share : 0))),
  );
  features.add('clauses.document', mean(near));
  features.add(
    'clauses.documentRelative',
    mean(
      near.map((share, index) =>
        facts[index]!.share > 0 ? Math.min(1, share / facts[index]!.share) : 0,
      ),
    ),
  );
  features.add(
    'clauses.best',
    mean(facts.map(({ best: at }) => Number(at !== undefined && holding.includes(at)))),
  );
  features.add(
    'clauses.bestDocument',
    mean(
      facts.map(({ best: at }) =>
        Number(at !== undefined && documents.has(parts[sentences[at]!.part]!.documentId)),
      ),
    ),
  );
  features.add(
    'clauses.neighbour',
    mean(
      facts.map(({ best: at }) =>
        Number(
          at !== undefined &&
            !holding.includes(at) &&
            holding.some(
              other => Math.abs(other - at) <= 2 && sentences[other]!.part === sentences[at]!.part,
            ),
        ),
      ),
    ),
  );
}

function kindFeatures(
  features: FeatureList,
  { mentions, common, text }: EntityName,
  requested: ReturnType<typeof requestedEntity>,
  person: boolean,
  { sentences }: FactReading,
): void {
  const beside = new Set(mentions.flatMap(({ nouns }) => nouns));
  const holding = [
    ...new Set(mentions.flatMap(({ sentence }) => (sentence === undefined ? [] : [sentence]))),
  ];
  const share = (cue: RegExp): number =>
    mean(holding.map(index => Number(cue.test(sentences[index]!.text))));
  const { kind } = requested;
  features.add('noun.beside', requested.noun !== '' && beside.has(requested.noun));
  features.add('noun.other', !beside.isDisjointFrom(requested.others));
  features.add(`${kind}:person`, person);
  features.add(`${kind}:oneWord`, !/\s/.test(text));
  features.add(`${kind}:common`, common);
  features.add(`${kind}:organisation`, ORGANISATION.test(text));
  features.add(
    `${kind}:personal`,
    mentions.some(({ personal }) => personal),
  );
  features.add(`${kind}:nameForm`, /^\p{Lu}\p{Ll}+(?:\s\p{Lu}\.)?\s\p{Lu}[\p{L}’'-]+$/u.test(text));
  features.add(`${kind}:personCue`, share(PERSON_CUE));
  features.add(`${kind}:companyCue`, share(COMPANY_CUE));
  if (kind === 'team') features.add('team:teamCue', share(TEAM_CUE));
  if (kind === 'place') features.add('place:placeCue', share(PLACE_CUE));
  features.add(`${kind}:possessive`, mean(mentions.map(({ possessive }) => Number(possessive))));
}
