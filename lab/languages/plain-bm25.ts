/**
 * BM25 in the plainest form over plain words and, where a script writes no spaces, plain bigrams:
 * the row that the indexes of the project are compared with. Shares nothing with them.
 */

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}/u;
/** The usual settings of BM25. */
const K1 = 1.2;
const B = 0.75;

/** Returns lower-case runs of letters and digits, and overlapping pairs of unspaced letters. */
export function plainTerms(text: string): string[] {
  return (text.normalize('NFKC').toLowerCase().match(RUN) ?? []).flatMap(run => {
    if (!UNSPACED.test(run)) return [run];
    const letters = [...run];
    if (letters.length === 1) return letters;
    return letters.slice(1).map((letter, at) => letters[at]! + letter);
  });
}

/** Returns the positions of texts by falling score, without those that share no term. */
export function plainBm25(texts: readonly string[]): (query: string) => number[] {
  const counts = texts.map(text => Map.groupBy(plainTerms(text), term => term));
  const lengths = counts.map(all => [...all.values()].reduce((sum, { length }) => sum + length, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  return query => {
    const terms = [...new Set(plainTerms(query))].map(term => {
      const found = counts.filter(all => all.has(term)).length;
      return { term, idf: Math.log(1 + (texts.length - found + 0.5) / (found + 0.5)) };
    });
    const score = (at: number): number =>
      terms.reduce((sum, { term, idf }) => {
        const tf = counts[at]!.get(term)?.length ?? 0;
        return sum + (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * lengths[at]!) / mean));
      }, 0);
    return texts
      .map((_, at) => ({ at, score: score(at) }))
      .filter(each => each.score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .map(({ at }) => at);
  };
}
