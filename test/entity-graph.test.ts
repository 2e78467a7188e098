/** Checks walks over entities and items against a power iteration over a graph built by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { EntityRecogniser, EntityTriple } from '../src/models/entity-recogniser.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { ENTITY_WALKS, type EntityWalkRequest } from '../src/search/ports/entity-walks-port.ts';

const call = freeCall();
type Sketch = readonly (readonly string[])[];

const documentOf = (id: string, sketch: Sketch): Document => ({
  id,
  title: '',
  metadata: {},
  text: sketch.map(names => `It was ${['rain', ...names].join(' saw ')}.`).join(' '),
});
const engineOf = (sketches: ReadonlyMap<string, Sketch>, chunker = 'whole'): EmbeddedEngine =>
  new EmbeddedEngine({
    chunker,
    documents: [...sketches].map(([id, sketch]) => documentOf(id, sketch)),
  });
const walksOf = (engine: EmbeddedEngine) => engine.current.port(ENTITY_WALKS)!;

/** Weights by pair of nodes: the first eight pairs of a sentence by distance, then mentions. */
function slowGraph(sketches: ReadonlyMap<string, Sketch>, through: EntityWalkRequest['through']) {
  const weights = new Map<string, Map<string, number>>();
  const join = (one: string, other: string, weight: number): void => {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const row = weights.get(a) ?? new Map<string, number>();
      weights.set(a, row.set(b, (row.get(b) ?? 0) + weight));
    }
  };
  for (const [id, sketch] of sketches)
    for (const names of sketch) {
      const pairs = names
        .flatMap((one, at) =>
          names.slice(at + 1).map((other, by) => ({ one, other, at, far: by + 1 })),
        )
        .filter(({ one, other }) => one !== other)
        .sort((a, b) => a.far - b.far || a.at - b.at);
      for (const { one, other, far } of pairs.slice(0, 8)) join(one, other, 1 / far);
      if (through === 'items')
        for (const name of new Set(names))
          if (!weights.get(name)?.has(`#${id}`)) join(name, `#${id}`, 1);
    }
  return weights;
}

function slowWalk(
  weights: ReadonlyMap<string, ReadonlyMap<string, number>>,
  seeds: ReadonlyMap<string, number>,
): Map<string, number> {
  const total = [...seeds.values()].reduce((sum, one) => sum + one, 0);
  let scores = new Map([...seeds].map(([node, weight]) => [node, weight / total]));
  for (let round = 0; round < 80; round++) {
    const next = new Map<string, number>();
    const add = (node: string, score: number): void => {
      next.set(node, (next.get(node) ?? 0) + score);
    };
    for (const [node, weight] of seeds) add(node, (0.5 * weight) / total);
    for (const [node, score] of scores) {
      const row = weights.get(node) ?? new Map<string, number>();
      const degree = [...row.values()].reduce((sum, one) => sum + one, 0);
      if (degree === 0)
        for (const [seed, weight] of seeds) add(seed, (0.5 * score * weight) / total);
      for (const [to, weight] of row) add(to, (0.5 * score * weight) / degree);
    }
    scores = next;
  }
  return scores;
}

const NAMES = ['orla', 'tamsin', 'vell', 'dunmarrow', 'reed', 'quill'];
const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
const sketches = fc
  .dictionary(
    fc.constantFrom(...'abcdef'),
    fc.array(fc.array(fc.constantFrom(...NAMES), { maxLength: 6 }), { maxLength: 4 }),
  )
  .map(given => new Map(Object.entries(given)));
const weights = fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 4 }), {
  minKeys: 1,
});

describe('a walk', () => {
  for (const through of ['entities', 'items'] as const)
    test(`through ${through} equals a power iteration`, async () => {
      await fc.assert(
        fc.asyncProperty(sketches, weights, async (given, seeds) => {
          const capitals = new Map(
            [...given].map(([id, sketch]) => [id, sketch.map(names => names.map(capital))]),
          );
          const walks = walksOf(engineOf(capitals));
          const known = new Set([...given.values()].flat(2));
          const entities = Object.entries(seeds).filter(([name]) => known.has(name));
          const found = await walks.walk(
            { unit: 'document', entities, through, damping: 0.5, k: 99 },
            call,
          );
          const scores = slowWalk(slowGraph(given, through), new Map(entities));
          const expected = [...given].flatMap(([id, sketch]): [string, number][] => {
            const names = [...new Set(sketch.flat())];
            const score =
              through === 'items'
                ? (scores.get(`#${id}`) ?? 0)
                : names.reduce((sum, name) => sum + (scores.get(name) ?? 0), 0);
            return score > 0 ? [[id, score]] : [];
          });
          assert.deepEqual(found.map(({ id }) => id).sort(), expected.map(([id]) => id).sort());
          for (const [id, score] of expected)
            assert.ok(Math.abs(found.find(hit => hit.id === id)!.score - score) < 1e-9);
        }),
        { numRuns: 60 },
      );
    });

  test('starts at items too, and ranks passages where they are cut', async () => {
    const given = new Map<string, Sketch>([
      ['a', [['Orla'], ['Reed', 'Vell']]],
      ['b', [['Vell'], ['Quill']]],
    ]);
    const engine = engineOf(given, 'sentences(per=1)');
    const [a, b] = await engine.current.parts('passage', ['a', 'b'], call);
    const found = await walksOf(engine).walk(
      { unit: 'passage', entities: [], items: [[a![1]!.id, 1]], through: 'items', k: 9 },
      call,
    );
    assert.deepEqual(
      found.map(({ id }) => id),
      [a![1]!.id, b![0]!.id],
    );
    const [orla] = await walksOf(engine).entities('passage', ['Orla'], call);
    assert.deepEqual(orla, { name: 'orla', items: 1 });
  });

  test('triples join entities instead of co-occurrence', async () => {
    const triples: EntityTriple[] = [
      { head: 'Orla', relation: 'left', tail: 'Quill' },
      { head: 'Orla', relation: 'left', tail: 'nobody of the sentences' },
    ];
    const recogniser: EntityRecogniser = {
      id: 'stated',
      recognise: async read =>
        read.map(() => ({ sentences: [['Orla', 'Reed'], ['Quill']], triples })),
    };
    const documents = [documentOf('a', [['x'], ['y']])];
    const engine = new EmbeddedEngine({ documents, recogniser, chunker: 'sentences(per=1)' });
    const walk = async (name: string) =>
      walksOf(engine).walk(
        { unit: 'passage', entities: [[name, 1]], through: 'entities', k: 9 },
        call,
      );
    assert.equal((await walk('quill')).length, 2);
    assert.equal((await walk('reed')).length, 1, 'no edge to Orla, beside whom it stands');
  });
});

test('an entity is found by its name, else by words of it in the most items', async () => {
  const given = new Map<string, Sketch>([
    ['a', [['Tamsin Reed'], ['Orla Reed']]],
    ['b', [['Orla Reed']]],
  ]);
  const walks = walksOf(engineOf(given));
  const found = await walks.entities(
    'document',
    ['Tamsin REED!', 'Reed', 'Tamsin', 'Ree', '!'],
    call,
  );
  assert.deepEqual(
    found.map(entity => entity?.name),
    ['tamsin reed', 'orla reed', 'tamsin reed', undefined, undefined],
  );
});

test('synonyms join a name and a part of it; no walk passes a hub or starts at one', async () => {
  const given = new Map<string, Sketch>([
    ['a', [['Christopher Dunmarrow', 'Vell']]],
    ['b', [['Cristopher Dunmarrow', 'Vell']]],
    ['c', [['Cristopher Dunmarrow', 'Quill']]],
    ['d', [['Reed']]],
  ]);
  const many = Array.from({ length: 60 }, (_, at) => [`p${at}`, [['Vell']]] as const);
  const few = walksOf(engineOf(given));
  const walks = walksOf(engineOf(new Map([...given, ...many])));
  const walk = async (
    name: string,
    change: Partial<EntityWalkRequest>,
    among = walks,
  ): Promise<string[]> => {
    const request = { unit: 'document', entities: [[name, 1]], through: 'items', k: 9 } as const;
    return (await among.walk({ ...request, ...change }, call)).map(({ id }) => id).sort();
  };
  // Vell stands in 62 of 64 documents.
  const hubs = 0.9;
  assert.equal((await walk('christopher dunmarrow', { k: 99 })).length, 63);
  assert.deepEqual(await walk('christopher dunmarrow', { hubs }), ['a']);
  assert.deepEqual(await walk('vell', { hubs }), []);
  assert.equal((await walk('vell', { hubs: 0.97, k: 99 })).length, 63);
  // In half of four documents a name is no hub.
  assert.deepEqual(await walk('christopher dunmarrow', { hubs: 0.1 }, few), ['a', 'b', 'c']);
  const far = new Map<string, Sketch>([
    ['a', [['Christopher Dunmarrow']]],
    ['b', [['Dunmarrow']]],
  ]);
  const joined = walksOf(engineOf(far));
  const entities = [['christopher dunmarrow', 1]] as const;
  for (const through of ['entities', 'items'] as const)
    for (const [synonyms, count] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const request = { unit: 'document', entities, through, synonyms, k: 9 } as const;
      assert.equal((await joined.walk(request, call)).length, count);
    }
});

test('bad requests are refused, before any work where they can be', async () => {
  const walks = walksOf(engineOf(new Map([['a', [['Orla']]]])));
  const request: EntityWalkRequest = { unit: 'document', entities: [], through: 'items', k: 3 };
  for (const [code, change] of [
    ['bad-k', { k: -1 }],
    ['unknown-entity', { entities: [['reed', 1]] }],
    ['unknown-id', { items: [['z', 1]] }],
    ['bad-seed', { items: [['a', 1]], through: 'entities' }],
    ['bad-seed', { entities: [['orla', -1]] }],
    ['bad-parameter', { damping: 1 }],
    ['bad-parameter', { hubs: 0 }],
    ['bad-parameter', { hubs: Number.NaN }],
  ] as const)
    await assert.rejects(walks.walk({ ...request, ...change } as EntityWalkRequest, call), {
      code,
    });
  assert.deepEqual(await walks.walk(request, call), []);
});
