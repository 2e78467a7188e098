/** Checks rankings of engines and retrievers. */
import type { Ranking } from '../core/ranking/ranking.ts';
import { compareHits } from '../core/ranking/ranking.ts';
import { freeCall } from '../core/trace/call.ts';
import type { SearchEngine } from '../search/engine.ts';
import { holds, same } from './law.ts';

/**
 * Checks that scores descend, ids of equal scores ascend, every score is finite, no id occurs
 * twice, and there are at most `k` hits.
 */
export function checkOrder(ranking: Ranking, k: number, what: string): void {
  holds(ranking.length <= k, what, `at most ${k} hits`, ranking.length);
  const seen = new Set<string>();
  for (const [index, hit] of ranking.entries()) {
    holds(Number.isFinite(hit.score), what, 'a finite score', hit);
    holds(!seen.has(hit.id), what, 'every id once', hit.id);
    seen.add(hit.id);
    const before = ranking[index - 1];
    holds(
      before === undefined || compareHits(before, hit) < 0,
      what,
      'score descending, then id ascending',
      [before, hit],
    );
  }
}

/** Checks that every hit's document exists and holds its span. */
export async function checkSpans(
  engine: SearchEngine,
  ranking: Ranking,
  what: string,
): Promise<void> {
  for (const hit of ranking) {
    const [document] = await engine.read('document', [hit.documentId], freeCall());
    holds(
      document !== undefined &&
        hit.start >= 0 &&
        hit.start <= hit.end &&
        hit.end <= document.text.length,
      what,
      'a span inside the document',
      hit,
    );
  }
}

/** Checks that `search(q, k)` is a prefix of `search(q, k + 1)` for every k up to all hits. */
export async function checkPrefixes(
  search: (k: number) => Promise<Ranking>,
  what: string,
): Promise<void> {
  const all = await search(1000);
  for (let k = 0; k <= all.length + 1; k++)
    same(await search(k), all.slice(0, k), `${what}, k = ${k}`);
}
