/** Three nodes of OpenSearch, one of which is ended in the middle of 200 questions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../src/core/trace/run.ts';
import type { Trace, TraceEvent } from '../../src/core/trace/trace.ts';
import { ask } from '../../src/session/verbs.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { NEEDS_OWN_OPENSEARCH, newIndex, OpenedEngines, TestCluster } from './opensearch-server.ts';

const QUESTIONS = 200;
const AT_ONCE = 4;
/** Questions that have searched once, and wait for their next search, when the node ends. */
const UNDER_WAY = 16;
/** The node that is ended, of those that the address names. */
const ENDED = 2;

const foundBy = ({ evidence, ranking, answer, stopped, hops }: Trace): unknown => ({
  evidence,
  ranking,
  answer,
  stopped,
  hops: hops.length,
});

/** Runs until the first hop has ended; the function returned runs the rest. */
async function untilFirstHop(run: Run<TraceEvent, Trace>): Promise<() => Promise<Trace>> {
  const events = run[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await events.next();
    if (done || value.type === 'hop') break;
  }
  return async () => {
    while (!(await events.next()).done);
    return run;
  };
}

test('a node that ends costs no question: answers stay equal', NEEDS_OWN_OPENSEARCH, async t => {
  const cluster = await TestCluster.start(3);
  const engines = new OpenedEngines(cluster.url);
  try {
    const others = cluster.addresses.slice(1).join(',');
    const url = newIndex(cluster.url, `?shards=3&replicas=1&nodes=${others}`);
    const engine = await engines.holding(FIXTURE_DOCUMENTS, {}, url);
    const run = (number: number): Run<TraceEvent, Trace> =>
      ask(FIXTURE_QUESTIONS[number % FIXTURE_QUESTIONS.length]!.text, {
        engine,
        strategy: 'fact-lanes',
        retriever: 'lexical(unit=sentence)',
      });
    const expected: unknown[] = [];
    for (const number of FIXTURE_QUESTIONS.keys()) expected.push(foundBy(await run(number)));
    let renewed = 0;
    let slowest = 0;
    const check = (trace: Trace, number: number): void => {
      assert.deepEqual(foundBy(trace), expected[number % expected.length], `question ${number}`);
      if (trace.snapshots === 2) renewed++;
      slowest = Math.max(slowest, trace.ms);
    };
    let asked = 0;
    const work = async (until: number): Promise<void> => {
      while (asked < until) {
        const number = asked++;
        check(await run(number), number);
      }
    };
    const workers = async (until: number): Promise<void> => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => work(until)));
    };
    await workers((QUESTIONS - UNDER_WAY) / 2);
    const underWay = await Promise.all(
      Array.from({ length: UNDER_WAY }, (_, at) => untilFirstHop(run(at))),
    );
    cluster.kill(ENDED);
    await Promise.all(underWay.map(async (rest, at) => check(await rest(), at)));
    await workers(QUESTIONS - UNDER_WAY);
    t.diagnostic(
      `${QUESTIONS} questions equal; ${renewed} went on in a second snapshot; the slowest took ${Math.round(slowest)} ms`,
    );
    assert.ok(renewed > 0, 'no question was under way on the node that ended');
  } finally {
    await engines.close().catch(() => {});
    await cluster.remove();
  }
});
