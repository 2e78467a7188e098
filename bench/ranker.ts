/**
 * Scoring pairs by a ranker in WebAssembly, in the sizes that the package has, and by the
 * cross-encoder that teaches it in ONNX. The weights are random: speed does not depend on them.
 * From models-test, which has Transformers.js:
 * `node ../tools/node24/run.mjs ../bench/main.ts ranker`, with MULTIHOP_MODELS.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeCall } from '../src/core/trace/call.ts';
import { openRanker } from '../src/models/ranker/open-ranker.ts';
import type { Reranker } from '../src/models/reranker.ts';
import { transformersReranker } from '../src/providers/transformers-reranker.ts';
import { rankerFile, rankerParts } from '../test/random-ranker.ts';
import { interleave, machine, perQuery, type Result, type Task } from './measure.ts';

const TEACHER = 'ms-marco-MiniLM-L-12-v2';
const LAYERS: readonly number[] = [3, 4];
const SIZES = { hidden: 384, heads: 12, intermediate: 1536, positions: 256 };
const QUESTION = 'How do I say which address the server of a model has?';
const PAIRS = 64;
/** Gives pairs of about 120 tokens. */
const CHARACTERS = 390;

/** Sections of the documentation, cut to one length. */
function passages(): string[] {
  const docs = new URL('../docs/', import.meta.url);
  const texts = readdirSync(docs)
    .filter(name => name.endsWith('.md'))
    .flatMap(name => readFileSync(new URL(name, docs), 'utf8').split(/\n(?=#+ )/));
  const long = texts.filter(({ length }) => length >= CHARACTERS);
  return long.slice(0, PAIRS).map(text => text.slice(0, CHARACTERS));
}

function tokensOf(folder: string): string[] {
  const { model } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Readonly<Record<string, number>> };
  };
  const numbered = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  return numbered.map(([token]) => token);
}

const runtimeVersion = (): string => {
  const path = join(process.cwd(), 'node_modules', 'onnxruntime-node', 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
};

/** Returns CPU milliseconds a pair. */
async function timed(reranker: Reranker, texts: readonly string[]): Promise<number> {
  const score = (): Promise<unknown> => reranker.score(QUESTION, texts, freeCall());
  return (await perQuery(texts.length, score)).cpu;
}

/** Returns tokens of a pair, on the mean. */
async function meanTokens(reranker: Reranker, texts: readonly string[]): Promise<number> {
  let tokens = 0;
  await reranker.score(QUESTION, texts, {
    ...freeCall(),
    begin: (_port, _role, { modelTokens }) => {
      tokens += modelTokens ?? 0;
      return () => {};
    },
  });
  return tokens / texts.length;
}

export const ranker: Task = async ({ runs, say }) => {
  const models = process.env['MULTIHOP_MODELS'];
  if (models === undefined) {
    say('ranker: MULTIHOP_MODELS is not set');
    return [];
  }
  const folder = join(models, TEACHER);
  const metadata = { maxTokens: '160', questionTokens: '64' };
  const tokens = tokensOf(folder);
  const ours = LAYERS.map(layers =>
    openRanker(rankerFile(rankerParts({ ...SIZES, layers, tokens, metadata })), {
      id: `${layers} layers of ${SIZES.hidden}`,
    }),
  );
  const theirs = await transformersReranker({ model: TEACHER, folder, threads: 1 });
  const texts = passages();
  const contenders = [...ours, theirs].map(reranker => ({
    name: reranker.id,
    run: () => timed(reranker, texts),
  }));
  const cpu = await interleave(contenders, runs);
  await theirs.close();
  const peer = cpu.get(theirs.id)!;
  const pairTokens = Math.round(await meanTokens(ours[0]!, texts));
  return ours.map(({ id }): Result => {
    const own = cpu.get(id)!;
    return {
      task: `ranker: pairs of a question and a passage, ${id}`,
      n: texts.length,
      unit: 'CPU ms a pair',
      ours: own,
      peers: [
        {
          name: `${TEACHER}, 12 layers of 384, int8 in onnxruntime`,
          version: runtimeVersion(),
          value: peer,
          ratio: peer / own,
          note: `${Math.round(1000 / peer)} pairs a second`,
        },
      ],
      note: `${pairTokens} tokens a pair; ${Math.round(1000 / own)} pairs a second, words cut into pieces included`,
      machine: machine(),
    };
  });
};
