/**
 * Tests tree-hop against hand-computed vectors and a slow oracle of its algorithm; its tree,
 * refusals and budgets.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { asFloats, fillF, normalised, vectorV } from '../../../test/oracles/tree-hop-oracle.ts';
import {
  type OracleHop,
  type OracleSettings,
  oracleSelect,
  oracleTree,
} from '../../../test/oracles/tree-search-oracle.ts';
import { InputError } from '../../core/errors.ts';
import { LAYER_PRUNINGS, survivors } from '../../core/ranking/layer-pruning.ts';
import { sealEvents, verifyTrace } from '../../core/trace/audit.ts';
import { freeCall } from '../../core/trace/call.ts';
import { passageTree } from '../../core/trace/passage-tree.ts';
import type { Hop, Trace, TraceEvent } from '../../core/trace/trace.ts';
import { vectorHash } from '../../core/trace/vector-hash.ts';
import type { Embedder } from '../../models/embedder.ts';
import type { QueryUpdater } from '../../models/query-updater.ts';
import { LN_EPS } from '../../models/tree-hop/parameters.ts';
import { treeHopUpdater } from '../../models/tree-hop/tree-hop-updater.ts';
import { type AskOptions, askEvents } from '../../run/ask.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { strategies } from '../strategies.ts';

const QUESTION = 'Where does it lead?';
const idOf = (row: number): string => `p${String(row).padStart(3, '0')}`;
const rowOf = (id: string): number => Number(id.slice(1));

/** Rows of vectors as documents of which each says which row it is. */
function storeOf(rows: readonly Float32Array[], question: Float32Array): EmbeddedEngine {
  const embedder: Embedder = {
    id: 'table',
    dimensions: question.length,
    embed: async texts =>
      texts.map(text => (text === QUESTION ? question : rows[rowOf(/p\d{3}/.exec(text)![0])]!)),
  };
  const documents = rows.map((_, row) => ({
    id: idOf(row),
    title: '',
    text: `Row ${idOf(row)}.`,
    metadata: {},
  }));
  return new EmbeddedEngine({ documents, embedders: [embedder] });
}

interface Asked {
  readonly events: readonly TraceEvent[];
  readonly trace: Trace;
}

async function asked(strategy: string, options: Omit<AskOptions, 'strategy'>): Promise<Asked> {
  const source = askEvents(QUESTION, { reader: 'evidence-only', ...options, strategy }, () => 0);
  const events: TraceEvent[] = [];
  for (;;) {
    const step = await source.next();
    if (step.done) return { events, trace: step.value };
    events.push(step.value);
  }
}

const nameOf = (
  { k, hops, layer, pruning, redundancy }: OracleSettings,
  variant = 'trained',
): string =>
  strategies.canonical(
    `tree-hop(k=${k}, hops=${hops}, layer=${layer}, pruning=${pruning}, redundancy=${redundancy}, variant=${variant})`,
  );

/** Returns a hop's decision on each candidate, in flat order. */
function decided(
  { searches, kept, rejected }: Hop,
  k: number,
): { id: number; score: number; parent: number; why: string }[] {
  return searches.flatMap(({ hits }, search) =>
    hits.slice(0, k).map(({ id, score }) => {
      const refusals = rejected
        .filter(item => item.search.search === search && item.id === id)
        .map(({ why }) => why);
      const keeps = kept
        .filter(item => item.search.search === search && item.id === id)
        .map(() => 'kept');
      const [why, ...others] = [...keeps, ...refusals];
      assert.ok(why !== undefined && others.length === 0, `${id} is either kept or rejected, once`);
      return { id: rowOf(id), score, parent: search, why };
    }),
  );
}

/** Returns the ids of a hop's result, as the paper's algorithm lists them. */
const listed = (hop: Hop, k: number, redundancy: boolean): number[] =>
  decided(hop, k)
    .filter(({ why }) => why === 'kept' || (!redundancy && why === 'repeated'))
    .map(({ id }) => id);

describe('survivors of a layer', () => {
  test('equals a slow selection for any scores, ties and duplicates', () => {
    const candidate = fc.record({
      id: fc.nat(4),
      score: fc.integer({ min: -3, max: 3 }),
      duplicate: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 20 }),
        fc.integer({ min: 1, max: 8 }),
        (hits, k) => {
          for (const pruning of LAYER_PRUNINGS) {
            const expected = oracleSelect(
              hits.map(({ score }) => score / 3),
              hits.map(({ duplicate }) => duplicate),
              pruning,
              k,
              hits.map(({ id }) => id),
            );
            const plain = hits.map(({ id, score, duplicate }) => ({
              id: `${id}`,
              score: score / 3,
              duplicate,
            }));
            assert.deepEqual(survivors(plain, pruning, k), expected, pruning);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the whole loop', () => {
  const shape = { d: 8, g: 16, m: 16, nMlp: 3, heads: 1 };
  const tensors = asFloats(fillF(shape));
  const scale = [...tensors.keys()].find(name => name.endsWith('update_attn_scale.weight'))!;
  tensors.set(
    scale,
    tensors.get(scale)!.map(value => value * 0.15),
  );
  const rows = Array.from({ length: 16 }, (_, i) =>
    Float32Array.from(
      normalised(
        Array.from({ length: 8 }, (_, j) => Math.sin(0.7 * j * j + 1.3 * i + 0.2 * i * j)),
      ),
    ),
  );
  const question = Float32Array.from(vectorV(8, 1.0, 0.3));
  const updater = treeHopUpdater({
    parameters: { ...shape, lnEps: LN_EPS, tensors },
    provenance: { encoder: 'table' },
  });
  const engine = storeOf(rows, question);
  const run = async (settings: Partial<OracleSettings>): Promise<number[][]> => {
    const full = {
      k: 3,
      hops: 3,
      layer: 0,
      pruning: 'rank',
      redundancy: true,
      ...settings,
    } as const;
    const { trace } = await asked(nameOf(full), {
      engine,
      resources: { 'query-updater': [updater] },
    });
    return trace.hops.map(hop => listed(hop, 3, full.redundancy));
  };
  test('rank', async () =>
    assert.deepEqual(await run({}), [
      [0, 6, 9],
      [14, 11],
      [3, 10],
    ]));
  test('without both', async () =>
    assert.deepEqual(await run({ hops: 2, pruning: 'off', redundancy: false }), [
      [0, 6, 9],
      [11, 7, 6, 14, 0, 4, 11, 0, 14],
    ]));

  test('the tree: scores, parents, survivors, why the others are none, hashes of vectors; sealed and read back', async () => {
    const { events, trace } = await asked('tree-hop(k=3, hops=3)', {
      engine,
      resources: { 'query-updater': [updater] },
    });
    const digits = (hop: number): [number, number, number][] =>
      decided(trace.hops[hop]!, 3).map(({ parent, id, score }) => [
        parent,
        id,
        Number(score.toFixed(6)),
      ]);
    assert.deepEqual(
      digits(0).map(([, , score]) => score),
      [0.899187, 0.462181, 0.358819],
    );
    assert.deepEqual(digits(1), [
      ...[
        [0, 11, 0.453178],
        [0, 7, 0.450977],
        [0, 6, 0.445663],
        [1, 14, 0.843161],
        [1, 0, 0.592618],
        [1, 4, 0.417666],
      ],
      ...[
        [2, 11, 0.716792],
        [2, 0, 0.522809],
        [2, 14, 0.458283],
      ],
    ]);
    // Candidates 3 and 8 are both passage 14, which is expanded twice and kept once.
    assert.deepEqual(
      decided(trace.hops[1]!, 3).map(({ why }) => why),
      [
        'below-top-k',
        'below-top-k',
        'duplicate',
        'kept',
        'duplicate',
        'below-top-k',
        'kept',
        'duplicate',
        'repeated',
      ],
    );
    assert.deepEqual(
      trace.hops[2]!.searches.map(({ from }) => [from!.hop, from!.search, rowOf(from!.id!)]),
      [
        [1, 1, 14],
        [1, 2, 11],
        [1, 2, 14],
      ],
    );
    const tree = passageTree(trace.hops);
    assert.deepEqual(
      tree.slice(3, 12).map(({ parent, expanded }) => [parent, expanded]),
      [0, 0, 0, 1, 1, 1, 2, 2, 2].map((parent, place) => [parent, [3, 6, 8].includes(place)]),
    );
    assert.deepEqual(
      tree
        .slice(0, 3)
        .map(({ id, parent, expanded, rejected }) => [rowOf(id), parent, expanded, rejected]),
      [0, 6, 9].map(id => [id, undefined, true, undefined]),
    );
    const [first, second] = [trace.hops[0]!.searches[0]!, trace.hops[1]!.searches[0]!];
    assert.deepEqual(
      [first.text, first.vector],
      [QUESTION, { hash: vectorHash(question), from: 'table' }],
    );
    const [h] = await updater.update([question], [rows[0]!], freeCall());
    const length = Math.hypot(...h!);
    assert.deepEqual(
      [second.text, second.vector],
      [undefined, { hash: vectorHash(h!.map(value => value / length)), from: 'tree-hop' }],
    );
    assert.deepEqual(trace.ranking.map(rowOf), [0, 6, 9, 14, 11, 3, 10]);
    assert.equal(trace.strategy, 'tree-hop(k=3, hops=3, pruning=rank)');
    assert.equal(trace.retriever, 'dense(table)');
    const hash = (text: string): string =>
      vectorHash(Float32Array.from(new TextEncoder().encode(text)));
    const verified = verifyTrace(sealEvents(events, hash, { full: true }), hash);
    assert.deepEqual(verified.ok && verified.events, events);
    const compact = verifyTrace(sealEvents(events, hash), hash);
    const hops = compact.events.flatMap(event => (event.type === 'hop' ? [event.hop] : []));
    assert.throws(() => passageTree(hops), { code: 'hits-left-out' });
  });
});

/** Moves by dyadic numbers, so that equal scores are equal to the bit. */
const turning: QueryUpdater = {
  id: 'tree-hop',
  space: 'table',
  dimensions: 4,
  update: async (queries, passages) => queries.map((q, i) => turn(q, passages[i]!)),
};
const turn = (q: Float32Array, c: Float32Array): Float32Array =>
  q.map((value, i) => value - c[i]! + c[(i + 1) % 4]! / 4);

/** Vectors of length 1 without a rounding, few enough that many rows are the same. */
const units = fc.constantFrom(
  ...[0, 1, 2, 3].flatMap(i =>
    [1, -1].map(sign => Float32Array.from([0, 1, 2, 3], j => (j === i ? sign : 0))),
  ),
  ...[0, 3, 5, 9, 12, 15].map(bits =>
    Float32Array.from([0, 1, 2, 3], j => ((bits >> j) & 1 ? -0.5 : 0.5)),
  ),
);
const anySettings: fc.Arbitrary<OracleSettings> = fc.record({
  k: fc.integer({ min: 1, max: 6 }),
  hops: fc.integer({ min: 1, max: 3 }),
  layer: fc.nat(4),
  pruning: fc.constantFrom(...LAYER_PRUNINGS),
  redundancy: fc.boolean(),
});

test('agrees with a slow oracle over random stores, with ties, duplicates, few passages and none', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(units, { maxLength: 9 }),
      units,
      anySettings,
      async (rows, question, settings) => {
        const { trace } = await asked(nameOf(settings), {
          engine: storeOf(rows, question),
          resources: { 'query-updater': [turning] },
          retriever: 'dense(table)',
        });
        const expected: OracleHop[] = oracleTree(question, rows, turn, settings);
        assert.equal(trace.hops.length, expected.length);
        for (const [index, { candidates, mask, kept, searched }] of expected.entries()) {
          const hop = trace.hops[index]!;
          const found = decided(hop, settings.k);
          assert.deepEqual(
            found.map(({ id, parent, score }) => ({ id, parent, score })),
            candidates.map(({ id, parent, score }) => ({ id, parent, score })),
          );
          assert.deepEqual(
            found.map(({ why }) => why === 'kept' || why === 'repeated'),
            mask,
          );
          assert.deepEqual(
            found.map(({ why }) => why === 'duplicate'),
            candidates.map(({ duplicate }, i) => duplicate && !mask[i]),
          );
          assert.deepEqual(listed(hop, settings.k, settings.redundancy), kept);
          if (rows.length > 0)
            assert.deepEqual(
              hop.searches.map(({ vector }) => vector!.hash),
              searched.map(vectorHash),
            );
        }
        const all = [...new Set(expected.flatMap(({ kept }) => kept))];
        assert.deepEqual(trace.ranking.map(rowOf), all);
        assert.equal(trace.spent.documents ?? 0, all.length);
        assert.equal(trace.stopped, undefined);
      },
    ),
    { numRuns: 400 },
  );
});

describe('validation of inputs', () => {
  const rows = [
    Float32Array.of(1, 0, 0, 0),
    Float32Array.of(0, 1, 0, 0),
    Float32Array.of(0, 0, 1, 0),
  ];
  const engine = storeOf(rows, rows[0]!);
  const refused = async (
    code: string,
    words: RegExp,
    options: Partial<AskOptions>,
    strategy = 'tree-hop',
  ): Promise<void> => {
    const events = askEvents(
      QUESTION,
      { engine, strategy, resources: { 'query-updater': [turning] }, ...options },
      () => 0,
    );
    await assert.rejects(
      events.next(),
      (error: unknown) =>
        InputError.is(error) &&
        error.code === code &&
        words.test(`${error.message} ${JSON.stringify(error)}`),
    );
  };
  test('refuses a retriever of another space, or of none', async () => {
    await refused('wrong-space', /"table"/, { retriever: 'dense(other)' });
    await refused('wrong-space', /no single space/, { retriever: 'lexical' });
    await refused('wrong-space', /no single space/, {
      retriever: 'fused(dense(table), dense(table))',
    });
  });
  test('refuses a model of other dimensions', async () => {
    const wide = { ...turning, dimensions: 8 };
    await assert.rejects(
      asked('tree-hop', { engine, resources: { 'query-updater': [wide] } }),
      (error: unknown) =>
        InputError.is(error) &&
        error.code === 'wrong-dimensions' &&
        /8 dimensions.*4 dimensions/s.test(JSON.stringify(error)),
    );
  });
  test('refuses a variant that the model lacks', async () => {
    await assert.rejects(
      asked('tree-hop(variant=no-q)', { engine, resources: { 'query-updater': [turning] } }),
      { code: 'unknown-variant' },
    );
  });
  test('embeds the question as the released evaluation does, not normalised', async () => {
    const raw = Float32Array.of(0.5, 2, 1, 0.25);
    const updater = { ...turning, publishedQuery: async () => raw };
    const { trace } = await asked('tree-hop(k=2, hops=2, query-pooling=mean-raw)', {
      engine,
      resources: { 'query-updater': [updater] },
    });
    const expected = oracleTree(raw, rows, turn, {
      k: 2,
      hops: 2,
      layer: 2,
      pruning: 'rank',
      redundancy: true,
    });
    assert.deepEqual(
      trace.hops.map(hop => decided(hop, 2).map(({ id, score }) => [id, score])),
      expected.map(({ candidates }) => candidates.map(({ id, score }) => [id, score])),
    );
    assert.deepEqual(trace.hops[0]!.searches[0]!.vector, {
      hash: vectorHash(raw),
      from: 'tree-hop',
    });
    // A normalised question would lead to other states.
    const unit = oracleTree(
      raw.map(value => value / Math.hypot(...raw)),
      rows,
      turn,
      { k: 2, hops: 2, layer: 2, pruning: 'rank', redundancy: true },
    );
    assert.notDeepEqual(unit[1]!.searched, expected[1]!.searched);
    const lost = asked('tree-hop(query-pooling=mean-raw)', {
      engine,
      resources: { 'query-updater': [turning] },
    });
    await assert.rejects(lost, {
      code: 'no-mean-raw',
      message: /"tree-hop" cannot embed questions itself.*query-pooling=normalised/,
    });
  });
  test('uses the requested variant', async () => {
    const asks: string[] = [];
    const ablated = (variant: string): QueryUpdater => {
      asks.push(variant);
      return turning;
    };
    await asked('tree-hop(variant=no-gate)', {
      engine,
      resources: { 'query-updater': [{ ...turning, ablated }] },
    });
    assert.deepEqual(asks, ['no-gate']);
  });
  for (const [code, bad] of Object.entries({
    'wrong-count': () => [],
    'wrong-dimensions': (queries: readonly Float32Array[]) => queries.map(() => Float32Array.of(1)),
    'not-finite': (queries: readonly Float32Array[]) =>
      queries.map(() => Float32Array.of(1, Number.NaN, 0, 0)),
    failed: () => {
      throw new RangeError('out of memory');
    },
  }))
    test(`ends the run at invalid output of the model (${code})`, async () => {
      const { trace } = await asked('tree-hop', {
        engine,
        resources: { 'query-updater': [{ ...turning, update: async queries => bad(queries) }] },
      });
      assert.ok(
        trace.stopped?.by === 'failure' &&
          trace.stopped.code === code &&
          trace.stopped.port === 'query-updater',
      );
      assert.equal(trace.evidence.length, 3);
    });
});

describe('end of a run', () => {
  const rows = Array.from({ length: 6 }, (_, row) =>
    Float32Array.from([0, 1, 2, 3], j => (j === row % 4 ? (row < 4 ? 1 : -1) : 0)),
  );
  const engine = storeOf(rows, rows[0]!);
  const options = { engine, resources: { 'query-updater': turning } };
  test('computes queries after the last hop on request only', async () => {
    let updates = 0;
    const counting: QueryUpdater = {
      ...turning,
      update(queries, passages, call) {
        updates += queries.length;
        return turning.update(queries, passages, call);
      },
    };
    const same = { ...options, resources: { 'query-updater': counting } };
    await asked('tree-hop(k=2, hops=1)', same);
    assert.equal(updates, 0);
    await asked('tree-hop(k=2, hops=1, last-update=true)', same);
    assert.equal(updates, 2);
  });
  test('ends at an empty layer, with everything kept', async () => {
    const { trace } = await asked('tree-hop(k=6, hops=9)', options);
    assert.equal(trace.hops.length, 2);
    assert.ok(trace.hops[1]!.rejected.every(({ why }) => why === 'duplicate'));
  });
});
