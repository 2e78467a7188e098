/** Tests which hits of a later search the passage above binds, and that they come first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeCall } from '../../core/trace/call.ts';
import { ask } from '../../index.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { retrievers } from '../../search/retrievers.ts';
import type { Kit } from '../strategy.ts';
import { boundHits } from './bridges.ts';
import { type Branch, candidatesOf, type LayerSettings } from './layers.ts';

const QUESTION = 'Where was the director of Green Harbour born?';
/** Vectors lie on a circle: the degrees of each document, and of the question. */
const DEGREES: Readonly<Record<string, number>> = {
  film: 0,
  near: 10,
  director: 25,
  part: 13,
  asked: 15,
};
const TITLES: Readonly<Record<string, string>> = {
  film: 'Green Harbour (film)',
  near: 'A Harbour at Night',
  director: 'Ilse Moor (director)',
  part: 'Ilse',
  asked: 'Green Harbour',
};
const TEXTS: Readonly<Record<string, string>> = {
  film: 'Green Harbour is a film by Ilse Moor, after a harbourmaster’s diary.',
  near: 'It is dark.',
  director: 'She was born in Lund.',
  part: 'A name.',
  asked: 'A town.',
};
const vector = (degrees: number): Float32Array =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180));

const open = (): EmbeddedEngine =>
  new EmbeddedEngine({
    documents: Object.keys(TEXTS).map(id => ({
      id,
      title: TITLES[id]!,
      text: TEXTS[id]!,
      metadata: {},
    })),
    embedders: [
      {
        id: 'circle',
        dimensions: 2,
        embed: async texts =>
          texts.map(text => {
            const id = Object.keys(TEXTS).find(each => text.includes(TEXTS[each]!));
            return vector(id === undefined ? 1 : DEGREES[id]!);
          }),
      },
    ],
  });

/** Turns each query by ten degrees, whatever the passage. */
const turning: QueryUpdater = {
  id: 'tree-hop',
  space: 'circle',
  dimensions: 2,
  update: async queries =>
    queries.map(([x, y]) => vector((Math.atan2(y!, x!) * 180) / Math.PI + 10)),
};

async function keptBy(strategy: string): Promise<string[]> {
  const trace = await ask(QUESTION, {
    engine: open().current,
    strategy,
    retriever: 'dense(circle)',
    reader: 'evidence-only',
    resources: { 'query-updater': [turning] },
  });
  return trace.evidence.map(({ documentId }) => documentId);
}

test('nothing is bound below a query that no passage led to', async () => {
  const engine = open().current;
  const retriever = retrievers.create('dense(circle)').bind(engine);
  const hits = Object.keys(TEXTS).map(id => ({ id, documentId: id, score: 1, start: 0, end: 1 }));
  const search = { retriever: 'dense(circle)', unit: 'document', hits } as const;
  const [root, below] = [
    { source: 'circle', path: 0 },
    { source: 'circle', path: 0, from: { hop: 0, search: 0, id: 'film' } },
  ];
  const kit = { engine, retriever } as unknown as Kit;
  const bound = (branches: readonly Branch[]) =>
    boundHits(
      branches,
      branches.map(() => search),
      { id: 'q', text: QUESTION },
      kit,
      freeCall(),
    );
  assert.deepEqual(await bound([root]), [new Set()]);
  assert.deepEqual(await bound([root, below]), [new Set(), new Set()]);
  assert.deepEqual(await bound([below]), [new Set(['director'])]);
});

test('bound hits come first, then all others in their order, each once and as many as k', () => {
  const hits = ['a', 'b', 'c', 'd'].map((id, at) => ({
    id,
    documentId: id,
    score: 4 - at,
    start: 0,
    end: 1,
  }));
  const search = { retriever: 'r', unit: 'document', hits } as const;
  const candidates = (bound: readonly string[], k: number) =>
    candidatesOf(
      [{ source: 'r', path: 0 }],
      [search],
      new Set(),
      { k, layer: 0, pruning: 'rank', redundancy: false } as LayerSettings,
      [new Set(bound)],
    ).map(({ hit }) => hit.id);
  assert.deepEqual(candidates([], 3), ['a', 'b', 'c']);
  assert.deepEqual(candidates(['c'], 3), ['c', 'a', 'b']);
  assert.deepEqual(candidates(['d', 'b'], 4), ['b', 'd', 'a', 'c']);
});

describe('the bridge of a chain', () => {
  test('a title that the passage above mentions comes first, and no part of it', async () =>
    assert.deepEqual(await keptBy('tree-hop(k=1, hops=2, bridge=rank)'), ['film', 'director']));
});
