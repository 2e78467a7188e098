/**
 * Checks local models without real weights: missing parts are named, and a fake library records the
 * calls to the real one.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { InputError, type PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { knownModels, resolveModel } from '../src/providers/resolve-model.ts';
import { batchesByLength, encodePair, encodeText } from '../src/providers/token-sequences.ts';
import { transformersEmbedder } from '../src/providers/transformers-embedder.ts';
import type { LibraryTensor, Tokenizer } from '../src/providers/transformers-library.ts';
import { transformersReranker } from '../src/providers/transformers-reranker.ts';
import { transformersTagger } from '../src/providers/transformers-tagger.ts';
import {
  libraryOf as fakeLibrary,
  floats,
  type Inputs,
  idsOf,
  type Outputs,
} from './fake-transformers.ts';
import { freshFolder } from './fresh-folder.ts';

const MODELS = freshFolder();

const FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/model_quantized.onnx',
] as const;
function modelFolder(
  name: string,
  without?: string,
  texts: Readonly<Record<string, string>> = {},
): string {
  const folder = join(MODELS, name);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  for (const file of FILES)
    if (file !== without)
      writeFileSync(
        join(folder, file),
        texts[file] ?? (file.endsWith('.json') ? '{}' : 'x'.repeat(99)),
      );
  return folder;
}

/** Each word is a token whose id is its length; 101 begins and 102 ends a text, as in BERT. */
const tokenizer: Tokenizer = Object.assign(
  (
    text: string,
    {
      text_pair,
      add_special_tokens = true,
    }: { text_pair?: string | null; add_special_tokens?: boolean },
  ) => {
    const ids = (part: string): number[] =>
      part
        .split(' ')
        .filter(word => word !== '')
        .map(word => word.length);
    const [first, second] = [ids(text), text_pair == null ? undefined : ids(text_pair)];
    const marks = add_special_tokens ? 1 : 0;
    const input_ids = marks ? [101, ...first, 102, ...(second ? [...second, 102] : [])] : first;
    const types = [
      ...Array(first.length + 2 * marks).fill(0),
      ...(second ? Array(second.length + 1).fill(1) : []),
    ];
    return { input_ids, attention_mask: input_ids.map(() => 1), token_type_ids: types };
  },
  { pad_token_id: 0 },
);

const libraryOf = (answer: (inputs: Inputs) => Outputs) => fakeLibrary(tokenizer, answer);

/** Each token's state is [its id, its position + 1]. */
const states = (inputs: Inputs): Outputs => {
  const [rows, width] = inputs.input_ids!.dims as [number, number];
  const values = idsOf(inputs).flatMap((id, at) => [id, (at % width) + 1]);
  return { last_hidden_state: floats(values, [rows, width, 2]) };
};

describe('a model folder', () => {
  const load = (): never => assert.fail('the library was loaded for a folder that is not whole');
  test('that is missing, or is a file', async () => {
    writeFileSync(join(MODELS, 'file'), '');
    for (const [name, received] of [
      ['nowhere', 'nothing'],
      ['file', 'a file'],
    ] as const) {
      const folder = join(MODELS, name);
      await assert.rejects(
        transformersEmbedder({ model: 'bge-small-en-v1.5', folder, load }),
        (error: InputError) =>
          error.code === 'no-model-folder' &&
          error.received === received &&
          error.message.includes(folder),
      );
    }
  });

  for (const file of FILES)
    test(`without ${file}: it is named`, async () => {
      const folder = modelFolder(`without-${file.replace(/\W/g, '-')}`, file);
      for (const make of [transformersEmbedder, transformersReranker])
        await assert.rejects(
          make({ model: 'bge-small-en-v1.5', folder, load }),
          ({ code, message }: InputError) =>
            code === 'incomplete-model' && message.includes(`"${file}": it is missing`),
        );
    });

  const damaged: readonly (readonly [file: string, text: string, says: RegExp])[] = [
    ['config.json', '{"a":', /"config\.json": it is not JSON, or cut/],
    [
      'tokenizer.json',
      'version https://git-lfs.github.com/spec/v1\noid sha256:1',
      /"tokenizer\.json": it is a Git LFS pointer/,
    ],
    ['onnx/model_quantized.onnx', '', /model_quantized\.onnx": it is empty or cut/],
    [
      'onnx/model_quantized.onnx',
      'version https://git-lfs.github.com/spec/v1\noid sha256:4665465465 size 99',
      /model_quantized\.onnx": it is a Git LFS pointer/,
    ],
  ];
  for (const [at, [file, text, says]] of damaged.entries())
    test(`with a damaged ${file} (${at + 1})`, async () => {
      const folder = modelFolder(`damaged-${at}`, undefined, { [file]: text });
      await assert.rejects(
        transformersEmbedder({ model: 'bge-small-en-v1.5', folder, load }),
        says,
      );
    });

  test('of another number type: the error lists the existing files', async () => {
    const folder = modelFolder('other-type');
    await assert.rejects(
      transformersEmbedder({ model: 'bge-small-en-v1.5', folder, dtype: 'fp32', load }),
      /"onnx\/model\.onnx": it is missing; the folder has model_quantized\.onnx/,
    );
    await assert.rejects(
      transformersEmbedder({ model: 'bge-small-en-v1.5', folder, dtype: 'f32', load }),
      /expected fp32, fp16, q8.*received "f32"/,
    );
  });

  test('that the library cannot read', async () => {
    const folder = modelFolder('unreadable');
    const broken = { from_pretrained: () => Promise.reject(new Error('Protobuf parsing failed')) };
    await assert.rejects(
      transformersEmbedder({
        model: 'bge-small-en-v1.5',
        folder,
        load: async () => ({ AutoTokenizer: broken, AutoModel: broken }),
      }),
      (error: PortError) =>
        error.code === 'not-loaded' && /Protobuf parsing failed/.test(error.message),
    );
  });
});

describe('the library', () => {
  test('that is missing: the error says what to install', async () => {
    const folder = modelFolder('no-library');
    // This checkout lacks the package, as for a user without it.
    for (const make of [transformersEmbedder, transformersReranker])
      await assert.rejects(make({ model: 'bge-small-en-v1.5', folder }), (error: PortError) => {
        assert.equal(error.code, 'missing-package');
        assert.match(error.message, /npm install @huggingface\/transformers/);
        return true;
      });
  });

  test('that is broken is not reported as missing', async () => {
    const folder = modelFolder('broken-library');
    const missing = Object.assign(
      new Error("Cannot find module '../bin/onnxruntime_binding.node'"),
      { code: 'MODULE_NOT_FOUND' },
    );
    const load = (): Promise<never> => Promise.reject(missing);
    await assert.rejects(transformersEmbedder({ model: 'bge-small-en-v1.5', folder, load }), {
      code: 'broken-package',
    });
  });

  test('receives the folder without access to the hub, or the hub id and its revision', async () => {
    const { loaded, load } = libraryOf(states);
    const folder = modelFolder('bge-small-en-v1.5');
    await transformersEmbedder({ model: 'bge-small-en-v1.5', folder, load, threads: 1 });
    await transformersEmbedder({ model: 'Xenova/bge-small-en-v1.5', dtype: 'fp32', load });
    const extra = {
      session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } },
    };
    assert.deepEqual(loaded, [
      ['tokenizer', folder, { local_files_only: true }],
      [
        'model',
        folder,
        {
          local_files_only: true,
          dtype: 'q8',
          device: 'cpu',
          session_options: { intraOpNumThreads: 1, extra },
        },
      ],
      ['tokenizer', 'Xenova/bge-small-en-v1.5', { revision: 'main' }],
      [
        'model',
        'Xenova/bge-small-en-v1.5',
        { revision: 'main', dtype: 'fp32', device: 'cpu', session_options: { extra } },
      ],
    ]);
  });
});

describe('a local embedder', () => {
  const unit = (x: number, y: number): Float32Array =>
    Float32Array.of(x / Math.hypot(x, y), y / Math.hypot(x, y));
  const make = (options: object = {}, answer = states) =>
    transformersEmbedder({
      model: 'x',
      folder: modelFolder('x'),
      pooling: 'mean',
      load: libraryOf(answer).load,
      ...options,
    });

  test('pools as configured, over the tokens without padding', async () => {
    const mean = await make({ batch: 8 });
    // "aaa b" is 101, 3, 1, 102 at 1 to 4; the mean is (207 / 4, 10 / 4). The longer text pads it.
    const [short] = await mean.embed(['aaa b', 'a a a a a a a'], 'passage', freeCall());
    assert.deepEqual(short, unit(207 / 4, 2.5));
    const cls = await make({ pooling: 'cls' });
    assert.deepEqual((await cls.embed(['aaa b'], 'query', freeCall()))[0], unit(101, 1));
    assert.equal(mean.dimensions, 2);
  });

  test('runs one text at a time if quantised per batch, else sixteen, longest first', async () => {
    for (const [dtype, sizes] of [
      ['q8', Array(20).fill(1)],
      ['fp32', [16, 4]],
    ] as const) {
      const { seen, load } = libraryOf(states);
      writeFileSync(join(modelFolder('x'), 'onnx/model.onnx'), 'x'.repeat(99));
      const embedder = await make({ load, dtype });
      seen.length = 0;
      const texts = Array.from({ length: 20 }, (_, at) => 'w '.repeat(1 + ((at * 7) % 20)));
      const vectors = await embedder.embed(texts, 'passage', freeCall());
      assert.deepEqual(
        seen.map(({ input_ids }) => input_ids!.dims[0]),
        sizes,
      );
      const widths = seen.map(({ input_ids }) => input_ids!.dims[1]!);
      assert.deepEqual(
        widths,
        widths.toSorted((a, b) => b - a),
      );
      for (const [at, text] of texts.entries())
        assert.deepEqual((await embedder.embed([text], 'passage', freeCall()))[0], vectors[at]);
    }
  });

  test('has another id for everything that changes its vectors', async () => {
    const changes = [
      {},
      { pooling: 'cls' },
      { prefixes: { query: 'q: ' } },
      { maxTokens: 100 },
      { batch: 2 },
    ];
    const ids = await Promise.all(changes.map(async more => (await make(more)).id));
    const folder = modelFolder('other-tokens', undefined, { 'tokenizer.json': '{"other":1}' });
    ids.push((await make({ folder })).id);
    assert.equal(new Set(ids).size, ids.length, ids.join(' '));
    assert.equal((await make()).id, ids[0]);
  });

  test('of an unknown model requires the pooling', async () => {
    await assert.rejects(
      make({ pooling: undefined }),
      /pooling: "cls" or "mean".*Known models: all-MiniLM-L6-v2/,
    );
    await assert.rejects(make({ pooling: 'max' }), { code: 'unknown-pooling' });
    await assert.rejects(make({ batch: 0 }), { code: 'bad-batch' });
    await assert.rejects(make({ maxTokens: 2 }), { code: 'bad-max-tokens' });
  });

  test('refuses invalid vectors', async () => {
    const filled =
      (value: number): typeof states =>
      ({ input_ids }) => ({
        last_hidden_state: floats(Array(99).fill(value), [input_ids!.dims[0]!, 3, 2]),
      });
    const cases: readonly (readonly [answer: typeof states, code: string])[] = [
      [() => ({}), 'malformed'],
      [() => ({ last_hidden_state: floats(Array(4).fill(0), [1, 4]) }), 'malformed'],
      [filled(Number.NaN), 'not-finite'],
      [filled(0), 'zero-vector'],
    ];
    for (const [answer, code] of cases) await assert.rejects(make({}, answer), { code });
  });

  test('cuts the end of a long text, not the special token after it', () => {
    const cut = encodeText(tokenizer, 'a bb ccc dddd eeeee', 0, 5);
    assert.deepEqual(cut, { index: 0, ids: [101, 1, 2, 3, 102], types: [0, 0, 0, 0, 0], cut: 2 });
    assert.deepEqual(encodeText(tokenizer, 'a bb ccc', 0, 5).cut, 0);
    // Text beyond reach is not tokenized: 20 tokens of at most 100 characters.
    assert.equal(encodeText(tokenizer, `${' '.repeat(5000)}x`, 0, 20).cut, 1);
  });

  test('batches hold every text once', () => {
    const sequences = [5, 1, 9, 3, 9].map((length, index) => ({
      index,
      ids: Array(length).fill(1),
      types: undefined,
      cut: 0,
    }));
    assert.deepEqual(
      batchesByLength(sequences, 2).map(batch => batch.map(({ index }) => index)),
      [[2, 4], [0, 3], [1]],
    );
    assert.deepEqual(batchesByLength([], 2), []);
  });
});

describe('a local reranker', () => {
  const folder = (): string => modelFolder('cross');
  const scoresOf = ({ token_type_ids }: Inputs): Outputs => {
    const [rows, width] = token_type_ids!.dims as [number, number];
    const types = [...(token_type_ids!.data as BigInt64Array)].map(Number);
    const sums = Array.from({ length: rows }, (_, row) =>
      types.slice(row * width, (row + 1) * width).reduce((a, b) => a + b, 0),
    );
    return { logits: floats(sums, [rows, 1]) };
  };

  test('scores each pair, in order', async () => {
    for (const batch of [1, 2, 9]) {
      const reranker = await transformersReranker({
        model: 'cross',
        folder: folder(),
        batch,
        load: libraryOf(scoresOf).load,
      });
      // The tokens of the second part and its special token.
      assert.deepEqual(
        await reranker.score('q', ['a b c', '', 'a'], freeCall()),
        Float32Array.of(4, 1, 2),
      );
    }
  });

  test('with more than one label, or without a number, is refused', async () => {
    const scoring = async (logits: LibraryTensor): Promise<unknown> => {
      const { load } = libraryOf(() => ({ logits }));
      const reranker = await transformersReranker({ model: 'cross', folder: folder(), load });
      return reranker.score('q', ['a'], freeCall());
    };
    await assert.rejects(
      scoring(floats([0, 0], [1, 2])),
      /logits of shape \[1, 1\], received shape \[1, 2\]/,
    );
    await assert.rejects(scoring(floats([Number.NaN], [1, 1])), { code: 'not-finite' });
  });

  test('cuts the longer part of a pair, and the second of two equal ones', () => {
    const ids = (query: string, text: string, most: number) =>
      encodePair(tokenizer, query, text, 0, most).ids;
    assert.deepEqual(ids('a bb', 'ccc dddd eeeee ffffff', 7), [101, 1, 2, 102, 3, 4, 102]);
    assert.deepEqual(ids('a bb ccc dddd', 'eeeee', 6), [101, 1, 2, 102, 5, 102]);
    assert.deepEqual(ids('a bb', 'ccc dddd', 6), [101, 1, 2, 102, 3, 102]);
    assert.deepEqual(encodePair(tokenizer, 'a', 'bb ccc', 3, 5), {
      index: 3,
      ids: [101, 1, 102, 2, 102],
      types: [0, 0, 0, 1, 1],
      cut: 1,
    });
  });
});

describe('a local tagger', () => {
  /** A model that calls words of three letters persons; its logits of padding are no numbers. */
  const tagged = async (wrong: number) => {
    const { load } = libraryOf(inputs => {
      const of = (id: number) => (id === 0 ? [NaN, NaN] : [0, id === 3 ? 1 : id - wrong]);
      return { logits: floats(idsOf(inputs).flatMap(of), [...inputs.input_ids!.dims, 2]) };
    });
    const folder = modelFolder('tagger');
    const tagger = await transformersTagger({ model: 'tagger', folder, batch: 2, load });
    return tagger.tag(['a Osk bb dddd', 'Ada a'], freeCall());
  };

  test('marks entities whatever the model says of padding', async () => {
    assert.deepEqual(await tagged(999), [
      [{ start: 2, end: 5, type: 'PER' }],
      [{ start: 0, end: 3, type: 'PER' }],
    ]);
  });

  test('without a number for a token is refused', () =>
    assert.rejects(tagged(Number.NaN), { code: 'not-finite' }));
});

describe('names of models', () => {
  const env = { MULTIHOP_MODELS: MODELS };
  const { load } = libraryOf(states);

  test('known models are listed, existing ones first', () => {
    modelFolder('bge-small-en-v1.5');
    assert.deepEqual(knownModels('embedder', env), [
      'bge-small-en-v1.5',
      'gguf:PATH',
      'hf:ORG/NAME:FILE',
      'hub:ORG/NAME',
      'openai:MODEL',
      'google:MODEL',
      'mistral:MODEL',
      'openai-compatible:MODEL',
    ]);
    assert.deepEqual(knownModels('reranker', {}), [
      'ranker',
      'ranker:FILE',
      'gguf:PATH',
      'hf:ORG/NAME:FILE',
      'hub:ORG/NAME',
      'tei:MODEL',
      'cohere:MODEL',
      'jina:MODEL',
    ]);
  });

  test('a folder, a hub model', async () => {
    modelFolder('bge-small-en-v1.5');
    modelFolder('ms-marco-MiniLM-L-12-v2');
    for (const [kind, name, id] of [
      ['embedder', 'bge-small-en-v1.5', /^bge-small-en-v1\.5@q8-/],
      ['embedder', 'hub:Xenova/all-MiniLM-L6-v2', /^all-MiniLM-L6-v2@q8-/],
      ['reranker', 'ms-marco-MiniLM-L-12-v2', /^ms-marco-MiniLM-L-12-v2@q8-/],
    ] as const)
      assert.match((await resolveModel(kind, name, { env, load })).id, id);
    // One name of two authors: other weights, and so another space.
    const [one, two] = ['Xenova', 'other'].map(maker =>
      resolveModel('embedder', `hub:${maker}/all-MiniLM-L6-v2`, { env, load }),
    );
    assert.notEqual((await one!).id, (await two!).id);
  });

  test('servers', async () => {
    for (const [name, options] of [
      ['jina:m', { env: { JINA_API_KEY: 'x' } }],
      ['cohere:m', { env }],
      ['tei:m', { env, baseUrl: 'http://localhost:1' }],
    ] as const)
      assert.equal((await resolveModel('reranker', name, options)).id, name);
    await assert.rejects(resolveModel('reranker', 'tei:m', { env }), { code: 'no-base-url' });
    await assert.rejects(resolveModel('embedder', 'openai-compatible:m', { env }), /baseUrl/);
  });

  const wrong: readonly (readonly [
    name: string,
    env: Readonly<Record<string, string>>,
    says: RegExp,
  ])[] = [
    ['bge-smal-en-v1.5', env, /received "bge-smal-en-v1\.5"\. Did you mean bge-small-en-v1\.5/],
    ['openai-compatibel:x', env, /Did you mean openai-compatible:/],
    ['ms-marco-MiniLM-L-12-v2', env, /It is a reranker/],
    ['bge-small-en-v1.5', {}, /MULTIHOP_MODELS.*hub:ORG\/NAME/],
    ['all-MiniLM-L6-v2', env, /No model in/],
    ['hub:nothing', env, /expected hub:ORG\/NAME/],
    ['hub:../../x', env, /expected hub:ORG\/NAME/],
    ['../secrets', env, /Unknown embedder/],
    ['..', env, /Unknown embedder/],
    ['__proto__', env, /Unknown embedder/],
    ['', env, /Unknown embedder/],
  ];
  for (const [name, environment, says] of wrong)
    test(`"${name}"${environment === env ? '' : ' without a folder'} is an error with a hint`, async () => {
      await assert.rejects(
        resolveModel('embedder', name, { env: environment, load }),
        (error: Error) => InputError.is(error) && says.test(error.message),
      );
    });
  test('an embedder is not accepted as a reranker', () =>
    assert.rejects(
      resolveModel('reranker', 'bge-small-en-v1.5', { env, load }),
      /It is an embedder/,
    ));
});
