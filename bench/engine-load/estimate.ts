/**
 * Estimates a cluster on paper from measured terms: what one node takes at several sizes is fitted
 * by a line, and a larger corpus is cut into one shard a node.
 */

/** One measured size: passages of the node, and CPU milliseconds of the server a question. */
export interface Measured {
  readonly passages: number;
  readonly serverCpu: number;
  /** Bytes of the index. */
  readonly bytes: number;
  /** CPU milliseconds of the asking process a question. */
  readonly clientCpu: number;
  readonly roundTrips: number;
}

export interface Cluster {
  readonly passages: number;
  readonly nodes: number;
  readonly coresOfNode: number;
  /** Copies of each shard beside the first. */
  readonly replicas: number;
  /** Milliseconds of one request and its answer on the network. */
  readonly networkMs: number;
}

export interface Estimate {
  /** Passages of one shard. */
  readonly shard: number;
  /** GB on the disk of a node. */
  readonly gigabytes: number;
  /** CPU milliseconds of one node a question, of all its shards that the question reads. */
  readonly nodeCpu: number;
  /** Questions a second of the whole cluster, every node busy. */
  readonly perSecond: number;
  /** Milliseconds of a question on an idle cluster, the shard read by one core. */
  readonly idleMs: number;
}

/** The line through points by least squares: value at `x`. */
export function lineAt(points: readonly (readonly [number, number])[], x: number): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(points.map(([a]) => a)), mean(points.map(([, b]) => b))];
  const top = points.reduce((sum, [a, b]) => sum + (a - mx) * (b - my), 0);
  const slope = top / points.reduce((sum, [a]) => sum + (a - mx) ** 2, 0);
  return my + slope * (x - mx);
}

/**
 * Every question reads each shard once, from one of its copies, so replicas add no work. With
 * S = passages / nodes: node CPU = a + b S, questions a second = cores / node CPU, time of an idle
 * cluster = node CPU + client CPU + trips x network.
 */
export function estimate(measured: readonly Measured[], cluster: Cluster): Estimate {
  const { passages, nodes, coresOfNode, replicas, networkMs } = cluster;
  const shard = passages / nodes;
  const largest = measured.reduce((a, b) => (b.passages > a.passages ? b : a));
  const points = measured.map(one => [one.passages, one.serverCpu] as const);
  const nodeCpu = lineAt(points, shard);
  return {
    shard,
    nodeCpu,
    perSecond: (1000 * coresOfNode) / nodeCpu,
    gigabytes: (largest.bytes / largest.passages) * shard * (1 + replicas) * 1e-9,
    idleMs: nodeCpu + largest.clientCpu + largest.roundTrips * networkMs,
  };
}
