/** Scores kept rows by networks, as `spanScore` does features, with the weights in arrays. */
import type { SpanNetwork } from '../../../src/models/open-reader/span-network.ts';
import type { FeatureRow, FeatureTable } from './feature-table.ts';

type ByIndex = (readonly [sum: number, units: readonly number[]] | undefined)[];

export class RowScores {
  private readonly byIndex = new Map<SpanNetwork, ByIndex>();
  private readonly table: FeatureTable;

  constructor(table: FeatureTable) {
    this.table = table;
  }

  of(rows: readonly FeatureRow[], network: SpanNetwork): number[] {
    const weights = this.weightsOf(network);
    const { biases, outputs } = network;
    return rows.map(({ at, values }) => {
      const inputs = Float64Array.from(biases);
      let score = 0;
      for (let place = 0; place < at.length; place++) {
        const weight = weights[at[place]!];
        if (weight === undefined) continue;
        score += weight[0] * values[place]!;
        for (let unit = 0; unit < weight[1].length; unit++)
          inputs[unit]! += weight[1][unit]! * values[place]!;
      }
      for (const [unit, input] of inputs.entries()) if (input > 0) score += outputs[unit]! * input;
      return score;
    });
  }

  private weightsOf(network: SpanNetwork): ByIndex {
    const known = this.byIndex.get(network);
    // The table may have got names since.
    if (known?.length === this.table.names.length) return known;
    const weights: ByIndex = this.table.names.map(name => {
      const weight = network.weights.get(name);
      return weight && [weight.sum, weight.units];
    });
    this.byIndex.set(network, weights);
    return weights;
  }
}
