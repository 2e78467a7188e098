/**
 * Tests the ranker's input: scores from 0 at the floor to 1 at the best that counts, sources, days
 * and positions.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Document } from '../../core/corpus/document.ts';
import { defaultsOf } from '../../core/naming/family.ts';
import { freeCall } from '../../core/trace/call.ts';
import type { Hop } from '../../core/trace/trace.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import type { Snapshot } from '../../search/snapshot.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../testing/hashed-embedder.ts';
import { engineOf, runOf } from '../../testing/strategy-run.ts';
import { factLanesWith } from './fact-lanes.ts';
import { FACT_LANES_PARAMETERS } from './settings.ts';
import type { LanesView } from './view.ts';

const SETTINGS = defaultsOf(FACT_LANES_PARAMETERS);

interface Seen {
  readonly view: LanesView;
  readonly hop: Hop;
  readonly hops: readonly Hop[];
}

async function seen(
  text: string,
  retriever = 'lexical',
  engine = engineOf(FIXTURE_DOCUMENTS, [hashedEmbedder()]),
): Promise<Seen> {
  let view: LanesView | undefined;
  const strategy = factLanesWith(SETTINGS, 'fact-lanes', { onRanked: told => (view = told) });
  const { trace } = await runOf(strategy, {
    question: { id: 'q', text },
    engine,
    retriever,
    context: 'whole',
  });
  return { view: view!, hop: trace.hops[0]!, hops: trace.hops };
}

/** More sentences than a search is deep. */
function demo(): Snapshot {
  const read = (name: string): string =>
    readFileSync(new URL(`../../../demo/${name}`, import.meta.url), 'utf8');
  const documents = read('corpus.jsonl')
    .trim()
    .split('\n')
    .map(line => {
      const { id, title, text, ...metadata } = JSON.parse(line) as Document &
        Record<string, string>;
      return { id, title, text, metadata } as Document;
    });
  return new EmbeddedEngine({ documents, embedders: [hashedEmbedder()] }).current;
}

/** The number of the candidate that begins so. */
const at = ({ texts }: LanesView, begins: string): number => {
  const index = texts.findIndex(({ text }) => text.startsWith(begins));
  assert.ok(index >= 0, begins);
  return index;
};

test('words: relative to the best of all if no named source matches', async () => {
  const silent = { id: 'silent', title: '', text: '', metadata: { source: 'Silent Herald' } };
  for (const retriever of ['lexical', 'hybrid(hashed)']) {
    const { view } = await seen(
      'According to the Silent Herald, which lens grinder won the Silver Prism?',
      retriever,
      engineOf([...FIXTURE_DOCUMENTS, silent], [hashedEmbedder()]),
    );
    assert.ok(view.source.every(value => value === 0));
    assert.equal(Math.max(...view.words[0]!), 1);
    assert.equal(Math.max(...view.vectors[0]!), retriever === 'lexical' ? 0 : 1);
  }
});

test('vectors: each candidate’s inner product with the lane, from 0 at the deepest hit to 1 at the best', async () => {
  const engine = demo();
  const question =
    'Which company is to replace the engines of its oldest ship, and who won this year’s Fathom Prize for microphones?';
  const { view, hop } = await seen(question, 'fused(lexical, dense(hashed))', engine);
  assert.equal(view.lanes.length, 3);
  const ids = view.found.map(({ hit }) => hit.id);
  const vectors = await engine.vectors('sentence', ids, 'hashed', freeCall());
  const queries = await engine.queryVectors('sentence', view.lanes, 'hashed', freeCall());
  for (const [lane, text] of view.lanes.entries()) {
    const cosines = vectors.map(vector =>
      vector.reduce((sum, value, index) => sum + value * queries[lane]![index]!, 0),
    );
    const floor = hop.searches
      .find(search => search.text === text && search.retriever === 'dense(hashed)')!
      .hits.at(-1)!.score;
    const best = Math.max(...cosines);
    for (const [index, cosine] of cosines.entries())
      assert.ok(
        Math.abs(view.vectors[lane]![index]! - (cosine - floor) / (best - floor)) < 1e-4,
        view.texts[index]!.text,
      );
    assert.ok(Math.abs(Math.max(...view.vectors[lane]!) - 1) < 1e-9);
  }
});

test('vectors: candidates of earlier rounds keep their products when later rounds add others', async () => {
  const engine = demo();
  const text = 'Who won this year’s Fathom Prize for microphones?';
  let view: LanesView | undefined;
  const strategy = factLanesWith(SETTINGS, 'fact-lanes', {
    hops: 2,
    onRanked: told => (view = told),
  });
  const { trace } = await runOf(strategy, {
    question: { id: 'q', text },
    engine,
    context: 'whole',
    retriever: 'fused(lexical, dense(hashed))',
  });
  assert.ok(trace.hops.length > 1);
  const { found, lanes, vectors } = view!;
  const ids = found.map(({ hit }) => hit.id);
  const rows = await engine.vectors('sentence', ids, 'hashed', freeCall());
  const [query] = await engine.queryVectors('sentence', lanes, 'hashed', freeCall());
  const cosines = rows.map(row => row.reduce((sum, value, at) => sum + value * query![at]!, 0));
  const floor = trace.hops[0]!.searches.find(
    ({ retriever }) => retriever === 'dense(hashed)',
  )!.hits.at(-1)!.score;
  const best = Math.max(...cosines);
  for (const [index, cosine] of cosines.entries()) {
    const share = Math.max(-5, (cosine - floor) / (best - floor));
    assert.ok(Math.abs(vectors[0]![index]! - share) < 1e-4, ids[index]);
  }
});

test('scores sources and days of the lane, of the question, of neither', async () => {
  const { view } = await seen(FIXTURE_QUESTIONS[1]!.text);
  assert.deepEqual(view.names.includes('Coast Courier') || view.names.length > 0, true);
  const [sold, smoke, stars] = [
    at(view, 'The lighthouse at'),
    at(view, 'The council of'),
    at(view, 'Pia Sol'),
  ];
  const ofLanes = (index: number): number[] => view.own.map(row => row[index]!);
  assert.deepEqual(ofLanes(sold), [1, 1, 0]);
  assert.deepEqual(
    [ofLanes(smoke), ofLanes(stars)],
    [
      [1, 0, 1],
      [1, 0, 1],
    ],
  );
  assert.deepEqual([view.source[sold], view.source[smoke]], [1, 1]);
  // March 5 is named for the Tarn Gazette: its own article of that day, its article of another day,
  // another source.
  const other = at(view, 'The Quill Works');
  assert.deepEqual([view.day[smoke], view.day[other], view.day[sold]], [1, -1, 0]);
  const unsigned = view.documentsOf.findIndex(({ id }) => id === 'untitled');
  assert.deepEqual(
    [view.sourceOf[unsigned], view.source[unsigned], view.day[unsigned]],
    ['', 0, 0],
  );
});

test('scores each source as half a match if none is named', async () => {
  const { view } = await seen('Who bought the old ropewalk at Harrow Point?');
  assert.ok(
    view.source.every(value => value === 0.5) &&
      view.own.every(row => row.every(value => value === 0.5)),
  );
  assert.ok(view.day.every(value => value === 0));
});

test('lists each sentence once, with the search that ranks it highest', async () => {
  const { view, hops } = await seen(FIXTURE_QUESTIONS[0]!.text, 'fused(lexical, dense(hashed))');
  const ids = view.found.map(({ hit }) => hit.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [index, { hit, search }] of view.found.entries()) {
    const places = hops.map(({ searches }) =>
      searches.map(({ unit, hits }) =>
        unit === 'sentence' ? hits.findIndex(({ id }) => id === hit.id) : -1,
      ),
    );
    const highest = Math.min(...places.flat().filter(place => place >= 0));
    assert.equal(places[search.hop]![search.search], highest);
    const document: Document = view.documentsOf[index]!;
    assert.equal(document.id, hit.documentId);
    assert.equal(view.texts[index]!.text, document.text.slice(hit.start, hit.end));
    const { text, title, header, documentId } = view.candidates[index]!;
    assert.equal(documentId, document.id);
    assert.deepEqual(
      [text.lower, title.lower],
      [view.texts[index]!.text.toLowerCase(), document.title.toLowerCase()],
    );
    assert.ok(
      header.lower.startsWith(title.lower) &&
        header.lower.includes(view.sourceOf[index]!.toLowerCase()),
    );
  }
});
