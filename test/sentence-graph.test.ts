/**
 * Checks the graph of sentences against a slow builder that looks at all pairs: after any additions
 * and removals, and that only what is asked for is computed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { EntityRecogniser } from '../src/models/entity-recogniser.ts';
import type { DerivedIndex } from '../src/search/derived/derived-index.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { nearestSentences } from '../src/search/graphs/nearest-sentences.ts';
import { sentenceEntities } from '../src/search/graphs/sentence-entities.ts';
import { type Edge, NEIGHBOURS } from '../src/search/ports/neighbours-port.ts';
import type { Snapshot } from '../src/search/snapshot.ts';
import { textTemplates } from '../src/search/vectors/text-templates.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';

const call = freeCall();
const template = textTemplates.create('header');
const SPACE = 'toy';
const SEMANTIC = `semantic(${SPACE})`;
const NAMES = ['Orla', 'Tamsin', 'Vell', 'Dunmarrow', 'Reed', 'Ferry Hill', 'Quill'];

/** Names that a sentence mentions, of the sentences of a document. */
type Sketch = readonly (readonly string[])[];

const documentOf = (id: string, sketch: Sketch): Document => ({
  id,
  title: '',
  metadata: {},
  text: sketch.map(names => `It was ${['rain', ...names].join(' saw ')}.`).join(' '),
});

const edgeKey = ({ label, to, weight }: Edge): string => `${label} ${to} ${weight}`;

/** The edges of every sentence, sorted. */
async function edgesOf(snapshot: Snapshot, labels: readonly string[]): Promise<string[][]> {
  const documents = snapshot.documents.map(({ id }) => id);
  const ids = (await snapshot.parts('sentence', documents, call)).flat().map(({ id }) => id);
  const lists = await snapshot
    .port(NEIGHBOURS)!
    .neighbours({ unit: 'sentence', ids, labels }, call);
  return ids.map((id, at) => [id, ...lists[at]!.map(edgeKey).sort()]);
}

interface Sentence {
  readonly id: string;
  readonly document: string;
  readonly place: number;
  readonly names: readonly string[];
  readonly vector: Float32Array;
}

async function sentencesOf(sketches: ReadonlyMap<string, Sketch>): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for (const [id, sketch] of [...sketches].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { current } = new EmbeddedEngine({ documents: [documentOf(id, sketch)] });
    const [parts] = await current.parts('sentence', [id], call);
    assert.equal(parts!.length, sketch.length);
    for (const [place, part] of parts!.entries()) {
      const texts = [template.passage(documentOf(id, sketch), part)];
      const [vector] = await hashedEmbedder(SPACE, 8).embed(texts, 'passage', call);
      const names = sketch[place]!.map(name => name.toLowerCase());
      sentences.push({ id: part.id, document: id, place, names, vector: vector! });
    }
  }
  return sentences;
}

/** In the order of additions of every search. */
function similarity({ vector: a }: Sentence, { vector: b }: Sentence): number {
  const sums = [0, 0, 0, 0];
  for (const [at, value] of a.entries()) sums[at % 4]! += value * b[at]!;
  return sums[0]! + sums[1]! + (sums[2]! + sums[3]!);
}

/** BM25 of one entity as the query, over sentences as lists of entities; the mean. */
function importance(entity: string, all: readonly Sentence[]): number {
  const total = all.reduce((sum, { names }) => sum + names.length, 0);
  const scores = all.map(({ names }) => {
    const often = names.filter(name => name === entity).length;
    return (often * 2.5) / (often + 1.5 * (0.25 + (0.75 * names.length * all.length) / total));
  });
  return (idf(entity, all) * scores.reduce((sum, one) => sum + one, 0)) / all.length;
}

const holding = (entity: string, all: readonly Sentence[]): number =>
  all.filter(({ names }) => names.includes(entity)).length;
const rawIdf = (entity: string, all: readonly Sentence[]): number =>
  Math.log(all.length - holding(entity, all) + 0.5) - Math.log(holding(entity, all) + 0.5);

function idf(entity: string, all: readonly Sentence[]): number {
  const entities = [...new Set(all.flatMap(({ names }) => names))];
  const mean = entities.reduce((sum, one) => sum + rawIdf(one, all), 0) / entities.length;
  return rawIdf(entity, all) < 0 ? 0.25 * mean : rawIdf(entity, all);
}

function keysOf(all: readonly Sentence[]): string[] {
  const entities = [...new Set(all.flatMap(({ names }) => names))];
  const by = new Map(entities.map(entity => [entity, importance(entity, all)]));
  const sorted = [...by.values()].sort((a, b) => b - a);
  const least = sorted[Math.ceil(0.6 * entities.length) - 1]!;
  // The same sums in another order differ in their last bits.
  return entities.filter(entity => by.get(entity)! >= least - 1e-12);
}

/** All pairs of sentences, and everything that joins them. */
function slowly(all: readonly Sentence[]): string[][] {
  const keys = keysOf(all);
  const nearest = new Map(
    all.map(one => [
      one.id,
      all
        .filter(other => other !== one && similarity(one, other) > 0)
        .sort((a, b) => similarity(one, b) - similarity(one, a) || all.indexOf(a) - all.indexOf(b))
        .slice(0, 10)
        .map(({ id }) => id),
    ]),
  );
  return all.map(one => [one.id, ...all.flatMap(other => joined(one, other)).sort()]);

  function joined(one: Sentence, other: Sentence): string[] {
    if (one === other) return [];
    const edges: string[] = [];
    const edge = (label: string, weight: number): void => {
      edges.push(edgeKey({ to: other.id, label, direction: 'both', weight }));
    };
    const far = Math.abs(one.place - other.place);
    if (one.document === other.document && far <= 3) edge('adjacent', 1 / (1 + far));
    if (nearest.get(one.id)!.includes(other.id) || nearest.get(other.id)!.includes(one.id))
      edge(SEMANTIC, similarity(one, other));
    const order = [...new Set(all.flatMap(({ names }) => names))];
    const shared = order.filter(
      name => keys.includes(name) && one.names.includes(name) && other.names.includes(name),
    );
    const rarity = (name: string): number =>
      Math.log(1 + (all.length - holding(name, all) + 0.5) / (holding(name, all) + 0.5));
    if (shared.length > 0)
      edge(
        'entity',
        shared.reduce((sum, name) => sum + rarity(name), 0),
      );
    return edges;
  }
}

const sketch = fc.array(fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }), { maxLength: 6 });
const write = fc.record({ id: fc.constantFrom(...'abcdefgh'), sketch: fc.option(sketch) });
/** The inverse frequencies of its names sum to 0 but for rounding. */
const CANCELLING = [
  ['Tamsin', 'Orla', 'Quill'],
  ['Quill', 'Dunmarrow', 'Orla'],
  ['Tamsin', 'Orla'],
  ['Reed', 'Quill', 'Ferry Hill', 'Tamsin'],
];
const LABELS = ['adjacent', 'entity', SEMANTIC];

test('any order of additions, changes and removals gives the edges of all pairs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 14 }), async writes => {
      const engine = new EmbeddedEngine({ embedders: [hashedEmbedder(SPACE, 8)] });
      const there = new Map<string, Sketch>();
      for (const [at, { id, sketch }] of writes.entries()) {
        if (sketch) {
          await engine.put([documentOf(id, sketch)], call);
          there.set(id, sketch);
        } else if (there.delete(id)) await engine.remove([id], call);
        // Indexes are opened after some writes only, and then follow several.
        if (at % 3 === 0) await edgesOf(engine.current, LABELS);
      }
      const found = await edgesOf(engine.current, LABELS);
      assert.deepEqual(found, slowly(await sentencesOf(there)));
    }),
    { numRuns: 60, examples: [[[{ id: 'a', sketch: CANCELLING }]]] },
  );
});

describe('only what is asked for', () => {
  const documents = [documentOf('a', [['Orla'], ['Reed'], ['Orla', 'Reed']])];
  const counting = () => {
    const seen: string[] = [];
    const recogniser: EntityRecogniser = {
      id: 'counted',
      async recognise(read) {
        seen.push(...read.flatMap(({ sentences }) => sentences));
        return read.map(({ sentences }) => ({ sentences: sentences.map(() => ['The Ship!']) }));
      },
    };
    const embedder = hashedEmbedder(SPACE, 8);
    const engine = new EmbeddedEngine({ documents, recogniser, embedders: [embedder] });
    return { seen, embedder, snapshot: engine.current };
  };

  test('adjacency needs no model, entities no vectors, vectors no entities', async () => {
    const { seen, embedder, snapshot } = counting();
    await edgesOf(snapshot, ['adjacent', 'link']);
    assert.deepEqual([seen.length, embedder.calls.length], [0, 0]);
    await edgesOf(snapshot, ['entity']);
    assert.deepEqual([seen.length, embedder.calls.length], [3, 0]);
    await edgesOf(snapshot, ['entity', SEMANTIC]);
    assert.deepEqual([seen.length, embedder.calls.length], [3, 1]);
    assert.deepEqual((await edgesOf(snapshot, ['entity']))[0]!.length, 3, 'two edges of its own');
  });

  test('an engine without vectors states no edges of similarity', async () => {
    const { current } = new EmbeddedEngine({ documents });
    assert.deepEqual(current.capabilities.edges, ['link', 'adjacent', 'entity']);
    await assert.rejects(edgesOf(current, [SEMANTIC]), { code: 'unknown-label' });
    const edges = counting().snapshot.capabilities.edges;
    assert.deepEqual(edges, ['link', 'adjacent', 'entity', SEMANTIC]);
  });

  test('a request without labels embeds nothing', async () => {
    const embedder = { ...hashedEmbedder(SPACE, 8), embed: () => assert.fail('embedded') };
    const engine = new EmbeddedEngine({ documents, chunker: 'sentences' });
    const [parts] = await engine.current.parts('sentence', ['a'], call);
    const ids = [parts![0]!.id];
    const wanted = await engine.current
      .port(NEIGHBOURS)!
      .neighbours({ unit: 'sentence', ids }, call);
    assert.ok(wanted[0]!.length > 0);
    const { corpus } = engine.current;
    const other = new EmbeddedEngine({ corpus, chunker: 'sentences', embedders: [embedder] })
      .current;
    const read = await other.port(NEIGHBOURS)!.neighbours({ unit: 'sentence', ids }, call);
    assert.deepEqual(read, wanted);
  });

  test('an unknown label is refused', async () => {
    const { current } = new EmbeddedEngine({ documents });
    await assert.rejects(edgesOf(current, ['semantic(nope)']), { code: 'unknown-label' });
  });

  test('sentences alone have these edges', async () => {
    const { snapshot } = counting();
    const request = { unit: 'document', ids: ['a'] } as const;
    assert.deepEqual(await snapshot.port(NEIGHBOURS)!.neighbours(request, call), [[]]);
  });
});

test('a long build gives turns, and ends at an abort between them', async () => {
  const documents = [...'abcdefgh'].map(id =>
    documentOf(
      id,
      NAMES.map(name => [name]),
    ),
  );
  const { derivedSource } = new EmbeddedEngine({ documents }).current;
  const nearest = nearestSentences(hashedEmbedder(SPACE, 8), template);
  for (const index of [sentenceEntities(), nearest] as DerivedIndex[]) {
    let turns = 0;
    const abort = new AbortController();
    const added = (ends: boolean): Promise<unknown> =>
      index.add(
        index.empty(),
        documents,
        derivedSource,
        freeCall(abort.signal),
        undefined,
        async () => {
          turns += 1;
          if (ends) abort.abort(new Error('enough'));
        },
      );
    await added(false);
    assert.ok(turns > 0, index.key);
    // Entities of so few documents are found in one step, which is whole before the turn.
    if (index.key === nearest.key) await assert.rejects(added(true), /enough/);
  }
});
