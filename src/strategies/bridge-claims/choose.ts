/**
 * Chooses claims by bridge targets: several in the first hop, one for each target in the second
 * hop.
 */

import { inTurns } from '../../core/ranking/in-turns.ts';
import { wordsIn } from '../../core/text/matched-words.ts';
import { claimText } from '../../models/claim-generator.ts';
import { ClaimSpace } from '../../planning/claims/claim-space.ts';
import { sameTarget } from '../../planning/claims/claim-targets.ts';
import { nameWords } from '../../planning/claims/entities.ts';
import type { Candidate } from './claim-pool.ts';

export interface Choosing {
  readonly question: string;
  /** True: the question ranks the claims that name a target; false: the target does. */
  readonly aware: boolean;
  /** Ids of the hits of the question's own search, best first; empty if it was not searched. */
  readonly ranked: readonly string[];
  /** True: the second hop takes only claims whose own target it is. */
  readonly join: boolean;
}

/** Exceeds every similarity and nearness: claims that name a target come first. */
const NAMED = 3;

/** Ranks candidates for one target after another, each candidate taken once. */
export class ClaimChoice {
  private readonly candidates: readonly Candidate[];
  private readonly space: ClaimSpace;
  private readonly words: readonly ReadonlySet<string>[];
  private readonly toQuestion: readonly number[];
  /** True for claims that a target may take: facts, or all if there are none. */
  private readonly open: readonly boolean[];
  private readonly taken = new Set<string>();
  private readonly choosing: Choosing;

  constructor(candidates: readonly Candidate[], choosing: Choosing) {
    this.candidates = candidates;
    this.choosing = choosing;
    const texts = candidates.map(({ claim }) => claimText(claim));
    this.space = new ClaimSpace(texts);
    this.words = texts.map(text => new Set(wordsIn(text.toLowerCase())));
    this.toQuestion = this.ranking();
    const facts = candidates.some(({ fact }) => fact);
    this.open = candidates.map(({ fact }) => fact || !facts);
  }

  /**
   * Returns the nearness of each claim to the question: the retriever's order where the question
   * was searched, then that of the cosine.
   */
  private ranking(): number[] {
    const { question, ranked } = this.choosing;
    const rank = new Map(ranked.map((id, at) => [id, at]));
    return this.space.similarities(question).map((similar, at) => {
      const place = rank.get(this.candidates[at]!.hit.id);
      return place === undefined ? similar : 2 - place / ranked.length;
    });
  }

  /** Excludes claims that were chosen before. */
  exclude(chosen: Iterable<Candidate>): void {
    for (const { hit } of chosen) this.taken.add(hit.id);
  }

  /**
   * Returns up to `most` claims: an equal part for each target in turn, then the best of the rest
   * by their greatest similarity to a target.
   */
  first(targets: readonly string[], most: number): Candidate[] {
    const each = Math.floor(most / Math.max(1, targets.length));
    const scores = targets.map(target => this.scores(target));
    const chosen = scores.map(score => this.best(score, each));
    const best = this.candidates.map((_, at) => Math.max(0, ...scores.map(score => score[at]!)));
    const rest = this.best(best, most - chosen.flat().length);
    // In turn, so that each target has an early place.
    return [...inTurns(chosen, ({ hit }) => hit.id), ...rest];
  }

  /** Returns the best claim for each target that has one left. */
  second(targets: readonly string[]): Candidate[] {
    return targets.flatMap(target => {
      const scores = this.scores(target);
      const joined = this.choosing.join
        ? scores.map((score, at) =>
            sameTarget(this.candidates[at]!.claim.target, target) ? score : 0,
          )
        : scores;
      return this.best(joined, 1);
    });
  }

  /** Returns up to `most` more claims, those nearest to the question. */
  fill(most: number): Candidate[] {
    return this.best(this.toQuestion, most);
  }

  /** Returns the claims nearest to the question first; ties keep their order. */
  nearest(claims: readonly Candidate[]): Candidate[] {
    const places = new Map(this.candidates.map(({ hit }, at) => [hit.id, at]));
    const near = (claim: Candidate): number => this.toQuestion[places.get(claim.hit.id) ?? -1] ?? 0;
    return claims.toSorted((a, b) => near(b) - near(a));
  }

  /**
   * Returns the similarity of each claim to a target. Aware of the question, claims that name the
   * target come first, in the order of their similarity to the question.
   */
  private scores(target: string): number[] {
    const { aware, question } = this.choosing;
    if (aware && target === question) return [...this.toQuestion];
    const similar = this.space.similarities(target).map((score, at) => (this.open[at] ? score : 0));
    if (!aware) return similar;
    const asked = nameWords(target);
    return similar.map((score, at) => {
      if (score === 0) return 0;
      const isNamed = asked.length > 0 && asked.every(word => this.words[at]!.has(word));
      return isNamed ? NAMED + this.toQuestion[at]! : score;
    });
  }

  /** Takes up to `most` candidates of positive score that nothing took before, best first. */
  private best(scores: readonly number[], most: number): Candidate[] {
    if (most <= 0) return [];
    const order = [...this.candidates.keys()]
      .filter(at => scores[at]! > 0 && !this.taken.has(this.candidates[at]!.hit.id))
      .sort((a, b) => scores[b]! - scores[a]! || a - b)
      .slice(0, most)
      .map(at => this.candidates[at]!);
    this.exclude(order);
    return order;
  }
}
