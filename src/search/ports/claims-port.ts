/** The port of claims, which a claim base holds: sentences of documents, made self-contained. */
import type { Filter } from '../../core/corpus/filter.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Claim } from '../../models/claim-generator.ts';
import type { Port } from '../ports.ts';
import { bothFilters } from '../retriever.ts';

export interface FoundClaim {
  /** The sentence; its score is that of the claim. */
  readonly hit: Hit;
  readonly claim: Claim;
}

export interface ClaimsRequest {
  readonly texts: readonly string[];
  /** Claims are returned of documents that pass it. */
  readonly filter?: Filter;
  /** Largest number of claims, for each text. */
  readonly k: number;
}

export interface FoundClaims {
  /** Id of the generator of the claims. */
  readonly generator: string;
  /** One list a text. */
  readonly lists: readonly (readonly FoundClaim[])[];
}

export interface Claims {
  /**
   * Ranks claims by the words that their target, topic and text share with a text (BM25 without
   * stop words). Throws `InputError('bad-k' | 'unknown-field')`.
   */
  claims(request: ClaimsRequest, call: Call): Promise<FoundClaims>;
}

/** Served by an engine that has a claim base. */
export const CLAIMS: Port<Claims> = {
  name: 'claims',
  summary: 'a claim base',
  methods: {
    claims: {
      usage: ({ texts }) => ({ retrievals: texts.length }),
      nothing: ({ texts }) => ({ generator: 'none', lists: texts.map(() => []) }),
      within: (filter, [request, call]) => [
        { ...request, filter: bothFilters(filter, request.filter)! },
        call,
      ],
    },
  },
};
