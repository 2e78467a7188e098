/**
 * Defines the laws of fusions: one ranking of the same items from several, in an order that depends
 * only on the rankings.
 */
import { compareHits, type Ranking } from '../core/ranking/ranking.ts';
import { type Law, law, same } from './law.ts';
import { checkOrder } from './ranking-checks.ts';

/** Returns one ranking from several of the same query. */
export type Fusion = (rankings: readonly Ranking[]) => Ranking;

const ranking = (...scored: readonly (readonly [id: string, score: number])[]): Ranking =>
  scored
    .map(([id, score]) => ({
      id,
      documentId: `d-${id}`,
      start: id.length,
      end: id.length + 3,
      score,
    }))
    .sort(compareHits);

/** Rankings that overlap, are disjoint, tie, have negative scores, one hit or none. */
const RANKINGS: readonly Ranking[] = [
  ranking(['a', 9], ['b', 7], ['c', 7], ['d', 0.5]),
  ranking(['d', 0.9], ['c', 0.2], ['e', -0.1], ['a', -0.7]),
  ranking(['f', 3]),
  ranking(['g', 2], ['h', 2], ['i', 2]),
  ranking(['c', 1e-9], ['a', 1e-12]),
  [],
];
const ids = (of: Ranking): string[] => of.map(({ id }) => id);

/** Returns the laws of a fusion that weights all rankings equally. */
export function fusionLaws(fuse: Fusion): Law[] {
  return [
    law('fusion: the result is in total order, with every item once', () => {
      for (const rankings of everyPair())
        checkOrder(fuse(rankings), 100, JSON.stringify(rankings.map(ids)));
      checkOrder(fuse(RANKINGS), 100, 'all rankings');
    }),
    law('fusion: one ranking keeps its order', () => {
      for (const one of RANKINGS) {
        const before = new Map(one.map(hit => [hit.id, hit.score]));
        // Ties may be broken by rank, but no pair of items may change places.
        same(ids(fuse([one])), ids(one), JSON.stringify([...before]));
      }
    }),
    law('fusion: the result holds the union of the items, each with its span', () => {
      for (const rankings of everyPair()) {
        const places = (hits: Ranking): unknown[] =>
          hits.map(({ score: _, ...place }) => place).sort((a, b) => (a.id < b.id ? -1 : 1));
        const union = new Map(rankings.flat().map(hit => [hit.id, hit]));
        same(
          places(fuse(rankings)),
          places([...union.values()]),
          JSON.stringify(rankings.map(ids)),
        );
      }
    }),
    law('fusion: an empty ranking changes no order; no rankings yield no hits', () => {
      for (const one of RANKINGS) same(ids(fuse([one, []])), ids(one), JSON.stringify(ids(one)));
      same([fuse([]), fuse([[]]), fuse([[], []])], [[], [], []], 'fusion of no hits');
    }),
    law('fusion: the order of the rankings does not matter, including ties', () => {
      const once = fuse(RANKINGS);
      for (let by = 1; by < RANKINGS.length; by++)
        same(fuse([...RANKINGS.slice(by), ...RANKINGS.slice(0, by)]), once, `rotated by ${by}`);
      same(fuse([...RANKINGS].reverse()), once, 'reversed');
      // Every item has every rank once, so all tie; sums in another order would differ in their
      // last digits.
      for (let n = 2; n <= 12; n++) {
        const all = Array.from({ length: n }, (_, item) => String.fromCharCode(97 + item));
        const circle = all.map((_, by) =>
          ranking(...all.map((id, item): [string, number] => [id, (item + by) % n])),
        );
        same(ids(fuse(circle)), all, `${n} that tie in a circle, by id`);
      }
    }),
    law(
      'fusion: an item that is first everywhere stays first, and the given rankings do not change',
      () => {
        const rankings = [ranking(['w', 5], ['v', 4], ['u', 3]), ranking(['w', 0.2], ['u', 0.1])];
        const before = JSON.stringify(rankings);
        same(fuse(rankings)[0]?.id, 'w', 'first');
        same(JSON.stringify(rankings), before, 'the given rankings');
      },
    ),
  ];
}

function everyPair(): Ranking[][] {
  return RANKINGS.flatMap(a => RANKINGS.map(b => [a, b]));
}
