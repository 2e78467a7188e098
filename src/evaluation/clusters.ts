/**
 * Assigns questions to clusters by their gold articles, for intervals that allow for questions
 * which depend on one another.
 */
import type { Example } from './example.ts';
import { goldDocuments } from './gold-evidence.ts';
import { CLUSTER_RESAMPLES, drawClusterResamples, type Resamples } from './resamples.ts';

/**
 * Returns the cluster of each question, from 0. A question joins the one of its gold articles that
 * most questions share (the id that sorts first among equals); one without gold is a cluster alone.
 *
 * Joining all questions that a chain of articles connects is no alternative: one cluster would hold
 * half of MultiHop-RAG, and a bootstrap over such clusters has no meaning.
 */
export function clustersOf(examples: readonly Example[]): Int32Array {
  const documents = examples.map(goldDocuments);
  const sharing = new Map<string, number>();
  for (const ids of documents) for (const id of ids) sharing.set(id, (sharing.get(id) ?? 0) + 1);
  const known = new Map<string, number>();
  let clusters = 0;
  return Int32Array.from(documents, ids => {
    const [most] = ids.toSorted((a, b) => sharing.get(b)! - sharing.get(a)! || (a < b ? -1 : 1));
    if (most === undefined) return clusters++;
    const cluster = known.get(most) ?? clusters++;
    known.set(most, cluster);
    return cluster;
  });
}

/** Returns resamples of clusters; undefined if every question is a cluster alone. */
export function clusterResamples(
  examples: readonly Example[],
  { resamples = CLUSTER_RESAMPLES, seed }: { resamples?: number; seed?: number } = {},
): Resamples | undefined {
  const clusters = clustersOf(examples);
  if (new Set(clusters).size === examples.length) return undefined;
  return drawClusterResamples(clusters, {
    resamples: Math.min(resamples, CLUSTER_RESAMPLES),
    seed,
  });
}
