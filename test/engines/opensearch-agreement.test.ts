/**
 * OpenSearch finds what the embedded engine finds with lengths in one byte, as Lucene keeps them:
 * the same hits in the same order, with scores of 32 bits.
 */
import { testAgreement } from './agreement.ts';
import { anyCluster, NEEDS_OPENSEARCH, newIndex, OpenedEngines } from './opensearch-server.ts';
import { roundLengths } from './rounded-lengths.ts';

const QUESTIONS = Number(process.env['MULTIHOP_ENGINE_QUESTIONS'] ?? 40);

testAgreement('OpenSearch agrees with the embedded engine', {
  skip: NEEDS_OPENSEARCH,
  open: anyCluster,
  engines: url => new OpenedEngines(url),
  layouts: {
    'with one shard': server => newIndex(server, '?shards=1'),
    'with 3 shards': server => newIndex(server, '?shards=3'),
  },
  prepare: engine => roundLengths(engine.current),
  // A score is the sum of at most 100 terms of 32 bits.
  rounding: { scores: 1e-5, products: 1e-6 },
  foundBy: ({ evidence, ranking, answer, stopped, hops }) => ({
    ranking,
    answer: answer.kind,
    stopped,
    hops: hops.length,
    evidence: evidence.map(({ id }) => id),
  }),
  // A server counts an item without a term as one term.
  title: words => `a ${words}`,
  numRuns: 20,
  questions: QUESTIONS,
  // The state twice, the point in time twice, and the passages of the evidence.
  roundTrips: { beside: 5, mostOfHop: 4 },
  recallWithin: 0.5 * (200 / Math.min(200, QUESTIONS)),
  afterChanges: 0.95,
});
