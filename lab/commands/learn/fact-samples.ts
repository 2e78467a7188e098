/**
 * Asks the questions that `learn fact-reader` learns from: each under every row, under
 * rows in turn over altered corpora, from which the fact reader learns to refuse, and under the
 * first row with the evidence of another question, a control of what its answers rest on.
 */

import type { CommandContext } from '../../../src/cli/command.ts';
import type { LearnRows } from '../../../src/cli/learn-rows.ts';
import type { DataSet } from '../../../src/evaluation/example.ts';
import { factFolds } from '../../../src/evaluation/fitting/folds.ts';
import { strategyOf } from '../../../src/experiments/asker.ts';
import { takeTurns } from '../../../src/platform/clock.ts';
import { EmbeddedEngine } from '../../../src/search/embedded-engine.ts';
import { resourcesByPort } from '../../../src/session/opened-resources.ts';
import { retrieverNeeds } from '../../../src/session/retriever-needs.ts';
import { spaceEmbedder } from '../../../src/stores/disk/store-embedders.ts';
import { factSamples, swappedSamples } from '../../data/fact-reader-data.ts';
import type { FactSample } from '../../learning/fact-reader/fact-training.ts';
import { lostGold, withoutMetadata } from '../../learning/fact-reader/lost-gold.ts';
import { withModels } from './task.ts';

export interface Asked {
  /** The samples of every question under every row, in order. */
  readonly rows: readonly { readonly row: string; readonly samples: readonly FactSample[] }[];
  /** Samples of altered corpora. */
  readonly extra: readonly FactSample[];
  /** Samples of the first row with the evidence of another question. */
  readonly swapped: readonly FactSample[];
}

interface Corpus {
  readonly kind: string | undefined;
  readonly dataSet: DataSet;
}

/** Returns the corpus, and its altered forms: without gold, without metadata, without both. */
function corporaOf(dataSet: DataSet, folds: number): Corpus[] {
  const lost = lostGold(dataSet, factFolds(dataSet.examples, folds), folds);
  return [
    { kind: undefined, dataSet },
    { kind: 'without metadata', dataSet: withoutMetadata(dataSet) },
    ...lost.flatMap((set): Corpus[] => [
      { kind: 'without gold', dataSet: set },
      { kind: 'without gold and metadata', dataSet: withoutMetadata(set) },
    ]),
  ];
}

export async function askedSamples(
  context: CommandContext,
  { rows, dataSet, resources: given }: LearnRows,
  folds: number,
): Promise<Asked> {
  const { signal } = context;
  const retrievers = rows.map(({ retriever }) => retriever);
  return withModels(context, 'questions', async (models, progress) => {
    const embedders = (await models.forSearch(retrievers)).map(spaceEmbedder);
    const needs = rows.flatMap(row => strategyOf(row).needs ?? []);
    const provided = await models.forNeeds([...retrieverNeeds(retrievers), ...needs]);
    const resources = resourcesByPort([...given, ...provided]);
    const corpora = corporaOf(dataSet, folds);
    const asked = {
      rows: rows.map(row => ({ row: row.id, samples: [] as FactSample[] })),
      extra: [] as FactSample[],
      swapped: [] as FactSample[],
    };
    const total = corpora.reduce(
      (sum, { kind, dataSet: { examples } }) => sum + examples.length * (kind ? 1 : rows.length),
      0,
    );
    let count = 0;
    for (const { kind, dataSet: set } of corpora) {
      const engine = new EmbeddedEngine({ documents: set.documents, embedders }).current;
      for (const [place, row] of rows.entries()) {
        const changed = kind
          ? { ...set, examples: set.examples.filter((_, index) => index % rows.length === place) }
          : set;
        const read: Parameters<typeof swappedSamples>[0][number][] = [];
        const samples = factSamples({ engine, resources, dataSet: changed, row, signal });
        for await (const { given, ...sample } of samples) {
          if (!kind && place === 0) read.push({ ...sample, given });
          if (kind) asked.extra.push({ ...sample, extra: kind });
          else asked.rows[place]!.samples.push(sample);
          progress.update({ count: ++count, done: count, total });
          await takeTurns();
        }
        if (read.length > 0) asked.swapped.push(...(await swappedSamples(read, engine)));
      }
    }
    return asked;
  });
}
