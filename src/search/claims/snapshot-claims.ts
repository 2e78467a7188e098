/** Serves searches of the claims of a snapshot; their lexical index is made at its first use. */
import type { Passage } from '../../core/corpus/document.ts';
import type { Filter } from '../../core/corpus/filter.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import {
  type ClaimGenerator,
  claimText,
  type SentenceClaim,
} from '../../models/claim-generator.ts';
import { checkCount } from '../checked-search.ts';
import type { DerivedIndex } from '../derived/derived-index.ts';
import { LexicalIndex } from '../indexes/lexical/lexical-index.ts';
import { scorers } from '../indexes/lexical/scorers.ts';
import type { Claims, ClaimsRequest, FoundClaim, FoundClaims } from '../ports/claims-port.ts';
import { claimBase, type DocumentClaims } from './stored-claims.ts';

/** Claims are short: one that shares only "the" with a target is none about it. */
const BM25 = scorers.create('bm25(stop=english)');

export interface ClaimsSource {
  open<T>(index: DerivedIndex<T>, call: Call): Promise<T>;
  /** Returns the items of a document, in its order. */
  parts(unit: Unit, documentId: string): readonly Passage[];
  /** Returns the documents that pass. Throws `InputError('unknown-field')`. */
  passing(filter: Filter): ReadonlySet<string>;
}

interface Stated {
  readonly sentence: Passage;
  readonly claim: SentenceClaim;
}

export class SnapshotClaims implements Claims {
  private readonly source: ClaimsSource;
  private readonly generator: ClaimGenerator;
  private made: { readonly stated: readonly Stated[]; readonly index: LexicalIndex } | undefined;

  constructor(source: ClaimsSource, generator: ClaimGenerator) {
    [this.source, this.generator] = [source, generator];
  }

  async claims({ texts, k, filter }: ClaimsRequest, call: Call): Promise<FoundClaims> {
    call.signal.throwIfAborted();
    checkCount(k, 'The number of claims');
    const base = await this.source.open(claimBase(this.generator), call);
    const { stated, index } = (this.made ??= this.indexed(base));
    const passing = filter && this.source.passing(filter);
    const allowed =
      passing &&
      Uint8Array.from(stated, ({ sentence }) => (passing.has(sentence.documentId) ? 1 : 0));
    const queries = texts.map(text => (allowed ? { text, allowed } : { text }));
    const lists = index.search(queries, k, BM25).map(list =>
      list.map(({ item, score }): FoundClaim => {
        const { sentence, claim } = stated[item]!;
        const { id, documentId, start, end } = sentence;
        return { hit: { id, documentId, start, end, score }, claim };
      }),
    );
    return { generator: this.generator.id, lists };
  }

  private indexed(base: DocumentClaims): NonNullable<SnapshotClaims['made']> {
    const stated = [...base]
      .flatMap(([id, claims]) => {
        const sentences = this.source.parts('sentence', id);
        return claims.map((claim): Stated => ({ sentence: sentences[claim.sentence]!, claim }));
      })
      .sort((a, b) => (a.sentence.id < b.sentence.id ? -1 : 1));
    const items = stated.map(({ sentence: { id }, claim }) => {
      return { id, title: '', metadata: {}, text: claimText(claim) };
    });
    return { stated, index: LexicalIndex.build(items, BM25.analysis) };
  }
}
