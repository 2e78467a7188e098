/** Measures the fact rules on the gold facts of MultiHop-RAG; `tools/claims.ts` prints the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { isFact } from './facts.ts';

const folder = process.env['MULTIHOP_DATA'];

test('recall on the gold facts of the dev half', {
  skip: folder ? false : 'MULTIHOP_DATA is not set',
}, () => {
  const questions = JSON.parse(
    readFileSync(join(folder!, 'multihop-rag', 'MultiHopRAG.dev.json'), 'utf8'),
  ) as readonly { readonly evidence_list: readonly { readonly fact: string }[] }[];
  const gold = questions.flatMap(({ evidence_list }) => evidence_list.map(({ fact }) => fact));
  const recall = (facts: readonly string[]): string => {
    const kept = facts.filter(fact => isFact(fact, { minTokens: 18 }));
    return ((100 * kept.length) / facts.length).toFixed(1);
  };
  assert.deepEqual([recall(gold), recall([...new Set(gold)])], ['92.8', '86.0']);
});
