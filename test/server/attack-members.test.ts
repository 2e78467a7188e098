/** Attacks a server by every member that a request may name, with settings at their extremes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { contexts } from '../../src/context/contexts.ts';
import type { Family, Parameter } from '../../src/core/naming/family.ts';
import { openStore } from '../../src/index.ts';
import { readers } from '../../src/readers/readers.ts';
import { retrievers } from '../../src/search/retrievers.ts';
import { openServer, type StoreServer } from '../../src/server/open-server.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import { freshFolder } from '../fresh-folder.ts';
import { SHIPS, sendTo, TOKEN } from './served-store.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;
const question = 'Which ship lost its engines at Cold Bay, and who leads the Harbour Trust?';
const families = {
  strategy: strategies,
  retriever: retrievers,
  reader: readers,
  context: contexts,
};

/** The limit of every request, and what a busy machine may add. */
const LIMIT_MS = 1_000;
const GRACE_MS = 4_000;

/** Returns a name for each extreme value of each parameter. */
const extremes = ({ members }: Family<unknown>): string[] =>
  members.flatMap(({ name, parameters = [] }) => [
    name,
    ...parameters.flatMap(one => valuesOf(one).map(value => `${name}(${one.name}=${value})`)),
  ]);

function valuesOf({ type, min, max, choices }: Parameter): readonly unknown[] {
  if (type === 'flag') return [true, false];
  if (type !== 'integer' && type !== 'number') return choices ?? [`'${'x'.repeat(900)}'`];
  const finite = [min, max].filter(value => value !== undefined && Number.isFinite(value));
  return [...new Set([0, 1, -1, 1e9, ...finite])];
}

/** Puts names into each other as long as a name of a request may be. */
function nested(around: (inside: string) => string, inside: string): string {
  const next = around(inside);
  return next.length > 990 ? inside : nested(around, next);
}

describe('members with extreme settings', () => {
  let server: StoreServer;
  before(async () => {
    const folder = join(freshFolder(), 'ships.store');
    await using store = await openStore(folder);
    const copies = Array.from({ length: 10 }, (_, copy) =>
      SHIPS.map(ship => ({
        ...ship,
        id: `${ship.id}${copy}`,
        text: `${ship.text} It is ${copy}.`,
      })),
    );
    await store.ingest(copies.flat());
    const options = { budget: { ms: LIMIT_MS }, traceBytes: 100_000, env: {} };
    server = await openServer(folder, { token: TOKEN, ...options });
  });
  after(() => server.close());

  /** Sends a request, which must end in time and without a bug. */
  async function sent(path: string, body: object): Promise<void> {
    const started = performance.now();
    const response = await sendTo(server, path, { body });
    const text = await response.text();
    const took = performance.now() - started;
    const what = `${path} ${JSON.stringify(body).slice(0, 200)}`;
    assert.ok(took < LIMIT_MS + GRACE_MS, `${what}: ${took} ms`);
    assert.ok(
      [200, 400, 413, 502, 503].includes(response.status),
      `${what}: ${text.slice(0, 300)}`,
    );
  }

  for (const [field, family] of Object.entries(families))
    test(`a ${field} of any setting ends in time`, async () => {
      for (const name of extremes(family as Family<unknown>)) {
        await sent('/v1/ask', { question, [field]: name });
        if (field === 'retriever')
          await sent('/v1/search', { query: question, k: 1000, retriever: name });
      }
    });

  test('names inside each other, and questions of many clauses, end in time', async () => {
    const many = (part: string): string => nested(inside => `${inside}, ${part}`, part);
    const words = question.split(' ');
    const long = Array.from({ length: 1000 }, (_, at) => words[at % words.length]);
    for (const name of [
      nested(inside => `clauses(${inside})`, 'hybrid(none)'),
      nested(inside => `fused(${inside}, ${inside})`, 'lexical'),
      nested(inside => `clauses(max-p(${inside}))`, 'lexical'),
      `fused(${many('hybrid(none)')})`,
      'clauses(max-p(lexical, depth=1000000), depth=1000000)',
      `dense(${'x'.repeat(990)})`,
      'x'.repeat(1_000_000),
    ])
      for (const text of [
        question,
        long.join(', ').slice(0, 8192),
        long.join(' and ').slice(0, 8192),
      ]) {
        await sent('/v1/search', { query: text, k: 1000, retriever: name });
        await sent('/v1/ask', { question: text, retriever: name });
      }
  });

  test('requests leave nothing behind, whatever they name', async () => {
    const round = async (from: number): Promise<number> => {
      for (let at = from; at < from + 150; at++) {
        const retriever = `lexical(bm25(k1=${1 + at / 10_000}))`;
        const filter = `source != "${'x'.repeat(8000)}${at}"`;
        await sent('/v1/search', { query: `${question} ${at}`, retriever, filter });
        await sent('/v1/search', { query: question, retriever: `dense(toy-${at + 1})` });
        await sent('/v1/ask', { question, strategy: `hipporag2(damping=${at / 1000})` });
        await sent('/v1/ask', { question, strategy: `hipporag2(hubs=${(at + 1) / 1000})` });
      }
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    await round(0);
    const held = await round(200);
    const more = (await round(400)) - held;
    assert.ok(more < 8 * 2 ** 20, `${more} bytes more`);
  });
});
