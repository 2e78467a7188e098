/** Three nodes of OpenSearch, one of which is ended in the middle of 200 questions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../../src/core/trace/trace.ts';
import { ask } from '../../src/session/verbs.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { NEEDS_OWN_OPENSEARCH, newIndex, OpenedEngines, TestCluster } from './opensearch-server.ts';

const QUESTIONS = 200;
const AT_ONCE = 4;
/** The node that is ended, of those that the address names. */
const ENDED = 2;

const foundBy = ({ evidence, ranking, answer, stopped, hops }: Trace): unknown => ({
  ...{ evidence, ranking, answer, stopped, hops: hops.length },
});

test('a node that ends costs no question: answers stay equal', NEEDS_OWN_OPENSEARCH, async t => {
  const cluster = await TestCluster.start(3);
  const engines = new OpenedEngines(cluster.url);
  try {
    const others = cluster.addresses.slice(1).join(',');
    const url = newIndex(cluster.url, `?shards=3&replicas=1&nodes=${others}`);
    const engine = await engines.holding(FIXTURE_DOCUMENTS, {}, url);
    const run = (text: string): PromiseLike<Trace> =>
      ask(text, { engine, strategy: 'fact-lanes', retriever: 'lexical(unit=sentence)' });
    const expected: unknown[] = [];
    for (const { text } of FIXTURE_QUESTIONS) expected.push(foundBy(await run(text)));
    let asked = 0;
    let renewed = 0;
    let slowest = 0;
    const work = async (): Promise<void> => {
      while (asked < QUESTIONS) {
        const number = asked++;
        // Ends the node while questions are under way.
        if (number === QUESTIONS / 2) cluster.kill(ENDED);
        const at = number % FIXTURE_QUESTIONS.length;
        const trace = await run(FIXTURE_QUESTIONS[at]!.text);
        assert.deepEqual(foundBy(trace), expected[at], `question ${number}`);
        if (trace.snapshots === 2) renewed++;
        slowest = Math.max(slowest, trace.ms);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    t.diagnostic(
      `${asked} questions equal; ${renewed} went on in a second snapshot; the slowest took ${Math.round(slowest)} ms`,
    );
    assert.ok(renewed > 0, 'no question was under way on the node that ended');
  } finally {
    await engines.close().catch(() => {});
    await cluster.remove();
  }
});
