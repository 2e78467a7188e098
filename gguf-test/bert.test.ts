/**
 * Checks embedders and rerankers of GGUF files: weights in ONNX become GGUF here, and give nearly
 * the vectors and the order that their own library gives.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { freeCall } from '../src/core/trace/call.ts';
import { ggufEmbedder } from '../src/providers/llama/gguf-embedder.ts';
import { ggufReranker } from '../src/providers/llama/gguf-reranker.ts';
import { transformersEmbedder } from '../src/providers/transformers-embedder.ts';
import { transformersReranker } from '../src/providers/transformers-reranker.ts';
import { writeBertGguf } from './bert-gguf.ts';

const MODELS = process.env.MULTIHOP_MODELS ?? '';
const require = createRequire(new URL('../models-test/package.json', import.meta.url));
const skip = !existsSync(join(MODELS, 'bge-small-en-v1.5'))
  ? 'needs MULTIHOP_MODELS: the folder of models'
  : existsSync(new URL('../models-test/node_modules', import.meta.url))
    ? false
    : 'needs npm ci in models-test/';

const FOLDER = mkdtempSync(join(tmpdir(), 'multihop-bert-'));
after(() => rmSync(FOLDER, { recursive: true }));
const loadLlama = (): Promise<unknown> => import('node-llama-cpp');
const loadOnnx = (): Promise<unknown> =>
  import(pathToFileURL(require.resolve('@huggingface/transformers')).href);

const TEXTS = [
  'Paris is the capital and largest city of France.',
  'Mitochondria make most of the chemical energy of a cell.',
  'The ferry Linnet lost its engines off Orrest in 1931, and Ada Fenwick towed it home.',
  'naïve café, 東京, 3.11 and C++: words that few models know',
  'x',
  'The lighthouse stood by the harbour. '.repeat(8),
];
const QUESTION = 'What is the capital of France?';

describe('a BERT in a GGUF file', { skip }, () => {
  test('gives the vectors of its ONNX file, within what their numbers of 8 bits differ', async context => {
    const name = 'bge-small-en-v1.5';
    const file = join(FOLDER, `${name}-f32.gguf`);
    writeBertGguf(join(MODELS, name), file, 'cls');
    const gguf = await ggufEmbedder({ file, gpu: false, load: loadLlama });
    const folder = join(MODELS, name);
    const onnx = await transformersEmbedder({ model: name, folder, load: loadOnnx });
    try {
      assert.equal(gguf.dimensions, 384);
      const likenesses: number[] = [];
      for (const as of ['query', 'passage'] as const) {
        const [ours, theirs] = await Promise.all(
          [gguf, onnx].map(model => model.embed(TEXTS, as, freeCall())),
        );
        for (const [at, vector] of ours!.entries())
          likenesses.push(
            vector.reduce((sum, value, axis) => sum + value * theirs![at]![axis]!, 0),
          );
      }
      context.diagnostic(`cosine ${likenesses.map(value => value.toFixed(4)).join(', ')}`);
      for (const likeness of likenesses) assert.ok(likeness >= 0.98, `${likenesses}`);
    } finally {
      await Promise.all([gguf.close(), onnx.close()]);
    }
  });

  test('ranks as its ONNX file does, though it knows no segments', async context => {
    const name = 'ms-marco-MiniLM-L-12-v2';
    const file = join(FOLDER, `${name}-f32.gguf`);
    writeBertGguf(join(MODELS, name), file, 'rank');
    const gguf = await ggufReranker({ file, gpu: false, load: loadLlama });
    const folder = join(MODELS, name);
    const onnx = await transformersReranker({ model: name, folder, load: loadOnnx });
    try {
      const [ours, theirs] = await Promise.all(
        [gguf, onnx].map(model => model.score(QUESTION, TEXTS, freeCall())),
      );
      context.diagnostic(
        `logits ${[...ours!].map(value => value.toFixed(2))} and ${[...theirs!].map(value => value.toFixed(2))}`,
      );
      const best = (scores: Float32Array): number => scores.indexOf(Math.max(...scores));
      assert.deepEqual([best(ours!), best(theirs!)], [0, 0]);
      assert.ok(ours![0]! > 0 && ours![1]! < 0, `${ours}`);
    } finally {
      await Promise.all([gguf.close(), onnx.close()]);
    }
  });
});
