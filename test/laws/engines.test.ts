/** The embedded engine keeps the laws of engines, with every chunker; so do engines of less. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../../src/core/corpus/document.ts';
import { defined } from '../../src/core/defined.ts';
import {
  type Capabilities,
  checkRequirements,
  filterOperations,
} from '../../src/search/capabilities.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { type Engine, engineWith, type SearchRequest } from '../../src/search/engine.ts';
import { engineLaws } from '../../src/testing/engine-laws.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import { approximateEngine } from './approximate-engine.ts';
import { runLaws } from './run-laws.ts';

for (const chunker of ['whole', 'sentences', 'tokens', 'tokens(size=20, overlap=6)']) {
  runLaws(
    `embedded engine, ${chunker}`,
    await engineLaws(
      async documents => new EmbeddedEngine({ documents, chunker, embedders: [hashedEmbedder()] }),
      { scorers: ['bm25', 'bm25(k1=0.9, b=0.4, stop=english)', 's1'], spaces: ['hashed'] },
    ),
  );
}

runLaws(
  'embedded engine, approximate vectors',
  await engineLaws(
    async documents => approximateEngine(documents, { leaders: 8, probes: 3, least: 2.5 }),
    { spaces: ['hashed'], recall: 0.8 },
  ),
);

const WORDS: Capabilities = {
  units: ['document', 'passage'],
  filters: ['eq', 'and'],
  scorers: ['s1'],
};

/** Words alone, one fixed scorer, two units, few filters: it refuses the rest. */
async function plainEngine(documents: readonly Document[]): Promise<Engine> {
  const inner = new EmbeddedEngine({ documents });
  const refuse = ({ unit, scorer, space, queries }: SearchRequest): void =>
    checkRequirements(
      'The search',
      defined({
        units: [unit],
        filters: queries.flatMap(({ filter }) => (filter ? filterOperations(filter) : [])),
        scorer,
        vectorSearch: space === undefined ? undefined : ('any' as const),
      }),
      { capabilities: WORDS, port: () => undefined },
    );
  return {
    put: (given, call) => inner.put(given, call),
    remove: (ids, call) => inner.remove(ids, call),
    async snapshot() {
      const snapshot = await inner.snapshot();
      const plain = engineWith(snapshot, {
        capabilities: WORDS,
        port: () => undefined,
        search: async (request, call) => {
          refuse(request);
          return snapshot.search({ ...request, scorer: 's1' }, call);
        },
      });
      return { ...plain, [Symbol.asyncDispose]: async () => {} };
    },
  };
}

runLaws('an engine of words alone', await engineLaws(plainEngine));

test('an engine without vectors, explanations or any scorer has no laws of them', async () => {
  const all = await engineLaws(
    async documents => new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] }),
    { spaces: ['hashed'] },
  );
  const names = (await engineLaws(plainEngine)).map(({ name }) => name);
  assert.ok(names.length >= 15 && names.length < all.length - 10, `${names.length} laws`);
  assert.ok(!names.some(name => /vector|space|explain|BM25/.test(name)), names.join('; '));
});

test('an engine with vectors is not judged without a space', async () => {
  await assert.rejects(
    engineLaws(async documents => new EmbeddedEngine({ documents })),
    { code: 'no-spaces' },
  );
});
