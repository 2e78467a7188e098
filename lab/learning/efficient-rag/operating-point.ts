/** Chooses the threshold of a classifier, and measures it. */

export interface Scored {
  readonly probability: number;
  readonly label: boolean;
}

export interface OperatingPoint {
  /** Mean of the precisions at each true item, by descending probability. */
  readonly averagePrecision: number;
  readonly threshold: number;
  readonly precision: number;
  readonly recall: number;
  readonly things: number;
  readonly trueThings: number;
}

/**
 * Returns the threshold with the greatest F-beta (van Rijsbergen, Information Retrieval, 1979:
 * recall weighs beta times as much as precision), the highest among equals.
 */
export function operatingPoint(scored: readonly Scored[], beta: number): OperatingPoint {
  const sorted = [...scored].sort((a, b) => b.probability - a.probability);
  const all = sorted.filter(({ label }) => label).length;
  const square = beta * beta;
  let [hits, precisions] = [0, 0];
  let best = { f: 0, threshold: 1, precision: 0, recall: 0 };
  for (const [index, { probability, label }] of sorted.entries()) {
    if (label) precisions += ++hits / (index + 1);
    // A threshold cannot separate equal probabilities.
    if (sorted[index + 1]?.probability === probability) continue;
    const f = ((1 + square) * hits) / (index + 1 + square * all);
    if (f > best.f)
      best = { f, threshold: probability, precision: hits / (index + 1), recall: hits / all };
  }
  const { threshold, precision, recall } = best;
  return {
    averagePrecision: all === 0 ? 0 : precisions / all,
    threshold,
    precision,
    recall,
    things: scored.length,
    trueThings: all,
  };
}
