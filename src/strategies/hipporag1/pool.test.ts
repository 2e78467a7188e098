/** Tests the merge of rankings of hipporag1 against hand-worked numbers and slow, obvious code. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Ranking } from '../../core/ranking/ranking.ts';
import type { Search } from '../../core/trace/trace.ts';
import { RankingPool } from './pool.ts';

type Scored = Readonly<Record<string, number>>;

const hitsOf = (scores: Scored): Ranking =>
  Object.entries(scores).map(([id, score]) => ({ id, documentId: id, start: 0, end: 1, score }));
const searchOf = (scores: Scored): Search => ({
  text: '',
  retriever: 'any',
  unit: 'document',
  hits: hitsOf(scores),
});
const placed = (scores: Scored, hop: number) => ({
  search: searchOf(scores),
  ref: { hop, search: 0 },
});
const scoresOf = (pool: RankingPool, k = 100): [string, number][] =>
  pool.best(k).map(({ hit, score }) => [hit.id, score]);

describe('by hand', () => {
  test('in profile paper the passages that a walk leaves out are the least, at 0', () => {
    const pool = new RankingPool(true);
    pool.add(placed({ a: 9, b: 7 }, 0), { ...placed({ c: 0.4, b: 0.1 }, 1), weight: 1 });
    assert.deepEqual(scoresOf(pool), [
      ['c', 1],
      ['b', 0.25],
      ['a', 0],
    ]);
  });
});

describe('any rankings', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  // Few values, so that ties are common.
  const scores = fc
    .dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 8 }), { maxKeys: 8 })
    .map(scored => Object.fromEntries(Object.entries(scored).sort(([, x], [, y]) => y - x)));
  const weight = fc.constantFrom(0.125, 0.25, 0.5, 1);
  const rounds = fc.array(fc.tuple(scores, fc.option(fc.tuple(scores, weight))), {
    minLength: 1,
    maxLength: 4,
  });

  /** Returns the blended scores of one text, name by name. */
  function blended(search: Scored, walk: readonly [Scored, number] | null): Map<string, number> {
    const share = (scored: Scored, name: string): number => {
      const all = Object.values(scored);
      const [low, high] = [Math.min(...all), Math.max(...all)];
      if (scored[name] === undefined) return 0;
      return high === low ? 1 : (scored[name] - low) / (high - low);
    };
    const result = new Map<string, number>();
    for (const name of names) {
      if (search[name] === undefined && walk?.[0][name] === undefined) continue;
      const w = walk?.[1] ?? 0;
      result.set(name, (1 - w) * share(search, name) + (walk ? w * share(walk[0], name) : 0));
    }
    return result;
  }
  const sorted = (scored: Iterable<[string, number]>): [string, number][] =>
    [...scored].sort(([x, a], [y, b]) => b - a || (x < y ? -1 : 1));
  const greatest = (lists: readonly Iterable<[string, number]>[]): [string, number][] =>
    sorted(
      names.flatMap((name): [string, number][] => {
        const scores = lists.flatMap(list => [...list].filter(([other]) => other === name));
        return scores.length === 0 ? [] : [[name, Math.max(...scores.map(([, score]) => score))]];
      }),
    );

  test('are merged as slow code merges them', () => {
    fc.assert(
      fc.property(rounds, fc.integer({ min: 0, max: 9 }), (all, k) => {
        const pool = new RankingPool(false);
        for (const [at, [search, walk]] of all.entries())
          pool.add(
            placed(search, 2 * at),
            walk ? { ...placed(walk[0], 2 * at + 1), weight: walk[1] } : undefined,
          );
        const slow = greatest(all.map(([search, walk]) => blended(search, walk)));
        assert.deepEqual(scoresOf(pool, k), slow.slice(0, k));
        for (const { hit, search, ref } of pool.best(k)) {
          assert.ok(search.hits.includes(hit));
          const [of, walk] = all[Math.floor(ref.hop / 2)]!;
          assert.ok((ref.hop % 2 === 0 ? of : walk![0])[hit.id] === hit.score);
        }
      }),
    );
  });
});
