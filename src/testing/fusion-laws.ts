/**
 * The laws of fusions: one ranking from several, of the same items, in an order that only the
 * rankings decide.
 */
import { compareHits, type Ranking } from '../ranking/ranking.ts';
import { type Law, law, same } from './law.ts';
import { checkOrder } from './ranking-checks.ts';

/** One ranking from several of the same query. */
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

/** Overlapping, apart, tied, negative, of one hit and of none. */
const RANKINGS: readonly Ranking[] = [
  ranking(['a', 9], ['b', 7], ['c', 7], ['d', 0.5]),
  ranking(['d', 0.9], ['c', 0.2], ['e', -0.1], ['a', -0.7]),
  ranking(['f', 3]),
  ranking(['g', 2], ['h', 2], ['i', 2]),
  ranking(['c', 1e-9], ['a', 1e-12]),
  [],
];
const ids = (of: Ranking): string[] => of.map(({ id }) => id);

/** `fuse` weighs all rankings the same. */
export function fusionLaws(fuse: Fusion): Law[] {
  return [
    law('fusion: the result is in the total order, every item once', () => {
      for (const given of everyPair()) checkOrder(fuse(given), 100, JSON.stringify(given.map(ids)));
      checkOrder(fuse(RANKINGS), 100, 'all rankings');
    }),
    law('fusion: one ranking keeps its order', () => {
      for (const one of RANKINGS) {
        const before = new Map(one.map(hit => [hit.id, hit.score]));
        // Items that tied may come to differ by their ranks, but never to change places.
        same(ids(fuse([one])), ids(one), JSON.stringify([...before]));
      }
    }),
    law('fusion: its items are the union, each with its span', () => {
      for (const given of everyPair()) {
        const places = (hits: Ranking): unknown[] =>
          hits.map(({ score: _, ...place }) => place).sort((a, b) => (a.id < b.id ? -1 : 1));
        const union = new Map(given.flat().map(hit => [hit.id, hit]));
        same(places(fuse(given)), places([...union.values()]), JSON.stringify(given.map(ids)));
      }
    }),
    law('fusion: an empty ranking changes no order, and of none comes none', () => {
      for (const one of RANKINGS) same(ids(fuse([one, []])), ids(one), JSON.stringify(ids(one)));
      same([fuse([]), fuse([[]]), fuse([[], []])], [[], [], []], 'nothing fused');
    }),
    law('fusion: the order of the rankings does not matter, ties included', () => {
      const once = fuse(RANKINGS);
      for (let by = 1; by < RANKINGS.length; by++)
        same(fuse([...RANKINGS.slice(by), ...RANKINGS.slice(0, by)]), once, `turned by ${by}`);
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
    law('fusion: who is first everywhere is first, and what is given stays as it was', () => {
      const given = [ranking(['w', 5], ['v', 4], ['u', 3]), ranking(['w', 0.2], ['u', 0.1])];
      const before = JSON.stringify(given);
      same(fuse(given)[0]?.id, 'w', 'first');
      same(JSON.stringify(given), before, 'the rankings that were given');
    }),
  ];
}

function everyPair(): Ranking[][] {
  return RANKINGS.flatMap(a => RANKINGS.map(b => [a, b]));
}
