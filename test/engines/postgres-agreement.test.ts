/** PostgreSQL finds what the embedded engine finds, with the same scores, to the bit. */
import { testAgreement } from './agreement.ts';
import { anyServer, NEEDS_POSTGRES, newSchema, OpenedEngines } from './postgres-server.ts';

testAgreement('PostgreSQL agrees with the embedded engine', {
  skip: NEEDS_POSTGRES,
  open: anyServer,
  engines: url => new OpenedEngines(url),
  layouts: { 'whether or not common terms are left for last': newSchema },
  rounding: { scores: 0, products: 0 },
  foundBy: ({ hops, evidence, ranking, answer, stopped }) =>
    structuredClone({
      evidence,
      ranking,
      answer,
      stopped,
      hops: hops.map(({ spent: _, ...hop }) => hop),
    }),
  numRuns: 30,
  questions: Number(process.env['MULTIHOP_ENGINE_QUESTIONS'] ?? 16),
  roundTrips: { beside: 0, mostOfHop: 15 },
  recallWithin: 0,
  afterChanges: 1,
});
