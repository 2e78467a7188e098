/** The laws of the port `NEIGHBOURS` detect faults of an engine, and admit other labels. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../../src/core/corpus/document.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { checkRequirements } from '../../src/search/capabilities.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { type Engine, engineWith, wrapEngine } from '../../src/search/engine.ts';
import {
  type Edge,
  NEIGHBOURS,
  type Neighbours,
  type NeighboursRequest,
} from '../../src/search/ports/neighbours-port.ts';
import { servedPorts, servePort } from '../../src/search/ports.ts';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { type Law, LawBroken } from '../../src/testing/law.ts';
import { runLaws } from './run-laws.ts';

const embedded = (documents: readonly Document[]): EmbeddedEngine =>
  new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] });
const SPACES = { spaces: ['hashed'] };

/** An engine whose edges are changed on their way out. */
const changed = (change: (edges: Edge[], request: NeighboursRequest) => Edge[]): Promise<Law[]> =>
  engineLaws(async documents => {
    const inner = embedded(documents);
    return {
      put: (given, call) => inner.put(given, call),
      remove: (ids, call) => inner.remove(ids, call),
      async snapshot() {
        const wrapped = wrapEngine(await inner.snapshot(), async ({ method, args, next }) => {
          const found = await next();
          const request = args[0] as NeighboursRequest;
          return method === 'neighbours'
            ? (found as Edge[][]).map(edges => change(edges, request))
            : found;
        });
        return { ...wrapped, [Symbol.asyncDispose]: async () => {} };
      },
    };
  }, SPACES);

const FAULTS: readonly (readonly [string, RegExp, Parameters<typeof changed>[0]])[] = [
  ['edges in another order', /sorted/, edges => [...edges].reverse()],
  ['an edge that comes twice', /each once/, edges => edges.flatMap(edge => [edge, edge])],
  ['a label that is not stated', /sorted/, edges => edges.map(edge => ({ ...edge, label: 'x' }))],
  ['an edge that one end lacks', /both items/, edges => edges.slice(1)],
  [
    'other weights at one end',
    /both items/,
    edges => edges.map(edge => (edge.direction === 'in' ? { ...edge, weight: 7 } : edge)),
  ],
  [
    'a limit that counts from the end',
    /select edges/,
    (edges, { limit }) => (limit === 0 ? edges : edges.slice(0, limit)).slice(limit === 1 ? 1 : 0),
  ],
  ['links that are left out', /links between/, () => []],
];
for (const [what, name, change] of FAULTS)
  test(`${what}: a law is broken`, async () => {
    const laws = (await changed(change)).filter(law => name.test(law.name));
    assert.ok(laws.length > 0);
    for (const law of laws) await assert.rejects(law.run(), LawBroken);
  });

/** A graph as issue 19 asks for: neighbours in the order of ids, without direction, by weight. */
function rowOf(documents: readonly Document[]): Neighbours {
  const ids = documents.map(({ id }) => id).sort();
  const inner = embedded(documents).current.port(NEIGHBOURS)!;
  return {
    async neighbours(request, call) {
      const { unit, labels = ['adjacency'], directions = ['both'], limit } = request;
      // Refusals and unknown ids are those of the embedded engine.
      const known = labels.filter(label => label !== 'adjacency');
      await inner.neighbours({ ...request, labels: known }, call);
      const wanted = labels.includes('adjacency') && directions.includes('both');
      return request.ids.map(id => {
        if (!wanted || unit !== 'document') return [];
        const at = ids.indexOf(id);
        return [ids[at - 1], ids[at + 1]]
          .flatMap((to): Edge[] =>
            to === undefined ? [] : [{ to, label: 'adjacency', direction: 'both', weight: 0.5 }],
          )
          .slice(0, limit);
      });
    },
  };
}

async function adjacent(documents: readonly Document[]): Promise<Engine> {
  const inner = embedded(documents);
  return {
    put: (given, call) => inner.put(given, call),
    remove: (ids, call) => inner.remove(ids, call),
    async snapshot() {
      const snapshot = await inner.snapshot();
      const own = servedPorts([servePort(NEIGHBOURS, rowOf(snapshot.documents))]);
      const engine = engineWith(snapshot, {
        capabilities: { ...snapshot.capabilities, edges: ['adjacency'] },
        port: port => own(port) ?? snapshot.port(port),
      });
      return { ...engine, [Symbol.asyncDispose]: async () => {} };
    },
  };
}

runLaws('an engine of undirected edges', await engineLaws(adjacent, SPACES));

test('edges that an engine lacks are named before any work', async () => {
  const { current } = new EmbeddedEngine();
  checkRequirements('The strategy', { edges: ['link'], ports: [NEIGHBOURS] }, current);
  assert.throws(
    () => checkRequirements('The strategy', { edges: ['link', 'similarity'] }, current),
    { code: 'missing-capability', message: /edges "similarity"/ },
  );
  const plain = engineWith(current, { port: () => undefined });
  assert.throws(() => checkRequirements('It', { ports: [NEIGHBOURS] }, plain), {
    code: 'missing-capability',
  });
  assert.deepEqual(
    NEIGHBOURS.methods.neighbours.nothing!({ unit: 'document', ids: ['a', 'b'] }, freeCall()),
    [[], []],
  );
});
