/** The claim base as a derived index: for each document the claims of its sentences. */
import { InputError } from '../../core/errors.ts';
import type { ClaimGenerator, SentenceClaim } from '../../models/claim-generator.ts';
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

/** By document; those without claims included. */
export type DocumentClaims = ReadonlyMap<string, readonly SentenceClaim[]>;

/** Documents of one step: a failure loses at most these. */
const BATCH = 64;
/** Each step copies the map: more steps would make a build quadratic. */
const MOST_STEPS = 32;
const FORMAT = 'multihop-claims-1';
const KIND = 'claims';

/** The key of a generator's claims in a store. */
export const claimsKey = (generator: string): string => `${KIND}(${generator}) sentence`;

export const isClaimsKey = (key: string): boolean => key.startsWith(`${KIND}(`);

export function claimBase(generator: ClaimGenerator): DerivedIndex<DocumentClaims> {
  return {
    key: claimsKey(generator.id),
    empty: () => new Map(),
    add: addedInBatches<DocumentClaims>(
      added => Math.max(BATCH, Math.ceil(added / MOST_STEPS)),
      async (index, batch, source, call, turn) => {
        const next = new Map(index);
        for (const document of batch) {
          const sentences = source.cut('sentence', document);
          next.set(document.id, await generator.generate(document, sentences, call));
          await turn();
        }
        return next;
      },
    ),
    remove: (index, ids) => new Map([...index].filter(([id]) => !ids.has(id))),
    check: problemOf,
    pack,
    unpack,
  };
}

/** Serves stored claims of which the generator is not at hand, and generates none. */
export const storedClaims = (id: string): ClaimGenerator => ({
  id,
  async generate() {
    throw new InputError('missing-claims', `The claims of "${id}" lack documents`, {
      expected: 'the rules or the language model that generated the others',
      hint: 'Open the store with that generator as `claims`, and ingest again.',
      remedy: { id: 'keep-claims' },
    });
  },
});

/** Claims by key alone: documents can be removed, not added. */
export const CLAIMS_KIND: DerivedKind<DocumentClaims> = {
  name: KIND,
  of: key => ({ ...claimBase(storedClaims(key)), key }),
};

function problemOf(index: DocumentClaims, { documents, cut }: DerivedSource): string | undefined {
  const wrong = documents.find(document => {
    const last = index.get(document.id)?.at(-1);
    return last !== undefined && last.sentence >= cut('sentence', document).length;
  });
  return wrong && `it holds claims of other sentences than "${wrong.id}" has`;
}

type Packed = readonly (readonly [id: string, claims: readonly PackedClaim[]])[];
type PackedClaim = readonly [
  sentence: number,
  text: string,
  target: string,
  topic: string,
  targets: readonly string[],
  verified: boolean,
];

function pack(index: DocumentClaims): PackedDerived {
  const claims: Packed = [...index]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, list]) => [
      id,
      list.map(
        ({ sentence, text, target, topic, targets, verified }) =>
          [sentence, text, target, topic, targets, verified] as const,
      ),
    ]);
  return { header: { format: FORMAT }, arrays: { claims: packText(claims) } };
}

function unpack({ header, arrays }: PackedDerived): DocumentClaims {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, String(header['format']));
  const claims = unpackText(arrays['claims'], 'claims');
  if (!isListOf(claims, isEntry)) throw badIndex('claims by document', 'other lists');
  return new Map(
    (claims as unknown as Packed).map(([id, list]) => [
      id,
      list.map(([sentence, text, target, topic, targets, verified]) => {
        return { sentence, text, target, topic, targets, verified };
      }),
    ]),
  );
}

const isListOf = (value: unknown, holds: (part: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(holds);

const isText = (value: unknown): boolean => typeof value === 'string';

const isEntry = (entry: unknown): boolean =>
  Array.isArray(entry) && isText(entry[0]) && isListOf(entry[1], isClaim);

function isClaim(claim: unknown): boolean {
  if (!Array.isArray(claim) || claim.length !== 6) return false;
  const [sentence, text, target, topic, targets] = claim;
  const isPlace = Number.isSafeInteger(sentence) && sentence >= 0;
  return isPlace && [text, target, topic].every(isText) && isListOf(targets, isText);
}
