/** Compares texts with claims by the cosine of IDF weights over the stems of content words. */
import { contentStems } from '../../language/english/words/stems.ts';

export class ClaimSpace {
  private readonly claims: readonly ReadonlySet<string>[];
  private readonly lengths: readonly number[];
  private readonly frequency = new Map<string, number>();

  constructor(texts: readonly string[]) {
    this.claims = texts.map(contentStems);
    for (const stems of this.claims)
      for (const stem of stems) this.frequency.set(stem, (this.frequency.get(stem) ?? 0) + 1);
    this.lengths = this.claims.map(stems => this.length(stems));
  }

  /** Returns ln(1 + n / (1 + df)) over the n texts: the weight of a stem. */
  weight(stem: string): number {
    return Math.log(1 + this.claims.length / (1 + (this.frequency.get(stem) ?? 0)));
  }

  /** Returns the cosine of a text and each claim, from 0 to 1. */
  similarities(text: string): number[] {
    const asked = contentStems(text);
    const length = this.length(asked);
    return this.claims.map((stems, at) => {
      const most = length * this.lengths[at]!;
      if (most === 0) return 0;
      let sum = 0;
      for (const stem of asked) if (stems.has(stem)) sum += this.weight(stem) ** 2;
      return sum / most;
    });
  }

  private length(stems: ReadonlySet<string>): number {
    let sum = 0;
    for (const stem of stems) sum += this.weight(stem) ** 2;
    return Math.sqrt(sum);
  }
}
