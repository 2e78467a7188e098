/** A plot with its caption, and what it draws. */
import type { RowResult } from '../evaluation-result.ts';

export interface LegendEntry {
  readonly index: number;
  readonly label: string;
}

/** A row with its label and its place in the legend: the same colour and number in every figure. */
export interface DrawnRow extends LegendEntry {
  readonly row: RowResult;
}

export interface Figure {
  readonly id: string;
  readonly caption: string;
  readonly svg: string;
  /** Legend of this figure, if it is not one mark a row of the key. */
  readonly legend?: readonly LegendEntry[];
  /** The legend's colours stand for measures, not for rows: no row numbers on them. */
  readonly byMeasure?: boolean;
}
