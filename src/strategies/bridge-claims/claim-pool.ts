/** Turns the sentences that searches find into claims, by rules. */
import { type AnalysisKind, analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Document } from '../../core/corpus/document.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import type { Call } from '../../core/trace/call.ts';
import type { SearchRef } from '../../core/trace/trace.ts';
import { stemOf } from '../../language/english/words/stems.ts';
import type { Claim } from '../../models/claim-generator.ts';
import { ClaimSpace } from '../../planning/claims/claim-space.ts';
import { type DocumentEntities, entitiesOf, nameWords } from '../../planning/claims/entities.ts';
import { isFact } from '../../planning/claims/facts.ts';
import { sourceOf } from '../../planning/claims/rule-claims.ts';
import { type ClaimSource, writeClaim } from '../../planning/claims/write-claim.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { ClaimSearches } from './claim-search.ts';
import type { SentenceInPlace } from './prompts.ts';

/** A sentence that was found, as a claim. */
export interface Candidate {
  readonly hit: Hit;
  /** The first search that found it. */
  readonly search: SearchRef;
  readonly source: ClaimSource;
  readonly place: SentenceInPlace;
  readonly fact: boolean;
  /** From the claim base; else by rules, until a model writes it. */
  claim: Claim;
}

interface Analysis {
  readonly entities: DocumentEntities;
  readonly sentences: readonly (readonly [start: number, end: number])[];
}

const ANALYSIS: AnalysisKind<Analysis> = {
  name: 'entities of claims',
  bytes: ({ entities, sentences }) =>
    24 * sentences.length +
    entities.all.reduce((sum, { mentions }) => sum + 200 + 8 * mentions.length, 0),
};

/** Sentences around one that a prompt shows, on each side. */
const AROUND = 3;

export class ClaimPool {
  /** In the order in which they were found. */
  readonly all: Candidate[] = [];
  private readonly byId = new Map<string, Candidate>();
  private readonly documents = new Map<string, Document>();
  private readonly engine: SearchEngine;
  private readonly call: Call;
  private readonly minTokens: number;

  constructor(engine: SearchEngine, call: Call, minTokens: number) {
    [this.engine, this.call, this.minTokens] = [engine, call, minTokens];
  }

  /**
   * Adds the sentences that the searches of a hop found first, with their claims where they have
   * some.
   */
  async add({ searches, claims }: ClaimSearches, hop: number): Promise<void> {
    const fresh = new Map<string, { readonly hit: Hit; readonly search: SearchRef }>();
    for (const [search, { hits }] of searches.entries())
      for (const hit of hits)
        if (!this.byId.has(hit.id) && !fresh.has(hit.id))
          fresh.set(hit.id, { hit, search: { hop, search } });
    const ids = [...new Set(Array.from(fresh.values(), ({ hit }) => hit.documentId))];
    if (ids.length === 0) return;
    for (const document of await this.engine.read('document', ids, this.call))
      this.documents.set(document.id, document);
    const found: Omit<Candidate, 'fact' | 'claim'>[] = [];
    for (const { hit, search } of fresh.values()) {
      await this.call.pause?.();
      const document = this.documents.get(hit.documentId)!;
      const analysis = this.analysis(document);
      const source = { ...sourceOf(document, hit), entities: analysis.entities };
      found.push({
        hit,
        search,
        source,
        place: placeOf(document, hit, analysis.sentences, source),
      });
    }
    const words = new ClaimSpace(found.map(({ source }) => source.sentence));
    const weight = (word: string): number => words.weight(stemOf(word));
    for (const sentence of found) {
      await this.call.pause?.();
      const claim = claims.get(sentence.hit.id);
      const fact = claim ? true : isFact(sentence.source.sentence, { minTokens: this.minTokens });
      const candidate = { ...sentence, fact, claim: claim ?? writeClaim(sentence.source, weight) };
      this.all.push(candidate);
      this.byId.set(sentence.hit.id, candidate);
    }
  }

  /** Returns true if each name has all its words in one of the documents of the sentences. */
  mentionsAll(names: readonly string[]): boolean {
    let missing = names.map(nameWords).filter(words => words.length > 0);
    for (const { title, text } of this.documents.values()) {
      if (missing.length === 0) return true;
      const read = `${title} ${text}`.toLowerCase();
      // Whole words cost more: only documents that have the letters of all of them are cut.
      const may = missing.filter(words => words.every(word => read.includes(word)));
      if (may.length === 0) continue;
      const whole = new Set(nameWords(read));
      missing = missing.filter(words => !words.every(word => whole.has(word)));
    }
    return missing.length === 0;
  }

  private analysis(document: Document): Analysis {
    return analysisOf(this.engine).of(ANALYSIS, document.id, () => {
      const sentences = sentenceSpans(document.text);
      return { sentences, entities: entitiesOf(document, sentences) };
    });
  }
}

/** Returns the sentence with three sentences on each side. */
export function placeOf(
  { text }: Document,
  { start, end }: Pick<Hit, 'start' | 'end'>,
  sentences: Analysis['sentences'],
  { sentence, title, about }: Omit<ClaimSource, 'entities'>,
): SentenceInPlace {
  const before = sentences.filter(span => span[1] <= start).slice(-AROUND);
  const after = sentences.filter(span => span[0] >= end).slice(0, AROUND);
  return {
    sentence,
    title,
    about,
    before: before.length > 0 ? text.slice(before[0]![0], start).trim() : '',
    after: after.length > 0 ? text.slice(end, after.at(-1)![1]).trim() : '',
  };
}
