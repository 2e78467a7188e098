/**
 * Loss and gain of 8-bit codes on real embeddings, over the sentences of MultiHop-RAG.
 * From models-test, which has Transformers.js:
 * `node ../tools/node24/run.mjs ../bench/main.ts vector-real --embedder bge-small-en-v1.5 --cache
 * DIR`, with MULTIHOP_DATA and MULTIHOP_MODELS.
 */
import { codesLength, quantiseQuery, quantiseRows } from '../src/search/indexes/vector/quantise.ts';
import { VectorIndex } from '../src/search/indexes/vector/vector-index.ts';
import { machine, type Result, type Task } from './measure.ts';
import { realVectors } from './real-vectors.ts';
import type { VectorCorpus } from './vector-corpus.ts';
import { answers, compareVectors, K, leastScores, recall } from './vector-query.ts';

/**
 * Questions that are timed, and questions whose results are held to the search in float64; spread
 * evenly over all.
 */
const TIMED = 76;
const CHECKED = 500;

function spread<T>(list: readonly T[], count: number): T[] {
  const wanted = Math.min(count, list.length);
  return Array.from({ length: wanted }, (_, i) => list[Math.floor((i * list.length) / wanted)]!);
}

/** The best k by the codes alone: scale times the whole sum, as kernel.wat computes it. */
function byCodesAlone({ rows, queries, dimensions }: VectorCorpus): number[][] {
  const size = rows.length / dimensions;
  const norms = new Float32Array(size);
  const scales = new Float32Array(size);
  const { codes } = quantiseRows(
    { size, dimensions, stride: dimensions, values: rows, norms },
    new Int8Array(codesLength(size, dimensions)),
    scales,
  );
  const query = new Int16Array(dimensions);
  const scores = new Float64Array(size);
  return queries.map(vector => {
    quantiseQuery(vector, query);
    for (let row = 0; row < size; row++) {
      let sum = 0;
      // Rows stand in fours, 16 codes of each in turn.
      let at = (row - (row % 4)) * dimensions + (row % 4) * 16;
      for (let i = 0; i < dimensions; i += 16, at += 64)
        for (let j = 0; j < 16; j++) sum += query[i + j]! * codes[at + j]!;
      scores[row] = sum * scales[row]!;
    }
    const order = Array.from({ length: size }, (_, row) => row);
    return order.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, K);
  });
}

export const vectorReal: Task = async setting => {
  const { say, embedder = 'bge-small-en-v1.5' } = setting;
  if (process.env['MULTIHOP_MODELS'] === undefined) {
    say('vector-real: MULTIHOP_MODELS is not set');
    return [];
  }
  const all = await realVectors(setting, embedder);
  const task = `vector-real (${all.id})`;
  const times = await compareVectors(
    task,
    { ...all, queries: spread(all.queries, TIMED) },
    setting,
  );
  const checked = { ...all, queries: spread(all.queries, CHECKED) };
  say(`${task}: recall over ${checked.queries.length} questions`);
  const least = leastScores(checked);
  const index = VectorIndex.build(all.rows, all.dimensions, { mode: 'fast', quantise: true });
  const rescored = recall(checked, answers(index, checked.queries, 1)(), least);
  const alone = recall(checked, byCodesAlone(checked), least);
  const note = `${checked.queries.length} questions against ${index.size} sentences; float64 is 1`;
  const recalls: Result = {
    task: `${task}: int8 + re-scoring, recall`,
    n: index.size,
    unit: 'recall@10',
    ours: rescored,
    peers: [
      { name: 'int8 codes alone, without re-scoring', version: '', value: alone, ratio: null },
    ],
    note,
    machine: machine(),
  };
  return [...times, recalls];
};
