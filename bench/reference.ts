/**
 * Reference BM25 (k1 1.5, b 0.75, Lucene idf, unique query terms, float64) over maps, and the
 * agreement of a ranking with it.
 */
import { tokens } from './corpora.ts';

export class Reference {
  private readonly postings = new Map<string, { item: number; tf: number }[]>();
  private readonly lengths: number[] = [];
  private readonly average: number;

  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      const item = this.lengths.length;
      const list = tokens(text);
      this.lengths.push(list.length);
      const counts = new Map<string, number>();
      for (const token of list) counts.set(token, (counts.get(token) ?? 0) + 1);
      for (const [token, tf] of counts) {
        const postings = this.postings.get(token);
        if (postings) postings.push({ item, tf });
        else this.postings.set(token, [{ item, tf }]);
      }
    }
    this.average = this.lengths.reduce((sum, length) => sum + length, 0) / this.lengths.length;
  }

  scores(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const token of new Set(tokens(query))) {
      const postings = this.postings.get(token) ?? [];
      const idf = Math.log(
        1 + (this.lengths.length - postings.length + 0.5) / (postings.length + 0.5),
      );
      for (const { item, tf } of postings) {
        const score =
          idf * ((tf * 2.5) / (tf + 1.5 * (0.25 + (0.75 * this.lengths[item]!) / this.average)));
        scores.set(item, (scores.get(item) ?? 0) + score);
      }
    }
    return scores;
  }

  /**
   * The share of the reference's best k that the ranking holds, where any item that ties with the
   * k-th counts (relative tolerance 1e-9).
   */
  agreement(query: string, ranking: readonly number[], k: number): number {
    const scores = this.scores(query);
    const sorted = [...scores.values()].sort((a, b) => b - a);
    const wanted = Math.min(k, sorted.length);
    if (wanted === 0) return ranking.length === 0 ? 1 : 0;
    const last = sorted[wanted - 1]! * (1 - 1e-9);
    return (
      new Set(ranking.slice(0, k).filter(item => (scores.get(item) ?? 0) >= last)).size / wanted
    );
  }
}
