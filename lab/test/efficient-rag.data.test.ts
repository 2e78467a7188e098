/**
 * The classifiers that ship, on real questions that they did not learn from: more of the gold than
 * as many hits of one search (needs MULTIHOP_DATA).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDataSet } from '../../src/documents/data-sets.ts';
import { findData } from '../../src/experiments/find-data.ts';
import { EmbeddedEngine } from '../../src/search/embedded-engine.ts';
import { shippedClassifiers } from '../../test/shipped-lite.ts';
import {
  type LoopOutcome,
  loopOutcome,
  loopScores,
  runLoop,
} from '../learning/efficient-rag/held-out-recall.ts';

const root = process.env['MULTIHOP_DATA'];
const EVERY = 5;

/**
 * Recall of the loop, and how much it must be above that of one search at the same mean K: half of
 * what results/efficient-rag/ has.
 */
for (const [name, recall, gain] of [
  ['2wikimultihopqa-open', 0.75, 0.12],
  ['hotpotqa-pooled', 0.6, 0.06],
] as const)
  test(`${name}: every fifth question`, {
    skip: root ? false : 'MULTIHOP_DATA is not set',
  }, async () => {
    const { documents, examples } = await readDataSet(name, findData(name, {}, root));
    const engine = new EmbeddedEngine({ documents });
    const outcomes: LoopOutcome[] = [];
    for (const { question, gold } of examples.filter((_, at) => at % EVERY === 0)) {
      const trace = await runLoop(question.text, engine.current, {
        strategy: 'efficient-rag',
        retriever: 'lexical',
        classifiers: shippedClassifiers(),
      });
      outcomes.push(loopOutcome(trace, new Set(gold.map(({ documentId }) => documentId))));
    }
    const scores = loopScores(outcomes);
    assert.ok(scores.recall > recall, `recall ${scores.recall}`);
    assert.ok(scores.recall - scores.directAtMeanK > gain, `direct ${scores.directAtMeanK}`);
  });
