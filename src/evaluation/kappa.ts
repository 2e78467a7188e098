/**
 * Agreement of two raters over the same items, and Cohen's kappa: how far it goes beyond what
 * chance would give raters with such habits.
 */

/** Counts by the word of the first rater (row) and of the second (column); a missing cell is 0. */
export interface Agreement {
  readonly bothYes: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly bothNo: number;
}

/** Share of items on which both say the same; NaN for none. */
export const observedAgreement = ({ bothYes, onlyFirst, onlySecond, bothNo }: Agreement): number =>
  (bothYes + bothNo) / (bothYes + onlyFirst + onlySecond + bothNo);

/**
 * kappa = (p_o - p_e) / (1 - p_e), p_e = sum over the words of the product of both raters' shares
 * (Cohen 1960). NaN for no items, and where both raters say one and the same word always: chance
 * explains everything then.
 */
export function cohensKappa(counts: Agreement): number {
  const { bothYes, onlyFirst, onlySecond, bothNo } = counts;
  const n = bothYes + onlyFirst + onlySecond + bothNo;
  const [first, second] = [(bothYes + onlyFirst) / n, (bothYes + onlySecond) / n];
  const chance = first * second + (1 - first) * (1 - second);
  return chance === 1 ? Number.NaN : (observedAgreement(counts) - chance) / (1 - chance);
}
