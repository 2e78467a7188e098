/** Shares and their harmonic mean, with what stands for nothing over nothing. */

/** `count / of`; undefined when there is nothing to have a share of. */
export const share = (count: number, of: number): number | undefined =>
  of === 0 ? undefined : count / of;

/** The harmonic mean of precision and recall, 0 when both are. */
export const harmonicMean = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
