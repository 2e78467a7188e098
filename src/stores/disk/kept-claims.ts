/** The claim base that a store keeps: by rules, or by a language model. */
import type { ClaimGenerator } from '../../models/claim-generator.ts';
import { ruleClaims } from '../../planning/claims/rule-claims.ts';
import { claimsKey, storedClaims } from '../../search/claims/stored-claims.ts';
import { type ClaimsRecord, isCurrent, type Manifest } from './manifest.ts';

export interface StoreClaims {
  /** Its name in the store's record, as the user gave it: `rules`, or that of a language model. */
  readonly name: string;
  readonly generator: ClaimGenerator;
}

/** Returns what a store adds documents to its claim base by; undefined if that is not at hand. */
export const keptClaims = (
  { claims }: Manifest,
  given: StoreClaims | undefined,
): StoreClaims | undefined =>
  given ??
  (claims?.id === ruleClaims.id ? { name: claims.name, generator: ruleClaims } : undefined);

/** Returns the record of a claim base that lacks documents. */
export const behindClaims = (manifest: Manifest): ClaimsRecord | undefined => {
  const { claims, documents } = manifest;
  return claims && documents > 0 && !isCurrent(manifest, claimsKey(claims.id)) ? claims : undefined;
};

/**
 * Returns the generator of the claims that searches read; undefined if the store has no claim base,
 * or one of a model that lacks documents, which is not searched until an ingest has added them.
 */
export function searchedClaims(
  manifest: Manifest,
  given: StoreClaims | undefined,
): ClaimGenerator | undefined {
  const kept = keptClaims(manifest, given)?.generator;
  const { claims } = manifest;
  return kept ?? (claims && !behindClaims(manifest) ? storedClaims(claims.id) : undefined);
}
