/**
 * Entities of sentences as a derived index: for each document the entities that a recogniser finds
 * in it. Readers compute what depends on the collection: which entities count, and what they
 * connect.
 */
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import {
  type EntityRecogniser,
  type EntityTriple,
  entityName,
  type RecognisedEntities,
  recogniseChecked,
} from '../../models/entity-recogniser.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';
import { addedInBatches } from '../derived/added-in-batches.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  type DerivedSource,
  type PackedDerived,
  packText,
  unpackText,
} from '../derived/derived-index.ts';
import type { Mentions } from '../indexes/graph/mentions.ts';
import { SentencePlaces } from './sentence-places.ts';

/** Entities of one document. */
export interface DocumentEntities {
  /** By sentence: names (`entityName`), as often and in the order as they are mentioned. */
  readonly sentences: readonly (readonly string[])[];
  /** Relations that the recogniser states, between names. */
  readonly triples: readonly EntityTriple[];
}

/** By document; those without sentences included. */
export type SentenceEntities = ReadonlyMap<string, DocumentEntities>;

/** Documents in one call of a recogniser unless it states others. */
const BATCH = 64;
/** Each step copies all entities so far: more steps would make a build quadratic. */
const MOST_STEPS = 32;
const FORMAT = 'multihop-sentence-entities-1';
const KIND = 'entities';

/** The key of a recogniser's entities in a store. */
export const entitiesKey = (recogniser: string): string => `${KIND}(${recogniser}) sentence`;

export function sentenceEntities(
  recogniser: EntityRecogniser = nameRecogniser,
): DerivedIndex<SentenceEntities> {
  const { batch: calls = BATCH } = recogniser;
  // A failure loses a step: one call of a recogniser that states a batch, since its calls cost.
  const sizeOf = (added: number): number =>
    recogniser.batch ?? Math.max(calls, Math.ceil(added / MOST_STEPS));
  const add = addedInBatches<SentenceEntities>(sizeOf, async (index, step, source, call, turn) => {
    const next = new Map(index);
    for (let from = 0; from < step.length; from += calls) {
      const batch = step.slice(from, from + calls);
      const read = batch.map(document => readingOf(document, source));
      const found = await recogniseChecked(recogniser, read, call);
      for (const [at, entities] of found.entries()) next.set(batch[at]!.id, entitiesOf(entities));
      await turn();
    }
    return next;
  });
  return {
    key: entitiesKey(recogniser.id),
    empty: () => new Map(),
    add,
    remove: (index, ids) => new Map([...index].filter(([id]) => !ids.has(id))),
    check: countProblem,
    pack,
    unpack,
  };
}

const readingOf = (document: Document, source: Pick<DerivedSource, 'cut'>) => ({
  title: document.title,
  sentences: source.cut('sentence', document).map(({ text }) => text),
});

const entitiesOf = ({ sentences, triples = [] }: RecognisedEntities): DocumentEntities => ({
  sentences: sentences.map(namesOf),
  triples: triples.flatMap(namedTriple),
});

const namesOf = (mentions: readonly string[]): string[] =>
  mentions.map(entityName).filter(name => name !== '');

function namedTriple({ head, relation, tail }: EntityTriple): EntityTriple[] {
  const [from, to] = [entityName(head), entityName(tail)];
  return from === '' || to === '' ? [] : [{ head: from, relation, tail: to }];
}

function countProblem(index: SentenceEntities, source: DerivedSource): string | undefined {
  const wrong = source.documents.find(
    document =>
      index.get(document.id)?.sentences.length !== source.cut('sentence', document).length,
  );
  return wrong && `it holds names of other sentences than "${wrong.id}" has`;
}

/** Entities by key alone: by spelling they can be added, those of another recogniser removed. */
export const ENTITIES_KIND: DerivedKind<SentenceEntities> = {
  name: KIND,
  of(key) {
    const spelled = sentenceEntities();
    if (key === spelled.key) return spelled;
    const refuse = async (): Promise<never> => {
      throw new InputError('missing-recogniser', `The index "${key}" needs its recogniser`, {
        expected: 'the entity recogniser that found its entities',
        hint: 'Give it to the engine that updates the index.',
      });
    };
    return { ...spelled, key, add: refuse };
  },
};

/** The mentions of a collection, by numbers. */
export interface NumberedMentions extends Mentions {
  readonly places: SentencePlaces;
  /** By number, in the order of first mentions. */
  readonly names: readonly string[];
}

/** Numbers entities and sentences: equal for equal collections, whatever their history. */
export function numberedMentions(index: SentenceEntities): NumberedMentions {
  const places = new SentencePlaces(index.keys(), id => index.get(id)!.sentences.length);
  const numbers = new Map<string, number>();
  const ends = new Uint32Array(places.size);
  const sequence: number[] = [];
  let sentence = 0;
  for (const id of places.documents)
    for (const names of index.get(id)!.sentences) {
      for (const name of names) {
        const known = numbers.get(name);
        if (known === undefined) numbers.set(name, numbers.size);
        sequence.push(known ?? numbers.size - 1);
      }
      ends[sentence++] = sequence.length;
    }
  const names = [...numbers.keys()];
  return { places, names, entities: names.length, sequence: Uint32Array.from(sequence), ends };
}

function pack(index: SentenceEntities): PackedDerived {
  const { places, names, sequence, ends } = numberedMentions(index);
  const { documents: ids, starts } = places;
  const triples = ids.flatMap((id, document) =>
    index.get(id)!.triples.map(({ head, relation, tail }) => [document, head, relation, tail]),
  );
  return {
    header: { format: FORMAT },
    arrays: {
      ids: packText(ids),
      names: packText(names),
      triples: packText(triples),
      starts,
      ends,
      sequence,
    },
  };
}

function unpack({ header, arrays }: PackedDerived): SentenceEntities {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, String(header['format']));
  const [ids, names] = ['ids', 'names'].map(name => unpackText(arrays[name], name) as string[]);
  const { starts, ends, sequence } = arrays;
  if (
    !(starts instanceof Uint32Array && ends instanceof Uint32Array) ||
    !(sequence instanceof Uint32Array && starts.length === ids!.length + 1) ||
    starts.at(-1) !== ends.length ||
    sequence.length !== (ends.at(-1) ?? 0) ||
    sequence.some(number => number >= names!.length)
  )
    throw badIndex('entities of sentences', 'arrays that do not fit together');
  const triples = triplesByDocument(unpackText(arrays['triples'], 'triples') as StoredTriple[]);
  const index = new Map<string, DocumentEntities>();
  let at = 0;
  for (const [document, id] of ids!.entries()) {
    const sentences: string[][] = [];
    for (let sentence = starts[document]!; sentence < starts[document + 1]!; sentence++) {
      const entities: string[] = [];
      for (; at < ends[sentence]!; at++) entities.push(names![sequence[at]!]!);
      sentences.push(entities);
    }
    index.set(id, { sentences, triples: triples.get(document) ?? [] });
  }
  return index;
}

type StoredTriple = readonly [document: number, head: string, relation: string, tail: string];

function triplesByDocument(stored: readonly StoredTriple[]): Map<number, EntityTriple[]> {
  const triples = new Map<number, EntityTriple[]>();
  for (const [document, head, relation, tail] of stored) {
    const stated = triples.get(document) ?? [];
    if (stated.length === 0) triples.set(document, stated);
    stated.push({ head, relation, tail });
  }
  return triples;
}
