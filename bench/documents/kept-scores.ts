/** Keeps the scores of a reranker in a file: another run computes those of new pairs alone. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Reranker } from '../../src/models/reranker.ts';
import { sha256 } from '../../src/platform/sha256.ts';

/** The file has lines `[hash of the pair, score]`, and belongs to one reranker. */
export function keptScores(reranker: Reranker, file: string): Reranker {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const kept = new Map<string, number>(lines.map(line => JSON.parse(line)));
  return {
    id: reranker.id,
    async score(query, texts, call) {
      const keys = texts.map(text => sha256(JSON.stringify([query, text])).slice(0, 16));
      const isNew = (_: unknown, at: number): boolean => !kept.has(keys[at]!);
      const added = keys.filter(isNew);
      if (added.length === 0) return Float32Array.from(keys, key => kept.get(key)!);
      const scores = await reranker.score(query, texts.filter(isNew), call);
      for (const [at, key] of added.entries()) kept.set(key, scores[at]!);
      const text = added.map(key => `${JSON.stringify([key, kept.get(key)])}\n`).join('');
      appendFileSync(file, text);
      return Float32Array.from(keys, key => kept.get(key)!);
    },
  };
}
